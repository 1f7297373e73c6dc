import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { type ConfusionTable, confusionTable, type Outcome } from "./classification.ts";

/** An outcome and the response (source, country, question) that it shares its luck with. */
export interface ClusteredOutcome<Label extends string> extends Outcome<Label> {
  readonly cluster: string;
}

/** 95 % from 2,000 resamples, as elsewhere in the house. */
const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };

/**
 * Interval of a measure of a confusion table, by resampling whole responses: the claims of one
 * response are not independent.
 */
export function classificationInterval<Label extends string>(
  labels: readonly Label[],
  outcomes: readonly ClusteredOutcome<Label>[],
  measure: (table: ConfusionTable<Label>) => number | Unavailable,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return clusterBootstrap({
    items: outcomes.map((outcome) => ({ cluster: outcome.cluster, value: outcome })),
    statistic: (drawn) => {
      const value = measure(confusionTable(labels, drawn));
      return typeof value === "number" ? value : undefined;
    },
    ...BOOTSTRAP,
    random,
  });
}
