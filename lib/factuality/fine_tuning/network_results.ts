import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import {
  accuracy,
  balancedAccuracy,
  type ConfusionTable,
  precision,
  recall,
} from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { type JudgedCase, measureVerdicts, type Reading } from "../training/measured_verdicts.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { mostProbable } from "../verifiers/verdict_parts.ts";
import type { FineTuningResult } from "./results_table.ts";

const SIDES: readonly string[] = ["supported", "not supported"];

type Measure = (table: ConfusionTable<string>) => number | Unavailable;

/** Precision and recall are of "supported". */
const MEASURES: Readonly<Record<string, Measure>> = {
  accuracy: accuracy,
  "balanced accuracy": balancedAccuracy,
  precision: (table) => precision(table, "supported"),
  recall: (table) => recall(table, "supported"),
};

type Bounds = Pick<FineTuningResult, "estimate" | "low" | "high" | "note">;

const rounded = (value: number) => Number(value.toFixed(4)) + 0;

function intervalBounds(value: BootstrapInterval | Unavailable): Bounds {
  if (value.kind === "unavailable") return { estimate: "", low: "", high: "", note: value.reason };
  const { estimate, low, high } = value;
  return { estimate: rounded(estimate), low: rounded(low), high: rounded(high), note: "" };
}

function pointBounds(value: number | Unavailable): Bounds {
  return typeof value === "number"
    ? { estimate: rounded(value), low: "", high: "", note: "" }
    : { estimate: "", low: "", high: "", note: value.reason };
}

function outcomeOf({ label, cluster, probabilities }: JudgedCase, reading: Reading) {
  if (reading === "three-way") {
    return { cluster, truth: label as string, predicted: mostProbable(probabilities!) as string };
  }
  const side = (supported: boolean) => SIDES[supported ? 0 : 1]!;
  return {
    cluster,
    truth: side(label === "supported"),
    predicted: side(probabilities!.supported >= 0.5),
  };
}

/**
 * Accuracy, balanced accuracy, precision and recall of "supported" with 95 % intervals by cluster, then
 * calibration error and Brier score; unscored claims are counted in the first row's note.
 *
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
  const scored = cases.filter(({ probabilities }) => probabilities !== undefined);
  const outcomes = scored.map((one) => outcomeOf(one, reading));
  const labels: readonly string[] = reading === "binary" ? SIDES : VERDICT_LABELS;
  const { unscored, clusters, calibrationError, brier } = measureVerdicts(cases, reading, random);
  const common = { model, set, labels: reading, n: scored.length, clusters };
  const intervals = Object.entries(MEASURES).map(([metric, measure]) => ({
    ...{ ...common, metric },
    ...intervalBounds(classificationInterval(labels, outcomes, measure, random)),
  }));
  const rows = [
    ...intervals,
    { ...common, metric: "calibration error", ...pointBounds(calibrationError) },
    { ...common, metric: "Brier score", ...pointBounds(brier) },
  ];
  const [first, ...rest] = rows;
  const note = unscored === 0 ? first!.note : `${unscored} claims too long to be read are left out`;
  return [{ ...first!, note }, ...rest];
}
