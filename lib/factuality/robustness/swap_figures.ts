import type { ConsistencyFigure } from "./consistency_figure.ts";
import { beyondControls, SWAP_THRESHOLD, swapSummaries } from "./swap_analysis.ts";
import type { SwapRow } from "./swap_rows.ts";

/** The report's rows on swaps: how far scores move, by component and by what was changed. */
export function swapFigures(rows: readonly SwapRow[]): readonly ConsistencyFigure[] {
  const moved = swapSummaries(rows).flatMap((one): readonly ConsistencyFigure[] => {
    const common = { component: one.component, group: one.change, n: one.portraits };
    return [
      { ...common, measure: "mean absolute difference (points)", value: one.meanAbsolute },
      {
        ...common,
        measure: `pairs over ${SWAP_THRESHOLD} points (share)`,
        value: one.inconsistent,
      },
    ];
  });
  const beyond = beyondControls(rows).map(({ component, trait, control, difference }) => ({
    ...{ component, group: trait, n: "clusters" in difference ? difference.clusters : 0 },
    measure: `mean absolute difference beyond the control “${control}” (points)`,
    value: difference,
  }));
  return [...moved, ...beyond];
}
