import { z } from "zod";
import type { Unavailable } from "../../stats/agreement.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import * as metrics from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import { type Passage, VERDICT_LABELS } from "../types.ts";
import * as encoder from "../verifiers/cross_encoder.ts";
import { SCHEME_LABELS } from "../verifiers/head.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import { countedCases, type JudgedCase, measureVerdicts, type Reading } from "./measures.ts";
import type { Split } from "./splits.ts";
import type { FineTuningResult, LossRow } from "./tables.ts";

type Table = metrics.ConfusionTable<string>;

/** Precision and recall are of "supported". */
const MEASURES: Readonly<Record<string, (table: Table) => number | Unavailable>> = {
  "accuracy": metrics.accuracy,
  "balanced accuracy": metrics.balancedAccuracy,
  "precision": (table) => metrics.precision(table, "supported"),
  "recall": (table) => metrics.recall(table, "supported"),
};

const rounded = (value: number) => Number(value.toFixed(4)) + 0;

/** A figure as its row has it: with its interval, without one, or the reason why there is none. */
function bounds(value: number | BootstrapInterval | Unavailable) {
  const none = { estimate: "", low: "", high: "", note: "" } as const;
  if (typeof value === "number") return { ...none, estimate: rounded(value) };
  if (value.kind === "unavailable") return { ...none, note: value.reason };
  const { estimate, low, high } = value;
  return { estimate: rounded(estimate), low: rounded(low), high: rounded(high), note: "" };
}

/**
 * Accuracy, balanced accuracy, precision and recall of "supported" with 95 % intervals by cluster, then
 * calibration error and Brier score; unscored claims are counted in the first row's note.
 * @throws {RangeError} for a three-way reading of a set that knows two labels.
 */
export function networkResults(
  { model, set, reading }: {
    readonly model: string;
    readonly set: string;
    readonly reading: Reading;
  },
  cases: readonly JudgedCase[],
  random: RandomSource,
): readonly FineTuningResult[] {
  const outcomes = countedCases(cases, reading);
  const labels: readonly string[] = SCHEME_LABELS[reading];
  const { unscored, clusters, calibrationError, brier } = measureVerdicts(cases, reading, random);
  const common = { model, set, labels: reading, n: outcomes.length, clusters };
  const [first, ...rest] = [
    ...Object.entries(MEASURES).map(([metric, measure]) =>
      [metric, classificationInterval(labels, outcomes, measure, random)] as const
    ),
    ["calibration error", calibrationError] as const,
    ["Brier score", brier] as const,
  ].map(([metric, value]) => ({ ...common, metric, ...bounds(value) }));
  const note = unscored === 0 ? first!.note : `${unscored} claims too long to be read are left out`;
  return [{ ...first!, note }, ...rest];
}

/** A line of what the training prints. */
export const LOG_ROW = z.union([
  z.object({ step: z.number(), steps: z.number(), loss: z.number() }),
  z.object({
    step: z.number(),
    development_loss: z.number(),
    development_accuracy: z.number(),
  }),
]);

export type LogRow = Readonly<z.infer<typeof LOG_ROW>>;

/** The rows of one training. @param log In the order in which it was printed. */
export const lossRows = (
  model: string,
  steps: number,
  log: readonly LogRow[],
): readonly LossRow[] =>
  log.map((row) => {
    const [split, loss, accuracy] = "loss" in row
      ? ["train", row.loss, ""] as const
      : ["development", row.development_loss, rounded(row.development_accuracy)] as const;
    return { model, step: row.step, steps, split, loss: rounded(loss), accuracy };
  });

/** What training reads: the network's own input, so that no tokeniser is needed a second time. */
export interface TrainingPair {
  readonly id: string;
  readonly split: Split;
  /** Place in `VERDICT_LABELS`. */
  readonly label: number;
  readonly ids: readonly number[];
}

/** What the network is shown of a source; `claims only` is the check for artefacts. */
export type Shown = "evidence and claim" | "claim only";

/** The passages that are shown. */
export const shownPassages = (passages: readonly Passage[], shown: Shown): readonly Passage[] =>
  shown === "claim only" ? [] : passages;

/** Cases as pairs of tokens, in order; claims that leave no room for evidence are left out. */
export function trainingPairs(
  cases: readonly KnowledgeCase[],
  { tokenise, frame, shown }: {
    readonly tokenise: encoder.Tokenise;
    readonly frame: encoder.PairFrame;
    readonly shown: Shown;
  },
): readonly TrainingPair[] {
  return cases.flatMap(({ id, split, label, claim, passages }): readonly TrainingPair[] => {
    const sentences = encoder.sourceSentences(shownPassages(passages, shown), tokenise);
    const pair = encoder.packPair(claim, sentences, tokenise, frame);
    if (pair === undefined) return [];
    return [{ id, split, label: VERDICT_LABELS.indexOf(label), ids: pair.ids }];
  });
}

/** One JSON object a line. */
export function formatTrainingPairs(pairs: readonly TrainingPair[]): string {
  return pairs.map((pair) => `${JSON.stringify(pair)}\n`).join("");
}
