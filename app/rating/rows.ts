import { practiceItem, type RunConfig } from "../../lib/translation/configuration.ts";
import { bucketRank } from "../../lib/translation/rules/order.ts";
import {
  bucketLabel,
  describeViolation,
  isIncomplete,
  isMissing,
  legalInterval,
  type Violation,
  violationsOf,
} from "../../lib/translation/rules/violations.ts";
import { sameTexts } from "../../lib/translation/session/session.ts";
import { bucketChoice, textsOf } from "../../lib/translation/texts.ts";
import type { ItemEvaluation, WorkbookItem } from "../../lib/translation/types.ts";

/** Where the rater stands with an item. */
export type ItemState = "done" | "invalid" | "filled" | "begun" | "untouched";

const known = new WeakMap<ItemEvaluation, ReturnType<typeof assessAnew>>();

/** What the rules say of an item; worked out once for each value of an evaluation. */
export function assess(evaluation: ItemEvaluation, config: RunConfig) {
  const before = known.get(evaluation);
  if (before?.config === config) return before;
  const found = assessAnew(evaluation, config);
  known.set(evaluation, found);
  return found;
}

/** The state of every item, in order. */
export function statesOf(items: readonly WorkbookItem[], config: RunConfig): readonly ItemState[] {
  return items.map(({ evaluation }) => assess(evaluation, config).state);
}

/** Whether nothing stands in the way of Finish. */
export function isFinishable(states: readonly ItemState[]): boolean {
  return states.every((state) => state === "done");
}

function assessAnew(evaluation: ItemEvaluation, config: RunConfig) {
  const { ratings, comment } = evaluation;
  const violations = violationsOf(evaluation, config);
  const invalid = !violations.every(isMissing);
  const isFull = ratings.every(({ bucket, da }) => bucket !== undefined && da !== undefined);
  const isTouched = comment !== "" ||
    ratings.some(({ bucket, da }) => bucket !== undefined || da !== undefined);
  const unfinished = isFull ? "filled" : isTouched ? "begun" : "untouched";
  const sound = isIncomplete(evaluation) ? unfinished : "done";
  const state: ItemState = invalid ? "invalid" : sound;
  return { config, violations, invalid, state };
}

/** What a row shows of its translation. Its place in the list is its display position. */
export interface RowView {
  readonly text: string;
  readonly bucket: string | undefined;
  readonly score: number | string | undefined;
  /** The scores that fit, both ends included; undefined without a bucket or where none fits. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly finished: boolean;
  /** What is not there yet, in a sentence, once Next was tried; else empty. */
  readonly lacking: string;
  /** Which rules it breaks, in sentences; empty where it breaks none. */
  readonly broken: string;
  /** Whether the score has a part in what is lacking or broken. */
  readonly scoreAtFault: boolean;
  /** The other rows with the same text, `3, 7`; empty where none has. */
  readonly same: string;
  /** The rating that a translation to practise on deserves, in words, once it is confirmed. */
  readonly reference: string;
}

/**
 * The rows of an item in display order. What is missing is a problem only once Next was tried;
 * `feedback` gives an item to practise on its reference.
 */
export function rowViews(
  { evaluation, input }: WorkbookItem,
  config: RunConfig,
  nextTried: boolean,
  feedback = false,
): RowView[] {
  const texts = textsOf(config);
  const practice = feedback ? practiceItem(config, input) : undefined;
  const { violations } = assess(evaluation, config);
  const inWords = (own: readonly Violation[]) =>
    own.map((violation) => describeViolation(violation, evaluation, config)).join(" ");
  return evaluation.displayMap.map((translation, position) => {
    const { bucket, da } = evaluation.ratings[translation]!;
    const interval = legalInterval(evaluation, translation, config);
    const own = violations.filter((violation) =>
      (nextTried || !isMissing(violation)) && translationsOf(violation).includes(translation)
    );
    const missing = own.filter(isMissing);
    return {
      text: input.translations[translation]!,
      bucket,
      score: da,
      low: interval?.low,
      high: interval?.high,
      finished: bucket !== undefined && da !== undefined,
      // One sentence where all is missing: twelve rows of two each would be much to read.
      lacking: missing.length === 2
        ? texts("missingBoth", { row: position + 1, buckets: bucketChoice(config) })
        : inWords(missing),
      broken: inWords(own.filter((violation) => !isMissing(violation))),
      scoreAtFault: own.some(({ kind }) => kind !== "missing-bucket" && kind !== "unknown-bucket"),
      same: sameTexts(input, translation)
        .map((other) => evaluation.displayMap.indexOf(other) + 1).sort((a, b) => a - b).join(", "),
      reference: referenceWords(practice?.translations[translation]),
    };
  });

  function referenceWords(held: { bucket: string; da: number; why: string } | undefined): string {
    if (!held) return "";
    const bucket = bucketLabel(held.bucket, config);
    return texts("reference", { bucket, da: held.da, why: held.why }).trim();
  }
}

/** Positions from the best rating to the worst, those without one last: only a way to look at them. */
export function byScore(rows: readonly RowView[], config: RunConfig): readonly number[] {
  const rank = ({ bucket }: RowView) =>
    bucket === undefined ? config.buckets.length : bucketRank(bucket, config);
  const score = ({ score }: RowView) => typeof score === "number" ? score : config.daMin - 1;
  return [...rows.keys()].sort((a, b) =>
    rank(rows[a]!) - rank(rows[b]!) || score(rows[b]!) - score(rows[a]!) || a - b
  );
}

/** Everything that is wrong with a row; empty where nothing is. */
export function problemOf({ lacking, broken }: RowView): string {
  return [lacking, broken].filter((sentence) => sentence !== "").join(" ");
}

/** Display positions of the rows to blame for a violation; empty where that is the whole item. */
export function positionsOf(violation: Violation, displayMap: readonly number[]): number[] {
  return translationsOf(violation).map((translation) => displayMap.indexOf(translation));
}

/** Of a broken order the rows that may be out of place, and never one that they only stand against. */
function translationsOf(violation: Violation): number[] {
  if (violation.kind === "empty-bucket") return [];
  if (violation.kind !== "ordering") return [violation.translation];
  const { repair: [first], higher, lower } = violation;
  return first ? [first.translation] : [higher.translation, lower.translation];
}
