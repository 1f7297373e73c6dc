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
import { bucketChoice, textsOf } from "../../lib/translation/page_texts.ts";
import type { ItemEvaluation, WorkbookItem } from "../../lib/translation/types.ts";

/** The rater's progress with an item. */
export type ItemState = "done" | "invalid" | "filled" | "begun" | "untouched";

const known = new WeakMap<ItemEvaluation, ReturnType<typeof assessAnew>>();

/** Applies the rules to an item; cached by evaluation. */
export function assess(evaluation: ItemEvaluation, config: RunConfig) {
  const before = known.get(evaluation);
  if (before?.config === config) return before;
  const assessment = assessAnew(evaluation, config);
  known.set(evaluation, assessment);
  return assessment;
}

/** Returns the state of every item, in order. */
export function statesOf(items: readonly WorkbookItem[], config: RunConfig): readonly ItemState[] {
  return items.map(({ evaluation }) => assess(evaluation, config).state);
}

/** Tests whether Finish is allowed. */
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

/** A row's view of its translation. The index in the list is the display position. */
export interface RowView {
  readonly text: string;
  readonly bucket: string | undefined;
  readonly score: number | string | undefined;
  /** Fitting scores, both ends included. They are undefined without a bucket or if none fits. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly finished: boolean;
  /** Sentence about missing entries once Next was tried; else empty. */
  readonly lacking: string;
  /** Sentences about broken rules; empty if there are none. */
  readonly broken: string;
  /** True if the score is missing or breaks a rule. */
  readonly scoreAtFault: boolean;
  /** Other rows with the same text, `3, 7`. The text is empty if there are none. */
  readonly same: string;
  /** Reference rating of a practice translation, in words, once it is confirmed. */
  readonly reference: string;
}

/**
 * Returns an item's rows in display order.
 * Missing entries are problems only once Next was tried; `feedback` adds a practice item's
 * references.
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
  const inWords = (group: readonly Violation[]) =>
    group.map((violation) => describeViolation(violation, evaluation, config)).join(" ");
  return evaluation.displayMap.map((translation, position) => {
    const { bucket, da } = evaluation.ratings[translation]!;
    const interval = legalInterval(evaluation, translation, config);
    const rowViolations = violations.filter((violation) =>
      (nextTried || !isMissing(violation)) && translationsOf(violation).includes(translation)
    );
    const missing = rowViolations.filter(isMissing);
    return {
      text: input.translations[translation]!,
      bucket,
      score: da,
      low: interval?.low,
      high: interval?.high,
      finished: bucket !== undefined && da !== undefined,
      // One sentence if everything is missing: twelve rows with two each would be too much to read.
      lacking: missing.length === 2
        ? texts("missingBoth", { row: position + 1, buckets: bucketChoice(config) })
        : inWords(missing),
      broken: inWords(rowViolations.filter((violation) => !isMissing(violation))),
      scoreAtFault: rowViolations.some(({ kind }) =>
        kind !== "missing-bucket" && kind !== "unknown-bucket"
      ),
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

/** Returns positions from best to worst rating, unrated last; for display only. */
export function byScore(rows: readonly RowView[], config: RunConfig): readonly number[] {
  const rank = ({ bucket }: RowView) =>
    bucket === undefined ? config.buckets.length : bucketRank(bucket, config);
  const score = ({ score }: RowView) => typeof score === "number" ? score : config.daMin - 1;
  return [...rows.keys()].sort((a, b) =>
    rank(rows[a]!) - rank(rows[b]!) || score(rows[b]!) - score(rows[a]!) || a - b
  );
}

/** Returns all problems of a row; empty if there are none. */
export function problemOf({ lacking, broken }: RowView): string {
  return [lacking, broken].filter((sentence) => sentence !== "").join(" ");
}

/**
 * Returns the display positions of the rows that cause a violation.
 * The list is empty if the violation concerns the whole item.
 */
export function positionsOf(violation: Violation, displayMap: readonly number[]): number[] {
  return translationsOf(violation).map((translation) => displayMap.indexOf(translation));
}

/** Returns the misplaced translations of a violation, without those they conflict with. */
function translationsOf(violation: Violation): number[] {
  if (violation.kind === "empty-bucket") return [];
  if (violation.kind !== "ordering") return [violation.translation];
  const { repair: [first], higher, lower } = violation;
  return first ? [first.translation] : [higher.translation, lower.translation];
}
