import { wilsonInterval } from "../../stats/intervals.ts";
import type { RunConfig } from "../run_config.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, AttentionCheck, AttentionResult } from "./results.ts";

/**
 * Whether a rater noticed the spoiled translations: each must have a lower score than the same
 * translation unspoiled, and must not be in the best bucket. Checks whose original was left out do
 * not count, nor do those whose original has the lowest score, for nothing is lower, or is in the
 * worst bucket: what was bad already can hardly be told to be worse. A rater who is careful but met a
 * mild spoiling may fail: look at failures one by one.
 */
export function attentionResult(
  ratings: readonly SystemRating[],
  config: RunConfig,
  { confidence = 0.95 }: Pick<AnalysisOptions, "confidence">,
): AttentionResult {
  const checks = ratings.flatMap((rating) => checkOf(rating, ratings, config));
  const passed = checks.filter((check) => check.passed).length;
  return { checks, passed: wilsonInterval(passed, checks.length, confidence) };
}

function checkOf(
  spoiled: SystemRating,
  ratings: readonly SystemRating[],
  { buckets, daMin }: RunConfig,
): readonly AttentionCheck[] {
  const { role, system } = spoiled;
  if (role.kind !== "attention" || role.translation !== spoiled.translation) return [];
  const original = ratings.find((other) => other.itemId === role.of && other.system === system);
  if (original === undefined || original.da <= daMin) return [];
  if (original.bucket === buckets.at(-1)!.key) return [];
  return [{
    itemId: spoiled.itemId,
    originalItemId: role.of,
    system,
    spoiledBy: role.spoiledBy,
    originalDa: original.da,
    spoiledDa: spoiled.da,
    spoiledBucket: spoiled.bucket,
    passed: spoiled.da < original.da && spoiled.bucket !== buckets[0]!.key,
  }];
}
