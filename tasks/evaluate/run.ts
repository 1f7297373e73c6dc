/** What `deno task evaluate` does: says what it will take, asks and scores, says where the panel stands. */
import {
  type OnnxEntry,
  type OnnxOptions,
  openOnnxMaskedModel,
} from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModels } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { LanguageModel } from "../../lib/models/model.ts";
import type { Panel } from "../../lib/models/panel.ts";
import { readAnswers } from "../../lib/pairs/answers.ts";
import {
  evaluatePanel,
  isPending,
  pendingWork,
  scoreModels,
  unscoredPairs,
} from "../../lib/pairs/evaluate.ts";
import {
  bothOrders,
  firstPairs,
  isAsked,
  type OrderDesign,
  type OrderPlan,
  orderPlan,
} from "../../lib/pairs/forced_choice.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { likelihoodPanel } from "../../lib/pairs/panels.ts";
import { hostedEstimates, hostedStatus } from "../../lib/pairs/status.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";
import {
  closedMessages,
  DESIGN_WORDS,
  estimateTable,
  hostedStatusTable,
  withdrawnModels,
  workTable,
} from "../../lib/pairs/tables.ts";
import { EXIT } from "../command.ts";
import type { PairSet } from "../studies.ts";

/** What is asked of whom. */
export interface EvaluateOptions {
  readonly orders: OrderDesign;
  /** Only these models; all of the panel where left out. */
  readonly models?: readonly string[] | undefined;
  /** Only so many pairs, of each phenomenon in turn; all where left out. */
  readonly limit?: number | undefined;
  /** Texts and questions at work at once with a model of this machine; as many as cores, but 4. */
  readonly threads?: number | undefined;
  /** Only say what it will take. */
  readonly estimate?: boolean;
}

/** Where a run reads and writes; tests have their own. */
export interface Surroundings {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  /** What is scored when the questions are asked, by the panel as it was chosen or by others. */
  readonly beside?: (panel: Panel) => readonly Scoring[];
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Pairs that are scored without a question: by those models of a panel that can, or by others. */
type Scoring =
  & PairSet
  & ({ readonly panel: Panel } | { readonly models: readonly LanguageModel[] });

const INCOMPLETE = "Incomplete; everything so far is kept. Run the same command again to go on.";

/** Estimates, asks, and says where the panel stands; gives the exit code. */
export async function runEvaluation(
  options: EvaluateOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { study, pairs, signal, print } = surroundings;
  const panel = chosen(surroundings.panel, options);
  const orders = questionsOf(study, pairs, options);
  const asked = pairs.filter(isAsked(orders)).length;
  print(
    `Panel ${panel.name}: ${panel.models.length} of ${surroundings.panel.models.length} models, ` +
      `${asked} of ${pairs.length} pairs, ${DESIGN_WORDS[options.orders]}`,
  );
  const on = readAnswers(study, pairs);
  const pending = pendingWork(study, pairs, panel, { orders, on });
  const estimates = hostedEstimates(study, pairs, panel, { orders, on });
  if (estimates.length > 0) print(`\n${estimateTable(estimates)}\n`);
  const ending = withdrawnModels(panel.models).join(" and ");
  if (ending !== "") {
    print(`Groq has announced the end of ${ending}; data/panels/groq.yaml says what to do`);
  }
  for (const { entry, answers, likelihoods } of pending) {
    const own = entry.kind === "gguf";
    const scored = `likelihoods of ${likelihoods} pairs`;
    const parts = listed([own && answers, `${answers} questions`], [likelihoods, scored]);
    if (parts) print(`${entry.id}: ${parts}, ${own ? "on this machine" : "from its server"}`);
  }
  const beside = surroundings.beside?.(panel) ?? [];
  const { limit, threads } = options;
  const scoring = { ...surroundings, limit, threads };
  for (const { model, count, name } of unscored(beside, options.limit)) {
    print(`${model}: likelihoods of ${count} pairs of ${name}`);
  }
  if (options.estimate) return EXIT.done;
  // What to do for a key, where no model that has work left can be asked.
  const standing = hostedStatus(study, pairs, panel, { orders, on });
  const closed = new Set(standing.filter(({ closed }) => closed).map(({ entry }) => entry.id));
  const working = pending.filter(isPending);
  if (working.length > 0 && working.every(({ entry }) => closed.has(entry.id))) {
    // What no panel is needed for needs no key either.
    await scoreAll(beside.filter((own) => !("panel" in own)), scoring);
    print(`Nothing is asked: ${closedMessages(standing)}`);
    return EXIT.failed;
  }
  const models = panel.models.map(({ id }) => id);
  // The whole panel, so that models chosen are asked like those that are not.
  const how = { models, orders, signal, threads };
  const done = await evaluatePanel(study, pairs, surroundings.panel, how);
  print(`\n${workTable(done)}`);
  const now = readAnswers(study, pairs);
  const status = hostedStatus(study, pairs, panel, { orders, done, on: now });
  if (status.length > 0) print(`\n${hostedStatusTable(status)}`);
  const isAnswered = !pendingWork(study, pairs, panel, { orders, on: now }).some(isPending);
  const isComplete = await scoreAll(beside, scoring) && isAnswered;
  print(`\n${isComplete ? completeWords(options, surroundings) : INCOMPLETE}`);
  return isComplete ? EXIT.done : EXIT.incomplete;
}

/** The words whose count is not 0, joined. */
const listed = (...parts: readonly (readonly [count: number | false, words: string])[]) =>
  parts.filter(([count]) => count).map(([, words]) => words).join(" and ");

/** The panel with the models chosen. Throws RangeError for one that it does not have. */
function chosen(panel: Panel, { models: names }: EvaluateOptions): Panel {
  const ids = panel.models.map(({ id }) => id);
  const unknown = names?.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot ask ${unknown}: the panel ${panel.name} has ${ids.join(", ")}.`);
  }
  return { ...panel, models: panel.models.filter(({ id }) => names?.includes(id) ?? true) };
}

/** The questions of a run. */
export function questionsOf(
  { orderSeed }: PairStudy,
  pairs: readonly MinimalPair[],
  { orders: design, limit }: EvaluateOptions,
): OrderPlan {
  const plan = orderPlan(design, pairs, orderSeed);
  return limit === undefined ? plan : firstPairs(plan, pairs, limit);
}

/** What to do when all that was asked for is answered; some models or pairs are not the panel. */
function completeWords(
  { orders: design }: EvaluateOptions,
  { study, pairs, panel, beside }: Surroundings,
): string {
  const orders = orderPlan(design, pairs, study.orderSeed);
  const left = pendingWork(study, pairs, panel, { orders }).filter(isPending);
  const lacks = left.map(({ entry, answers, likelihoods }) => {
    const scored = `${likelihoods} pairs of likelihoods`;
    return `${entry.id} lacks ${listed([answers, `${answers} answers`], [likelihoods, scored])}`;
  });
  const lacksBeside = unscored(beside?.(panel) ?? []).map(({ model, count, name }) =>
    `${model} lacks likelihoods of ${count} pairs of ${name}`
  );
  const all = [...lacks, ...lacksBeside];
  if (all.length === 0) return `Complete. Now: ${study.commands.compute}`;
  return `Complete for these questions. Of the panel ${panel.name} (${DESIGN_WORDS[design]}) ` +
    `${all.join(", ")}: without --models and --limit they are asked too.`;
}

interface ScoringOptions {
  /** Only so many pairs of each set, of each phenomenon in turn; all where left out. */
  readonly limit?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Scores what is missing, set by set, and prints it; gives whether nothing of it is left. */
async function scoreAll(
  scorings: readonly Scoring[],
  { limit, signal, threads, print }: ScoringOptions,
): Promise<boolean> {
  for (const scoring of scorings) {
    const { study, pairs } = scoring;
    const orders = planOf(scoring, limit);
    const done = "panel" in scoring
      ? await evaluatePanel(study, pairs, likelihoodPanel(scoring.panel), {
        orders,
        signal,
        threads,
      })
      : await scoreModels(study, pairs, scoring.models, { wanted: isAsked(orders), signal });
    if (done.length > 0) print(`\nLikelihoods of ${study.name}:\n\n${workTable(done)}`);
  }
  return unscored(scorings, limit).length === 0;
}

/** The models that have not scored all of a set, with the number of pairs and the set's name. */
function unscored(scorings: readonly Scoring[], limit?: number) {
  return scorings.flatMap((scoring) => {
    const { study, pairs } = scoring;
    const orders = planOf(scoring, limit);
    const left = "panel" in scoring
      ? pendingWork(study, pairs, likelihoodPanel(scoring.panel), { orders })
        .map(({ entry, likelihoods }) => [entry.id, likelihoods] as const)
      : [...unscoredPairs(study, pairs, scoring.models.map(({ name }) => name), {
        wanted: isAsked(orders),
      })];
    return left.filter(([, count]) => count > 0)
      .map(([model, count]) => ({ model, count, name: study.name }));
  });
}

const planOf = ({ pairs }: PairSet, limit: number | undefined) =>
  limit === undefined ? bothOrders : firstPairs(bothOrders, pairs, limit);

/**
 * Scores sets of pairs with a masked model from a folder, opened once, in every variant of
 * pseudo-likelihood; says where it stands and gives whether nothing is left. Its rows stand beside
 * those of the panels as `ID:pll_original` and `ID:pll_within_word_l2r`.
 */
export async function scoreWithOnnx(
  entry: OnnxEntry,
  sets: readonly PairSet[],
  options: ScoringOptions & OnnxOptions,
  open: typeof openOnnxMaskedModel = openOnnxMaskedModel,
): Promise<boolean> {
  await using model = await open(entry, options);
  const models = pseudoLikelihoodModels(model);
  const scorings = sets.map((set) => ({ ...set, models }));
  if (!await scoreAll(scorings, options)) {
    options.print(`\n${INCOMPLETE}`);
    return false;
  }
  // A limit leaves pairs over.
  const left = unscored(scorings)
    .map(({ model, count, name }) => `${model} lacks ${count} of ${name}`).join(", ");
  const names = sets.map(({ study, pairs }) => `${pairs.length} pairs of ${study.name}`).join(", ");
  const words = left === ""
    ? `: ${names}. Now: ${sets[0]?.study.commands.compute}`
    : ` for these pairs. ${left}: without --limit they are scored too.`;
  options.print(`\nComplete${words}`);
  return true;
}
