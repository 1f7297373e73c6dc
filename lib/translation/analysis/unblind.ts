import { configHash } from "../hashes.ts";
import type { RatedItem } from "../item.ts";
import { checkKey } from "../preparation/check_key.ts";
import type { KeyItem } from "../preparation/key.ts";
import { isIncomplete, isInvalid } from "../rating/completeness.ts";
import { bucketRank } from "../rating/ordering.ts";
import type { RunConfig } from "../run_config.ts";
import type { LeftOutItem, RatedRun, SystemRating, UnblindedRun } from "./rated_run.ts";

/** What {@link unblind} may be told. */
export interface UnblindOptions {
  /** Leave unfinished and invalid items out, and list them, instead of refusing the run. */
  readonly partial?: boolean;
}

/**
 * Puts the sealed key's systems to a rater's ratings.
 *
 * Throws Error where the key is not the one sealed with the workbook or their items differ (see
 * `checkKey`), where the ratings were made under another configuration, and, unless `partial`,
 * where items are incomplete or break a rule, which it lists.
 */
export function unblind(run: RatedRun, { partial = false }: UnblindOptions = {}): UnblindedRun {
  const { rater, workbook, key, config } = run;
  checkKey(key, workbook);
  if (workbook.configSha256 !== configHash(config)) {
    throw new Error(
      `Cannot unblind the ratings of ${rater}: they were made under another configuration, ` +
        `SHA-256 ${workbook.configSha256}.`,
    );
  }
  const leftOut = workbook.items.flatMap((item) => faultOf(item, config));
  if (!partial && leftOut.length > 0) {
    throw new Error(
      `Cannot unblind the ratings of ${rater}: ${unusable(leftOut).join("; ")}. ` +
        "unblind(run, { partial: true }) leaves these out and lists them.",
    );
  }
  const keyItems = new Map(key.items.map((item) => [item.itemId, item]));
  const excluded = new Set(leftOut.map(({ itemId }) => itemId));
  const ratings = workbook.items
    .filter(({ input }) => !excluded.has(input.itemId))
    .flatMap((item) => ratingsOf(item, keyItems.get(item.input.itemId)!, run));
  return { rater, config, ratings, items: workbook.items.length, leftOut };
}

function unusable(leftOut: readonly LeftOutItem[]): readonly string[] {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason);
  return [...byReason].map(([reason, items]) =>
    `item ${items.map(({ itemId }) => itemId).join(", ")} ${reason}`
  );
}

function faultOf({ evaluation }: RatedItem, config: RunConfig): readonly LeftOutItem[] {
  const { itemId } = evaluation;
  if (isInvalid(evaluation, config)) return [{ itemId, reason: "invalid" }];
  return isIncomplete(evaluation) ? [{ itemId, reason: "incomplete" }] : [];
}

/** The item is complete and valid: bucket, score and commitment are there. */
function ratingsOf(
  { evaluation }: RatedItem,
  { segment, document, role, systems }: KeyItem,
  { rater, config }: RatedRun,
): readonly SystemRating[] {
  const { itemId, startedAt, activeSeconds, comment, displayMap } = evaluation;
  const committedAt = evaluation.committedAt!;
  const item = { rater, itemId, segment, document, role, startedAt, committedAt, activeSeconds };
  return evaluation.ratings.map((rating, translation) => ({
    ...item,
    comment,
    system: systems[translation]!,
    translation,
    position: displayMap.indexOf(translation) + 1,
    bucket: rating.bucket!,
    bucketRank: bucketRank(rating.bucket, config) + 1,
    da: Number(rating.da),
  }));
}
