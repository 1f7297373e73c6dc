/**
 * Collects data for a study's figures.
 * @module
 */
import type { MeasuredRow } from "../figures/rows.ts";
import type { ScatterPoint } from "../figures/scatter.ts";
import { tally } from "../figures/table.ts";
import { unavailable } from "../stats/agreement.ts";
import { beyondChance, type Measure } from "../stats/measure.ts";
import { modelLabel } from "../models/masked/pseudo_likelihood.ts";
import { hostedEntries } from "../models/panel.ts";
import { type Answers, readAnswers, type Response } from "./answers.ts";
import { type Artefact, artefactMeasure, baselineLabel } from "./artefacts.ts";
import { RANDOM } from "../models/baselines.ts";
import { ALL, isConstructed, lookUp, type Statistic } from "./clustered.ts";
import { ORDERS } from "./forced_choice.ts";
import { preference } from "./measures.ts";
import { aroundChange, type MinimalPair, type Rejection } from "./pair.ts";
import { type CompletePanel, completePanels, countedResponses, studyPanels } from "./panels.ts";
import type { PairStudy } from "./study.ts";
import { DESIGN_WORDS, type GroupNames, labelledModels } from "./tables.ts";

/**
 * Returns the panels' results: counts of complete ones, and progress of hosted models. @throws
 * {RangeError} where no panel is complete; {Error} where answers are to other pairs.
 */
export function panelResults(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { responses, likelihoods }: Answers = readAnswers(study, pairs),
) {
  const all = studyPanels(study, pairs, responses);
  const panels = completePanels(study, all);
  return {
    /** Complete panels. */
    panels,
    models: panels.flatMap(({ models }) => models) as readonly string[],
    responses: countedResponses(responses, panels),
    likelihoods,
    /** Models without complete choices, with their numbers of missing answers. */
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    /** Progress of hosted models: answers, of all questions in both orders. */
    hosted: hostedEntries(all.flatMap(({ panel }) => panel.models)).map((entry) => {
      const answered = responses.filter(({ model }) => model === entry.id).length;
      return { entry, answered, questions: ORDERS.length * pairs.length };
    }),
  };
}

type PanelResults = ReturnType<typeof panelResults>;

/** Returns models with likelihoods. */
export function scoredModels(
  { models, likelihoods }: Pick<PanelResults, "models" | "likelihoods">,
): readonly string[] {
  return models.filter((name) => likelihoods.some(({ model }) => model === name));
}

/** Scoring rules of a log-probability: name in figures, and name of the accuracy. */
export const READOUTS: Readonly<Record<string, string>> = {
  total: "likelihood_accuracy_total",
  "per token": "likelihood_accuracy_per_token",
  "per byte": "likelihood_accuracy_per_byte",
};

interface AccuracySources {
  readonly panels: readonly CompletePanel[];
  readonly statistics: readonly Statistic[];
  /** Masked models, scored by pseudo-likelihood only; none by default. */
  readonly masked?: readonly string[];
  /** Scoring rules in words, with the names of their measures; {@link READOUTS} by default. */
  readonly readouts?: Readonly<Record<string, string>>;
}

/** Accuracy of a model by one scoring rule, or of a baseline, on one group of pairs. */
interface AccuracyRow extends MeasuredRow {
  readonly group: string;
  /** Number of answers or pairs. */
  readonly n: number;
  /** Paired difference from the best baseline's accuracy, −1 to 1. Unavailable for a baseline. */
  readonly lead: Measure;
}

const BASELINES = "Grammar-free baselines";

/**
 * Returns each model's accuracy on one group of pairs, by forced choice and each scoring rule.
 *
 * Grammar-free baselines follow in grey. By default values that are 50 % by construction are left
 * out; the random baseline always is.
 */
export function accuracyRows(
  { statistics, panels, artefacts, masked = [], readouts = READOUTS, of = ALL, constant = false }:
    & AccuracySources
    & {
      readonly artefacts: readonly Artefact[];
      /** Name of the group; all pairs by default. */
      readonly of?: string;
      /** True to include values that are 50 % by construction. */
      readonly constant?: boolean;
    },
): readonly AccuracyRow[] {
  const found = lookUp(statistics);
  const models = [
    ...labelledModels(panels).map(({ panel: { design }, ...named }) => {
      const choice = design === "both" ? "forced choice" : `choice, ${DESIGN_WORDS[design]}`;
      return { ...named, rules: { [choice]: "accuracy", ...readouts } };
    }),
    ...masked.map((model) => ({ model, label: modelLabel(model), rules: readouts })),
  ];
  const judged = models.flatMap(({ model, label: group, rules }) =>
    Object.entries(rules).flatMap(([label, name]): readonly AccuracyRow[] => {
      const measure = found.measure(model, name, of);
      if (measure.kind === "unavailable") return [];
      const lead = found.measure(model, `${name}_less_best_rule`, of);
      return [{ group, label, measure, n: found.row(model, name, of).n, lead }];
    })
  );
  const baselines = artefacts.filter(({ phenomenon, baseline }) =>
    phenomenon === of && baseline !== RANDOM
  ).map(({ baseline, n }) => ({
    ...{ group: BASELINES, label: baselineLabel(baseline), n, muted: true },
    measure: artefactMeasure(artefacts, baseline, of),
    lead: unavailable("a baseline"),
  }));
  return [...judged, ...baselines].filter(({ measure }) => constant || !isConstructed(measure));
}

/**
 * Returns the best model's row, the best baseline's row, and their comparison.
 *
 * It is `better` or `worse` by the interval of the paired difference, or `level` if that includes
 * zero. Undefined without a model or a baseline.
 */
export function bestAgainstBaseline(rows: readonly AccuracyRow[]) {
  const [model, baseline] = [false, true].map((isBaseline) =>
    rows.flatMap(({ measure, ...row }) => {
      if (measure.kind === "unavailable" || (row.muted ?? false) !== isBaseline) return [];
      return [{ ...row, measure, estimate: measure.estimate }];
    }).toSorted((a, b) => b.estimate - a.estimate)[0]
  );
  if (model === undefined || baseline === undefined) return undefined;
  const { lead } = model;
  const isShown = lead.kind === "interval" && (lead.low > 0 || lead.high < 0);
  const verdict = isShown ? lead.estimate > 0 ? "better" : "worse" : "level";
  return { model, baseline, verdict } as const;
}

/**
 * Returns the cells of a heat map: model and scoring rule × group of pairs.
 *
 * `adjusted` has the cells that differ from 50 % after Holm's adjustment over all cells. Rows
 * without any measure are left out. @param readouts Scoring rules in words, with the names of their
 * measures.
 */
export function accuracyCells(
  { panels, statistics, readouts = READOUTS }: AccuracySources,
  groupNames: GroupNames,
) {
  const found = lookUp(statistics);
  const names = Object.keys(groupNames);
  const rows = labelledModels(panels).flatMap(({ model, label: group }) =>
    Object.entries(readouts).flatMap(([label, measure]) => {
      const cells = names.map((name) => found.measure(model, measure, name));
      if (cells.every(({ kind }) => kind === "unavailable")) return [];
      return [{ label, group, cells }];
    })
  );
  const cells = rows.map(({ cells }) => cells);
  const beyond = beyondChance(cells.flat(), 0.5, [0, 1]);
  return {
    rows: rows.map(({ label }) => label),
    groups: rows.map(({ group }) => group),
    columns: Object.values(groupNames),
    cells,
    beyond,
    /** Cells above or below 50 % after adjustment. */
    adjusted: beyond.aboveAdjusted.union(beyond.belowAdjusted),
  };
}

/**
 * Returns points of a scatter chart: each model's accuracy by one scoring rule on two groups of
 * pairs.
 */
export function accuracyPoints(
  { panels, statistics, readouts = READOUTS }: AccuracySources,
  groups: Readonly<Record<"x" | "y", string>>,
) {
  const found = lookUp(statistics);
  return labelledModels(panels).flatMap(({ model, label: series }) =>
    Object.entries(readouts).flatMap(([label, measure]): readonly ScatterPoint[] => {
      const [x, y] = [groups.x, groups.y].map((group) => found.measure(model, measure, group));
      if (x!.kind === "unavailable" || y!.kind === "unavailable") return [];
      const place = { x: x!.estimate, y: y!.estimate, label, series };
      if (x!.kind !== "interval" || y!.kind !== "interval") return [place];
      return [{ ...place, intervals: { x: [x!.low, x!.high], y: [y!.low, y!.high] } as const }];
    })
  );
}

/** Counts each phenomenon's most frequent reasons for rejection. */
export function refusalRows(
  rejections: readonly Rejection[],
  phenomena: GroupNames,
  most: number,
  reasons: Readonly<Record<string, string>> = {},
) {
  const inWords = (reason: string) => reasons[reason] ?? reason.replaceAll("_", " ");
  const refused = rejections.filter(({ reason }) => reason !== "not_selected");
  return Object.entries(phenomena).flatMap(([phenomenon, group]) => {
    const own = refused.filter((rejection) => rejection.phenomenon === phenomenon);
    return tally(own.map(({ reason }) => inWords(reason))).slice(0, most)
      .map(([label, n]) => (
        { group, label, count: n, measure: { kind: "value" as const, estimate: n } }
      ));
  });
}

/** A model's error on a pair, with the scoring rule. */
interface PairError {
  readonly model: string;
  readonly by: "forced choice" | "total log-probability";
}

/** Returns models' errors on a pair: the variant chosen in every order, or scored higher. */
export function errorsOf(
  { models, responses, likelihoods }: Pick<PanelResults, "models" | "responses" | "likelihoods">,
  pairId: string,
): readonly PairError[] {
  return models.flatMap((model): readonly PairError[] => {
    const answers = responses.filter((own) => own.model === model && own.pairId === pairId);
    const row = likelihoods.find((own) => own.model === model && own.pairId === pairId);
    // An invalid answer is no choice of the wrong sentence.
    const isWrong = ({ correct, response }: Response) => !correct && response !== "INVALID";
    const chose = answers.length > 0 && answers.every(isWrong);
    const prefers = row && preference(row, "total") === "ungrammatical";
    return [
      ...(chose ? [{ model, by: "forced choice" } as const] : []),
      ...(prefers ? [{ model, by: "total log-probability" } as const] : []),
    ];
  });
}
/** Formats a list: `a`, `a and b`, `a, b and c`. */
export function listInWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Returns the grammatical sentence with the changed word in bold. */
export function emphasised(pair: MinimalPair): string {
  const { before, from, after } = aroundChange(pair);
  return `${before}**${from}**${after}`;
}
