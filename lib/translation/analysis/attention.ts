import { wilsonInterval } from "../../stats/intervals.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, AttentionCheck, AttentionResult } from "./results.ts";

/**
 * Whether a rater noticed the spoiled translations. A check is passed if the spoiled translation
 * scored lower than the same one unspoiled and stands in the item's lowest quarter: fewer than a
 * quarter of the item's translations score lower still. So a middling score, as an unread text may
 * get, passes as seldom as the lowest quarter is hit by chance. Checks whose original was left out do
 * not count, nor do those whose original was in the lowest quarter of its item: what was bad already
 * can hardly be told to be worse. A rater who is careful but met a mild spoiling may fail: look at
 * failures one by one.
 */
export function attentionResult(
  ratings: readonly SystemRating[],
  { confidence = 0.95 }: Pick<AnalysisOptions, "confidence">,
): AttentionResult {
  const items = Map.groupBy(ratings, ({ itemId }) => itemId);
  const checks = ratings.flatMap((rating) => checkOf(rating, items));
  const passed = checks.filter((check) => check.passed).length;
  return { checks, passed: wilsonInterval(passed, checks.length, confidence) };
}

function checkOf(
  spoiled: SystemRating,
  items: ReadonlyMap<number, readonly SystemRating[]>,
): readonly AttentionCheck[] {
  const { role, system } = spoiled;
  if (role.kind !== "attention" || role.translation !== spoiled.translation) return [];
  const originals = items.get(role.of) ?? [];
  const original = originals.find((other) => other.system === system);
  if (original === undefined || isInLowestQuarter(original, originals)) return [];
  return [{
    itemId: spoiled.itemId,
    originalItemId: role.of,
    system,
    spoiledBy: role.spoiledBy,
    originalDa: original.da,
    spoiledDa: spoiled.da,
    spoiledBucket: spoiled.bucket,
    passed: spoiled.da < original.da && isInLowestQuarter(spoiled, items.get(spoiled.itemId)!),
  }];
}

function isInLowestQuarter({ da }: SystemRating, item: readonly SystemRating[]): boolean {
  return item.filter((other) => other.da < da).length < item.length / 4;
}
