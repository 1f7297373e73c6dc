import type { Rating } from "../../lib/translation/item.ts";
import { bucketLabel } from "../../lib/translation/rating/wording.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";

/** A rating as it is said: `Best, 95`, `Best, no score`, `not sorted, 95` or `not rated`. */
export function ratingWords({ bucket, da }: Rating, config: RunConfig): string {
  if (bucket === undefined && da === undefined) return "not rated";
  const label = bucket === undefined ? "not sorted" : bucketLabel(bucket, config);
  return `${label}, ${da ?? "no score"}`;
}
