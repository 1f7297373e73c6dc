import { markdownTable } from "../../figures/markdown_table.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { HeapingShare, InterRater, RaterReliability } from "../analysis/results.ts";
import type { Quartiles } from "../quartiles.ts";
import { shown, shownNumber, shownP, shownPercent } from "./shown.ts";

/** How every rater's buckets and scores go together, and how the rater uses the scale. */
export function scaleTable(raters: readonly RaterReliability[]): string {
  return markdownTable(
    ["rater", "items", "mean score", "bucket and score: ρ within an item", "η²"],
    raters.map(({ rater, items, meanDa, bucketAndScore }) => [
      rater,
      items,
      shown(meanDa),
      shown(bucketAndScore.spearman, 2),
      shown(bucketAndScore.etaSquared, 2),
    ]),
  );
}

/** Round scores by rater, in per cent. */
export function heapingTable(
  raters: readonly Pick<RaterReliability, "rater" | "heaping">[],
): string {
  const kinds = raters[0]?.heaping ?? [];
  const table = markdownTable(
    ["rater", ...kinds.map(({ name }) => name)],
    [
      ["chance", ...kinds.map(({ chance }) => chance && shownNumber(100 * chance))],
      ...raters.map(({ rater, heaping }) => [
        rater,
        ...heaping.map(({ share }) => `${shownPercent(share)}${isThroughout(share) ? " †" : ""}`),
      ]),
    ],
  );
  const isMarked = raters.some(({ heaping }) => heaping.some(({ share }) => isThroughout(share)));
  return isMarked ? `${table}\n\n${THROUGHOUT}` : table;
}

/** Never or always: the interval is by another method there, which the table must say. */
function isThroughout(share: HeapingShare["share"]): boolean {
  return share.kind === "interval" && (share.estimate === 0 || share.estimate === 1);
}

const THROUGHOUT =
  "† Resampling cannot say how sure a share of 0 or 100 % is, for every resample has the same: here " +
  "the interval is Wilson's with items as trials, which is wider than one next to it by resampling " +
  "and does not compare with it.";

/** Points per row of the screen, and whether more than chance would give. */
export function positionTable(raters: readonly RaterReliability[]): string {
  return markdownTable(
    ["rater", "points per row", "p of the slope", "p of any pattern"],
    raters.map(({ rater, position: { slope, slopeTest, spreadTest } }) => [
      rater,
      shown(slope, 2),
      slopeTest.kind === "test" ? shownP(slopeTest.p) : shown(slopeTest),
      spreadTest.kind === "test" ? shownP(spreadTest.p) : shown(spreadTest),
    ]),
  );
}

/** A rater against itself: repeats and attention checks. */
export function consistencyTable(raters: readonly RaterReliability[]): string {
  return markdownTable(
    [
      "rater",
      "rated twice",
      "mean difference",
      "ρ",
      "same bucket (%)",
      "weighted κ",
      "checks passed",
    ],
    raters.map(({ rater, repeats, attention: { checks } }) => [
      rater,
      `${repeats.pairs} in ${repeats.items} items`,
      shown(repeats.meanAbsoluteDifference),
      shown(repeats.spearman, 2),
      shownPercent(repeats.sameBucket),
      shown(repeats.kappa, 2),
      `${checks.filter(({ passed }) => passed).length} of ${checks.length}`,
    ]),
  );
}

/** All raters together: Krippendorff's α. */
export function alphaTable({ alphaDa, alphaZ, alphaBucket, items, raters }: InterRater): string {
  return markdownTable(
    ["Krippendorff's α", "estimate", "items", "raters"],
    [
      ["scores (interval)", shown(alphaDa, 2), items, raters.length],
      ["scores standardised per rater (interval)", shown(alphaZ, 2), items, raters.length],
      ["buckets (ordinal)", shown(alphaBucket, 2), items, raters.length],
    ],
  );
}

/** Every two raters: their scores, and the orders of systems that these give; of one, a sentence. */
export function raterPairTable({ pairs }: Pick<InterRater, "pairs">): string {
  if (pairs.length === 0) return "One rater: there is nobody to compare with.";
  return markdownTable(
    ["raters", "items", "ρ of scores", "r beyond item and system", "τ-b of system rankings"],
    pairs.map(({ first, second, items, spearman, beyondSystems, systemRanking }) => [
      `${first}, ${second}`,
      items,
      shown(spearman, 2),
      shown(beyondSystems, 2),
      shown(systemRanking, 2),
    ]),
  );
}

/** Seconds an item, and what changes over the session. */
export function timeTable(raters: readonly RaterReliability[]): string {
  const headings = [
    "active seconds",
    "wall clock",
    "seconds per ten items",
    "points per ten items",
  ];
  return markdownTable(
    ["rater", ...headings],
    raters.map(({ rater, time, drift }) => [
      rater,
      shownQuartiles(time.activeSeconds),
      shownQuartiles(time.wallClockSeconds),
      shown(drift.seconds),
      shown(drift.da),
    ]),
  );
}

function shownQuartiles(quartiles: Quartiles | Unavailable): string {
  if (quartiles.kind === "unavailable") return shown(quartiles);
  const { median, lowerQuartile, upperQuartile } = quartiles;
  return `${shownNumber(median)} (${shownNumber(lowerQuartile)}–${shownNumber(upperQuartile)})`;
}
