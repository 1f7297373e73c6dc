import type { RunConfig } from "../run_config.ts";
import type { SystemRating } from "./rated_run.ts";
import type { BucketCount } from "./results.ts";

/** How often each bucket of the configuration was chosen, best first; shares are 0 of no ratings. */
export function bucketCounts(
  ratings: readonly SystemRating[],
  { buckets }: RunConfig,
): readonly BucketCount[] {
  return buckets.map(({ key }) => {
    const count = ratings.filter(({ bucket }) => bucket === key).length;
    return { bucket: key, count, share: count / Math.max(1, ratings.length) };
  });
}
