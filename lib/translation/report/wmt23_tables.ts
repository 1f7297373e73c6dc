import type { MeasuredRow } from "../../figures/measured_rows.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import { shownInterval, shownNumber } from "./shown.ts";
import { type Wmt23, WMT23_MEASURES, type Wmt23System } from "./wmt23.ts";

/** A row a system, a column a measure: mean with its interval, and the rank in brackets. */
export function wmt23Table({ systems }: Wmt23): string {
  const measures = Object.values(WMT23_MEASURES);
  const byName = Map.groupBy(systems, ({ system }) => system);
  const cell = (own: readonly Wmt23System[], measure: string) => {
    const found = own.find((row) => row.measure === measure);
    if (found === undefined) return undefined;
    const { mean, low, high, rank } = found;
    return `${shownInterval({ estimate: mean, low, high })} (${rank})`;
  };
  return markdownTable(
    ["system", ...measures],
    [...byName].map(([system, own]) => [system, ...measures.map((measure) => cell(own, measure))]),
  );
}

/** τ-b of every two measures as rows of a forest plot. */
export function agreementRows({ agreements }: Wmt23): readonly MeasuredRow[] {
  return agreements.map(({ first, second, tauB, low, high }) => ({
    label: `${first}, ${second}`,
    measure: { kind: "interval", estimate: tauB, low, high },
  }));
}

/** The same as a table, with the share of pairs in the same order and the distance from two rounds. */
export function agreementTable({ agreements }: Wmt23): string {
  return markdownTable(
    ["measures", "τ-b", "pairs of systems in the same order (%)", "τ-b less that of ESA-1, ESA-2"],
    agreements.map(({ first, second, tauB, low, high, pairwiseAccuracy, difference }) => [
      `${first}, ${second}`,
      shownInterval({ estimate: tauB, low, high }, 2),
      shownNumber(100 * pairwiseAccuracy),
      difference && shownInterval(difference, 2),
    ]),
  );
}

/** How many pairs of systems each measure tells apart, and the clusters that they make. */
export function apartTable({ systems, pairs }: Wmt23): string {
  return markdownTable(
    ["measure", "pairs", "told apart, Holm", "clusters", "told apart, unadjusted", "clusters"],
    Object.values(WMT23_MEASURES).map((measure) => {
      const own = pairs.filter((pair) => pair.measure === measure);
      const ranked = systems.filter((system) => system.measure === measure);
      return [
        measure,
        own.length,
        own.filter(({ different }) => different).length,
        Math.max(...ranked.map(({ cluster }) => cluster)),
        own.filter(({ p }) => p <= 0.05).length,
        Math.max(...ranked.map(({ clusterUnadjusted }) => clusterUnadjusted)),
      ];
    }),
  );
}
