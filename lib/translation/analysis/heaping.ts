import type { RunConfig } from "../run_config.ts";
import { shareEstimate } from "./estimate.ts";
import { ratedOnly } from "./item_scores.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, HeapingShare } from "./results.ts";

/**
 * How often scores are round or at an end of the scale. Round ones stand beside the share of such
 * scores on the scale, which scores spread evenly over it would have: of 0 … 100, 21 in 101 are
 * multiples of 5, 11 in 101 multiples of 10. ESA's raters gave multiples of 5 in 30–40 % of cases.
 */
export function heaping(
  ratings: readonly SystemRating[],
  config: RunConfig,
  options: AnalysisOptions,
): readonly HeapingShare[] {
  const { daMin, daMax, integerOnly } = config;
  const kinds: readonly (readonly [HeapingShare["name"], (da: number) => boolean])[] = [
    ["multiples of 5", (da) => da % 5 === 0],
    ["multiples of 10", (da) => da % 10 === 0],
    ["lowest score", (da) => da === daMin],
    ["highest score", (da) => da === daMax],
  ];
  return kinds.map(([name, holds]) => {
    const values = ratedOnly(ratings)
      .map(({ segment, document, da }) => ({ segment, document, value: holds(da) }));
    return {
      name,
      share: shareEstimate("heaping", values, options),
      chance: integerOnly && name.startsWith("multiples")
        ? shareOfScale(daMin, daMax, holds)
        : undefined,
    };
  });
}

function shareOfScale(daMin: number, daMax: number, holds: (da: number) => boolean): number {
  const scale = Array.from({ length: daMax - daMin + 1 }, (_, index) => daMin + index);
  return scale.filter(holds).length / scale.length;
}
