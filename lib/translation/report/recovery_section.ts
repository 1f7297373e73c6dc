import { formatCsv } from "../../files/csv.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import type { ScatterPoint } from "../../figures/scatter_chart.ts";
import { type Correlation, kendallTauB } from "../../stats/rank_correlation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { SystemComparison } from "../analysis/results.ts";
import { QUALITY_BY_DEGRADATION } from "../simulation/quality.ts";
import { coverage, type PlantedEffect } from "../simulation/recovery.ts";
import { longRow, tidy } from "./long_rows.ts";
import { shown, shownNumber } from "./shown.ts";

const COLUMNS = ["rater", "effect", "planted", "found", "low", "high", "covered"] as const;

/** `planted_effects.csv`. */
export function plantedEffectsCsv(effects: readonly PlantedEffect[]): string {
  return formatCsv(
    COLUMNS,
    effects.map((row) => {
      const { rater, effect, planted, found } = row;
      const { estimate, low, high } = longRow(found);
      const covered = isCovered(row);
      return { rater, effect, planted: tidy(planted), found: estimate, low, high, covered };
    }),
  );
}

function isCovered(effect: PlantedEffect): boolean {
  return coverage([effect]).covered === 1;
}

/** What was planted beside what was found. */
export function plantedTable(effects: readonly PlantedEffect[]): string {
  return markdownTable(
    ["rater", "effect", "planted", "found", "interval holds it"],
    effects.map((effect) => {
      const digits = effect.effect.startsWith("share") || effect.effect.includes("row") ? 2 : 1;
      return [
        effect.rater,
        effect.effect,
        shownNumber(effect.planted, digits),
        shown(effect.found, digits),
        isCovered(effect) ? "yes" : "no",
      ];
    }),
  );
}

/** How many intervals hold what was planted, in a sentence. */
export function coverageSentence(effects: readonly PlantedEffect[]): string {
  const { covered, of } = coverage(effects);
  return `${covered} of ${of} intervals hold the planted value.`;
}

/** A system of the demo with its planted quality and its mean score, both in points. */
export interface PlantedQuality {
  readonly system: string;
  readonly degradation: string;
  readonly planted: number;
  readonly found: number;
}

/** Every system that has a mean score, best first. */
export function plantedQualities(
  { systems }: SystemComparison,
  degradationOf: ReadonlyMap<string, string>,
): readonly PlantedQuality[] {
  return systems.flatMap(({ system, meanDa }) => {
    const degradation = degradationOf.get(system) ?? "";
    const planted = QUALITY_BY_DEGRADATION[degradation];
    return meanDa.kind === "interval" && planted !== undefined
      ? [{ system, degradation, planted, found: meanDa.estimate }]
      : [];
  });
}

/** Points of a scatter chart, planted quality by mean score. */
export function qualityPoints(qualities: readonly PlantedQuality[]): readonly ScatterPoint[] {
  return qualities.map(({ degradation, planted, found }) => ({
    ...{ x: planted, y: found, label: degradation.replaceAll("_", " "), series: "system" },
  }));
}

/** How far the order that was found is the order that was planted, in a sentence. */
export function orderSentence(qualities: readonly PlantedQuality[]): string {
  return `Kendall's τ-b of planted quality and mean score over ${qualities.length} systems: ` +
    `${shown(orderFound(qualities), 2)}.`;
}

/** Kendall's τ-b of planted quality and mean score. */
export function orderFound(qualities: readonly PlantedQuality[]): Correlation | Unavailable {
  return kendallTauB(
    qualities.map(({ planted }) => planted),
    qualities.map(({ found }) => found),
  );
}
