import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";

/** What the rater sees a translation as: its position, e.g. `row 3`. */
export function rowName(translation: number, { displayMap }: Evaluation): string {
  return `row ${displayMap.indexOf(translation) + 1}`;
}

/** What the rater sees a bucket as; a bucket that the configuration lacks, as it is stored. */
export function bucketLabel(bucket: string, { buckets }: RunConfig): string {
  return buckets.find(({ key }) => key === bucket)?.label ?? bucket;
}

/** `a, b or c`; the word stands before the last of several. */
export function listed(parts: readonly string[], word: "and" | "or"): string {
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
