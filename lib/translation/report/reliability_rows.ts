import { formatCsv } from "../../files/csv.ts";
import type { InterRater, RaterReliability } from "../analysis/results.ts";
import type { PermutationTest } from "../../stats/permutation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { inertText } from "../../files/inert_text.ts";
import type { Quartiles } from "../quartiles.ts";
import { type LongFigure, type LongRow, longRow } from "./long_rows.ts";

/** One figure of one rater, of two, or of all together. */
export interface ReliabilityRow extends LongRow {
  /** A rater's name, `first vs second`, or `(all)`. */
  readonly rater: string;
  readonly measure: string;
}

const COLUMNS = ["rater", "measure", "estimate", "low", "high", "n", "unavailable"] as const;

/** Everything that `reliability.csv` says of raters, one by one and together. */
export function reliabilityRows(
  raters: readonly RaterReliability[],
  together: InterRater,
): readonly ReliabilityRow[] {
  return [...raters.flatMap(rowsOfRater), ...rowsTogether(together)];
}

/** `reliability.csv`. */
export function reliabilityCsv(rows: readonly ReliabilityRow[]): string {
  return formatCsv(COLUMNS, rows.map((row) => ({ ...row, rater: inertText(row.rater) })));
}

function rowsOfRater(one: RaterReliability): readonly ReliabilityRow[] {
  const { rater, bucketAndScore, position, repeats, attention, time, drift } = one;
  const kappa = repeats.kappa.kind === "kappa"
    ? { value: repeats.kappa.kappa, n: repeats.kappa.n }
    : repeats.kappa;
  const figures: readonly (readonly [string, LongFigure])[] = [
    ["mean_da", one.meanDa],
    ["bucket_score_spearman", bucketAndScore.spearman],
    ["bucket_score_kendall", bucketAndScore.kendall],
    ["bucket_score_eta_squared", bucketAndScore.etaSquared],
    ...one.heaping.map(({ name, share }) => [`share_${name.replaceAll(" ", "_")}`, share] as const),
    ...position.positions.map(({ position: row, deviation }) =>
      [`deviation_at_row_${row}`, deviation] as const
    ),
    ["position_slope", position.slope],
    ["position_slope_p", testRow(position.slopeTest)],
    ["position_spread_p", testRow(position.spreadTest)],
    ["repeat_mean_absolute_difference", repeats.meanAbsoluteDifference],
    ["repeat_pearson", repeats.pearson],
    ["repeat_spearman", repeats.spearman],
    ["repeat_same_bucket", repeats.sameBucket],
    ["repeat_weighted_kappa", kappa],
    ["attention_passed", attention.passed],
    ["active_seconds_median", quartilesRow(time.activeSeconds)],
    ["wall_clock_seconds_median", quartilesRow(time.wallClockSeconds)],
    ["drift_da_per_ten_items", drift.da],
    ["drift_seconds_per_ten_items", drift.seconds],
  ];
  return figures.map(([measure, figure]) => ({ rater, measure, ...longRow(figure) }));
}

function testRow(test: PermutationTest | Unavailable): LongFigure {
  return test.kind === "test" ? { value: test.p, n: test.n } : test;
}

/** Median, with the quartiles where an interval would stand. */
function quartilesRow(quartiles: Quartiles | Unavailable): LongFigure {
  if (quartiles.kind === "unavailable") return quartiles;
  const { median, lowerQuartile, upperQuartile, n } = quartiles;
  const [low, high] = [lowerQuartile, upperQuartile];
  return { kind: "interval", estimate: median, low, high, confidence: 0.5, n };
}

function rowsTogether({ alphaDa, alphaZ, alphaBucket, pairs }: InterRater) {
  const alphas = { alpha_da: alphaDa, alpha_z: alphaZ, alpha_bucket: alphaBucket };
  return [
    ...Object.entries(alphas).map(([measure, alpha]) => ({
      rater: "(all)",
      measure,
      ...longRow(alpha),
    })),
    ...pairs.flatMap(({ first, second, spearman, beyondSystems, systemRanking }) => {
      const rater = `${first} vs ${second}`;
      return [
        { rater, measure: "score_spearman", ...longRow(spearman) },
        { rater, measure: "score_correlation_beyond_systems", ...longRow(beyondSystems) },
        { rater, measure: "system_ranking_tau_b", ...longRow(systemRanking) },
      ];
    }),
  ];
}
