import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import type { Change, PlacedRating, Violation, Way } from "./violation.ts";
import { bucketLabel, listed, rowName } from "./wording.ts";

type Ordering = Extract<Violation, { readonly kind: "ordering" }>;

/**
 * The row out of place, the row it stands against and what to do, without a capital at the front:
 * `row 3 (Poor, 99) scores above row 8 (OK, 48): lower row 3 to 47 or less, or move it to Best.`
 */
export function describeOrdering(
  { higher, lower, repair, ways }: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const seen = ({ translation, bucket, da }: PlacedRating) =>
    `${rowName(translation, evaluation)} (${bucketLabel(bucket, config)}, ${da})`;
  const isTooLow = repair[0]?.translation === higher.translation;
  const [culprit, counterpart] = isTooLow ? [higher, lower] : [lower, higher];
  const relation = lower.da === higher.da
    ? "scores the same as"
    : isTooLow
    ? "scores below"
    : "scores above";
  const fault = `${seen(culprit)} ${relation} ${seen(counterpart)}`;
  return `${fault}: ${imperative(repair, ways, evaluation, config)}.`;
}

/** Where it takes several changes at once, one way is enough to read. */
function imperative(
  repair: readonly Change[],
  ways: readonly Way[],
  evaluation: Evaluation,
  config: RunConfig,
): string {
  if (repair.length === 0) return "rate these rows again";
  if (repair.length > 1) {
    const each = repair.map((change) =>
      describeWay({ change, scores: undefined }, rowName(change.translation, evaluation))
    );
    return listed(each, "and");
  }
  const parts = ways.map((way, index) => {
    const { translation } = way.change;
    const isSame = ways[index - 1]?.change.translation === translation;
    return describeWay(way, isSame ? "it" : rowName(translation, evaluation));
  });
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")}, or ${parts.at(-1)}`;

  function describeWay({ change, scores }: Way, row: string): string {
    if (change.kind === "bucket") return `move ${row} to ${bucketLabel(change.bucket, config)}`;
    const isRaised = change.da > Number(evaluation.ratings[change.translation]!.da);
    const verb = isRaised ? "raise" : "lower";
    if (!scores || scores.low === scores.high) return `${verb} ${row} to ${change.da}`;
    if (isRaised && scores.high === config.daMax) return `${verb} ${row} to ${change.da} or more`;
    if (!isRaised && scores.low === config.daMin) return `${verb} ${row} to ${change.da} or less`;
    return `${verb} ${row} to a score from ${scores.low} to ${scores.high}`;
  }
}
