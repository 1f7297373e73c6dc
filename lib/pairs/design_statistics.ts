import { minimumDetectableEffect } from "../stats/power.ts";
import { DESIGN, type Statistic } from "./statistics_row.ts";

/** Pairs of which the design's power is stated: all, or those of a phenomenon. */
export interface DesignGroup {
  readonly phenomenon: string;
  readonly items: readonly { readonly lemma: string }[];
}

/**
 * The smallest accuracy that one judgement per pair would tell from guessing: once with every pair
 * a trial of its own, once with every lemma one. The truth lies between.
 */
export function designStatistics(group: DesignGroup): readonly Statistic[] {
  const { phenomenon, items } = group;
  const n = items.length;
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const place = { model: DESIGN, phenomenon, n, clusters };
  const row = (measure: string, trials: number, meaning: string): Statistic => {
    const found = trials === 0
      ? { kind: "unavailable" as const, reason: "no pairs" }
      : minimumDetectableEffect({ n: trials });
    if (found.kind === "unavailable") {
      return { ...place, measure, value: { kind: "unavailable" }, method: found.reason };
    }
    const method = "smallest accuracy told from guessing, exact binomial, two-sided 0.05, " +
      `power 0.8; ${meaning}`;
    return { ...place, measure, value: { kind: "point", estimate: found.accuracy }, method };
  };
  return [
    row("minimum_detectable_accuracy", n, "pairs taken as independent"),
    row("minimum_detectable_accuracy_by_lemma", clusters, "pairs of a lemma taken as one trial"),
  ];
}
