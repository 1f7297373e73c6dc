/** Panels of a study: their models, the completeness of their answers, and accuracies. */
import { resolve } from "node:path";
import { readInputText } from "../files/csv.ts";
import { shownPath } from "../files/atomic.ts";
import { name, number, type Table, table } from "../files/table.ts";
import { type Panel, type PanelEntry, parsePanel } from "../models/panel.ts";
import { questionKey, type Response } from "./answers.ts";
import { bothOrders, type OrderDesign, type OrderPlan, orderPlan } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import type { PairStudy, TableMetadata } from "./study.ts";

/**
 * Reads a panel. Relative model paths start from the project's folder.
 * @throws {SyntaxError} naming every invalid field, {Deno.errors.NotFound} without the file.
 */
export function readPanel(path: string, project: string): Panel {
  const remedy = "Write local, large, groq, or the path of a YAML file as in data/panels.";
  const text = readInputText(
    path,
    (why) => `Cannot read panel ${shownPath(path)}: ${why}. ${remedy}`,
  );
  return parsePanel(text, shownPath(path), project);
}

type PanelTitle = "local" | "hosted";

/**
 * Order designs from which metrics are computed. Local models must answer in both orders, since
 * asking them again is free.
 */
const ACCEPTED: Readonly<Record<PanelTitle, readonly OrderDesign[]>> = {
  local: ["both"],
  hosted: ["both", "counterbalanced"],
};

interface TitledPanel {
  readonly title: PanelTitle;
  readonly panel: Panel;
}

/** Returns the local panel, with larger models if named, and the hosted panel. */
export function readStudyPanels(
  { panels, project }: Pick<PairStudy, "panels" | "project">,
): readonly TitledPanel[] {
  const local = readPanel(panels.local, project);
  const larger = panels.larger === undefined ? [] : readPanel(panels.larger, project).models;
  return [
    { title: "local", panel: { ...local, models: [...local.models, ...larger] } },
    { title: "hosted", panel: readPanel(panels.hosted, project) },
  ];
}

/** Number of answers that a model lacks in each design. */
interface ModelStanding {
  readonly model: string;
  readonly lacks: Readonly<Record<OrderDesign, number>>;
}

/**
 * Completeness of a panel's answers.
 *
 * A panel is complete if every model answered all questions of a design, so that metrics compare
 * the same questions. Of several such designs the one with most questions counts.
 */
type PanelStanding =
  | { readonly kind: "complete"; readonly design: OrderDesign; readonly orders: OrderPlan }
  | { readonly kind: "incomplete"; readonly models: readonly ModelStanding[] };

/** A panel of the study, with the models whose choices count. */
export interface StudyPanel extends TitledPanel {
  readonly asked: readonly string[];
  readonly standing: PanelStanding;
  /**
   * Local models with some answers missing, left out so that the others' metrics can be computed.
   */
  readonly leftOut: readonly ModelStanding[];
}

/**
 * Returns each panel with its completeness. The hosted panel is complete only as a whole, because
 * the specification names its four models. In the local panel, models without missing answers count
 * on their own.
 * @throws {RangeError} for a model in two panels, whose answers would count twice.
 */
export function studyPanels(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  responses: readonly Response[],
  panels: readonly TitledPanel[] = readStudyPanels(study),
): readonly StudyPanel[] {
  const ids = panels.flatMap(({ panel }) => panel.models.map(({ id }) => id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot set panels side by side: ${twice} is in two of them.`);
  }
  const ordersOf = (design: OrderDesign) => orderPlan(design, pairs, study.orderSeed);
  const begun = new Set(responses.map(({ model }) => model));
  return panels.map(({ title, panel }) => {
    const models = panelWithRole(panel, "chat").models.map(({ id }) => id);
    const [both, half] = (["both", "counterbalanced"] as const).map((design) =>
      missingAnswers({ pairs, responses, models, orders: ordersOf(design) })
    );
    const all = models.map((model) => {
      return { model, lacks: { both: both!.get(model)!, counterbalanced: half!.get(model)! } };
    });
    const finished = all.filter(({ lacks }) => lacks.both === 0);
    // Their choices are refused, and their likelihoods stand; one that was asked nothing is not named.
    const leftOut = all.filter(({ model, lacks }) => lacks.both > 0 && begun.has(model));
    const counted = title === "hosted" || finished.length === 0 ? all : finished;
    const design = ACCEPTED[title].find((one) => counted.every(({ lacks }) => lacks[one] === 0));
    return {
      title,
      panel,
      asked: counted.map(({ model }) => model),
      leftOut: counted === finished ? leftOut : [],
      standing: design
        ? { kind: "complete", design, orders: ordersOf(design) }
        : { kind: "incomplete", models: counted },
    };
  });
}

/**
 * Returns the complete panels, from which metrics can be computed.
 * @throws {RangeError} if there is none, naming how many answers each model lacks.
 */
export function completePanels(
  { commands }: Pick<PairStudy, "commands">,
  panels: readonly StudyPanel[],
) {
  const complete = panels.flatMap(({ title, panel, asked, standing }) => {
    if (standing.kind === "incomplete") return [];
    const { design, orders } = standing;
    const models = panel.models.map(({ id }) => id);
    return [{ title, models, asked, design, orders }];
  });
  if (complete.length > 0) return complete;
  const lacks = panels.flatMap(({ standing }) =>
    standing.kind === "incomplete" ? standing.models : []
  ).filter(({ lacks }) => lacks.both > 0).map(({ model, lacks }) => `${model} lacks ${lacks.both}`);
  throw new RangeError(
    `Cannot compute metrics: no panel is complete (${lacks.join(", ")}). Run ` +
      `\`${commands.evaluate} --panel local\`: it asks only what is missing.`,
  );
}

/** A complete panel. The models in `asked` answered the same questions. */
export type CompletePanel = ReturnType<typeof completePanels>[number];

/** Returns the panels without models that only score likelihoods. */
export const choosingPanels = (panels: readonly CompletePanel[]): readonly CompletePanel[] =>
  panels.map((panel) => ({ ...panel, models: [...panel.asked] }));

/** Returns the responses to questions of the complete panels' designs. */
export function countedResponses(
  responses: readonly Response[],
  panels: readonly CompletePanel[],
): readonly Response[] {
  const ordersOf = new Map(panels.flatMap(({ asked, orders }) => asked.map((m) => [m, orders])));
  return responses.filter(({ model, pairId, order }) =>
    ordersOf.get(model)?.(pairId).includes(order) ?? false
  );
}

/** Use of a model: answering questions or scoring likelihoods. */
export type Role = PanelEntry["roles"][number];

/** Returns the models of a panel that have a role, limited to that role. */
export function panelWithRole<
  Asked extends { readonly models: readonly { readonly roles: readonly Role[] }[] },
>(panel: Asked, role: Role): Asked {
  const models = panel.models.filter(({ roles }) => roles.includes(role));
  return { ...panel, models: models.map((entry) => ({ ...entry, roles: [role] })) };
}

/** Returns the models that score likelihoods, for pairs that are only scored. */
export const likelihoodPanel = (panel: Panel): Panel => panelWithRole(panel, "likelihood");

/** One row of `metrics.csv`: shares of correct answers, 0 … 1. */
interface ModelMetrics<Phenomenon extends string> {
  readonly model: string;
  readonly overall: number;
  readonly byPhenomenon: Readonly<Record<Phenomenon, number>>;
}

interface MetricsOptions<Phenomenon extends string> {
  /** All pairs of the data set. Each must have been answered. */
  readonly pairs: readonly MinimalPair<Phenomenon>[];
  readonly responses: readonly Response[];
  /** Models in the order of the rows. */
  readonly models: readonly string[];
  readonly phenomena: readonly Phenomenon[];
  /** Plan of the counted questions; both orders of every pair by default. */
  readonly orders?: OrderPlan;
}

/**
 * Computes each model's accuracy, overall and by phenomenon: correct answers / answers. Invalid
 * answers count as incorrect. Answers to unplanned questions are ignored.
 * @throws {RangeError} naming how many answers each model lacks, or a phenomenon without a pair.
 */
export function computeMetrics<Phenomenon extends string>(
  options: MetricsOptions<Phenomenon>,
): readonly ModelMetrics<Phenomenon>[] {
  const { pairs, responses, models, phenomena, orders = bothOrders } = options;
  const asked = pairs.flatMap((pair) => orders(pair.id).map((order) => ({ pair, order })));
  const refuse = (what: string): never => {
    throw new RangeError(`Cannot compute metrics: ${what}.`);
  };
  if (pairs.length === 0) refuse("there are no pairs");
  const lacking = [...missingAnswers(options)].filter(([, count]) => count > 0);
  if (lacking.length > 0) {
    const lacks = lacking.map(([model, count]) => `${model} lacks ${count}`).join(", ");
    refuse(
      `of ${asked.length} answers (${pairs.length} pairs) ${lacks}. ` +
        "Run the evaluation again: it asks only what is missing",
    );
  }
  const correct = new Set(responses.filter((row) => row.correct).map(questionKey));
  return models.map((model) => {
    const accuracy = (own: typeof asked) =>
      own.filter(({ pair, order }) => correct.has(questionKey({ model, pairId: pair.id, order })))
        .length / own.length;
    const byPhenomenon = phenomena.map((name) => {
      const own = asked.filter(({ pair }) => pair.phenomenon === name);
      return [name, own.length > 0 ? accuracy(own) : refuse(`no pair tests ${name}`)];
    });
    return { model, overall: accuracy(asked), byPhenomenon: Object.fromEntries(byPhenomenon) };
  });
}

/** Counts each model's missing answers; 0 for a complete model. */
export function missingAnswers(
  { pairs, responses, models, orders = bothOrders }: Omit<MetricsOptions<string>, "phenomena">,
): ReadonlyMap<string, number> {
  const there = new Set(responses.map(questionKey));
  const lacks = (model: string) =>
    pairs.flatMap(({ id: pairId }) =>
      orders(pairId).filter((order) => !there.has(questionKey({ model, pairId, order })))
    ).length;
  return new Map(models.map((model) => [model, lacks(model)]));
}

/** Name of a phenomenon's accuracy column in `metrics.csv`. */
export const accuracyColumn = (phenomenon: string) => `${phenomenon.toLowerCase()}_accuracy`;

/**
 * Defines `metrics.csv`: model, overall accuracy, and one column per phenomenon in the given order.
 */
export function metricsTable<Phenomenon extends string>(
  { path, about = "accuracies", maker = "the metrics", sentences = {} }: TableMetadata & {
    /** Description of each phenomenon's column. */
    readonly sentences?: Readonly<Record<string, string>>;
  },
  phenomena: readonly Phenomenon[],
): Table<ModelMetrics<Phenomenon>> {
  const share = (sentence: string) => number(sentence, { min: 0, max: 1 });
  /** A record with a field for each phenomenon's column. */
  const byColumn = <Value>(valueOf: (phenomenon: Phenomenon) => Value) =>
    Object.fromEntries(phenomena.map((name) => [accuracyColumn(name), valueOf(name)]));
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      model: name("name of the model in the panel"),
      overall_accuracy: share("accuracy over all pairs, 0–1"),
      ...byColumn((phenomenon) => share(sentences[phenomenon] ?? `pairs of ${phenomenon}`)),
    },
    form: {
      read: ({ model, overall_accuracy, ...row }): ModelMetrics<Phenomenon> => ({
        model,
        overall: overall_accuracy,
        byPhenomenon: Object.fromEntries(
          phenomena.map((own) => [own, (row as Record<string, number>)[accuracyColumn(own)]]),
        ) as Record<Phenomenon, number>,
      }),
      write: ({ model, overall, byPhenomenon }) => ({
        model,
        overall_accuracy: overall,
        ...byColumn((phenomenon) => byPhenomenon[phenomenon]),
      }),
    },
    key: ["model"],
  });
}
