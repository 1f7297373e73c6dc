import { configHash, keyHash } from "../hashes.ts";
import type { RatedItem } from "../item.ts";
import type { KeyItem } from "../preparation/key.ts";
import { isIncomplete, isInvalid } from "../rating/completeness.ts";
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
 * Throws Error, all reasons at once, where the key or the configuration is another than the one the
 * ratings were made under, where workbook and key do not have the same items, and, unless `partial`,
 * where an item is incomplete or breaks a rule.
 */
export function unblind(run: RatedRun, { partial = false }: UnblindOptions = {}): UnblindedRun {
  const { rater, workbook, key, config } = run;
  const leftOut = workbook.items.flatMap((item) => faultOf(item, config));
  const faults = mismatches(run);
  // What is invalid can only be told under the right configuration.
  if (faults.length > 0 || (!partial && leftOut.length > 0)) {
    const reasons = faults.length > 0 ? faults : unusable(leftOut);
    throw new Error(`Cannot unblind the ratings of ${rater}: ${reasons.join("; ")}.`);
  }
  const keyItems = new Map(key.items.map((item) => [item.itemId, item]));
  const excluded = new Set(leftOut.map(({ itemId }) => itemId));
  const ratings = workbook.items
    .filter(({ input }) => !excluded.has(input.itemId))
    .flatMap((item) => ratingsOf(item, keyItems.get(item.input.itemId)!, run));
  return { rater, config, ratings, items: workbook.items.length, leftOut };
}

function mismatches({ workbook, key, config }: RatedRun): readonly string[] {
  const inWorkbook = new Set(workbook.items.map(({ input }) => input.itemId));
  const inKey = new Set(key.items.map(({ itemId }) => itemId));
  const n = config.numTranslations;
  return [
    ...workbook.runId === key.runId
      ? []
      : [`the workbook is of run ${workbook.runId}, the key of run ${key.runId}`],
    ...workbook.keySha256 === keyHash(key)
      ? []
      : ["the key is not the one that was sealed with the workbook: its hash differs"],
    ...workbook.configSha256 === configHash(config)
      ? []
      : ["the configuration is not the one the ratings were made under: its hash differs"],
    ...listed("not in the key", [...inWorkbook.difference(inKey)]),
    ...listed("not in the workbook", [...inKey.difference(inWorkbook)]),
    ...listed(
      `without ${n} systems in the key`,
      key.items.filter(({ systems }) => systems.length !== n).map(({ itemId }) => itemId),
    ),
  ];
}

function unusable(leftOut: readonly LeftOutItem[]): readonly string[] {
  const having = (reason: LeftOutItem["reason"]) =>
    leftOut.filter((item) => item.reason === reason).map(({ itemId }) => itemId);
  return [...listed("incomplete", having("incomplete")), ...listed("invalid", having("invalid"))];
}

function listed(what: string, itemIds: readonly number[]): readonly string[] {
  return itemIds.length === 0 ? [] : [`${what}: item ${itemIds.join(", ")}`];
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
    bucketRank: config.buckets.findIndex(({ key }) => key === rating.bucket) + 1,
    da: Number(rating.da),
  }));
}
