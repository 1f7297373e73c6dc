import type { Rating } from "../../lib/translation/item.ts";
import type { KeyContext } from "./key_context.ts";
import { focusScore } from "./places.ts";
import { ratingWords } from "./rating_words.ts";

/** Sorts a row by key, or takes that back. */
export function choose(position: number, bucket: string | undefined, context: KeyContext): void {
  context.dispatch({ kind: "bucket", translation: translationAt(position, context), bucket });
  echo(position, { bucket, da: context.rows[position]!.score }, context);
}

/** Says what a key made of a row: a screen reader's own words would be of something else. */
function echo(position: number, rating: Rating, { session: { config }, say }: KeyContext): void {
  say(`Row ${position + 1}: ${ratingWords(rating, config)}.`);
}

/** A score moves within the scale; where there is none, no starting point is suggested. */
export function nudge(position: number, points: number, context: KeyContext): void {
  const { session: { config }, rows, dispatch, say } = context;
  const { bucket, score } = rows[position]!;
  if (typeof score !== "number") {
    focusScore(position);
    return say(`Row ${position + 1} has no score to move yet: type one.`);
  }
  // Twelve digits: a tenth is no sum of powers of two, and 0.1 + 0.2 is not to show.
  const moved = Number((score + points).toPrecision(12));
  const da = Math.min(Math.max(moved, config.daMin), config.daMax);
  dispatch({ kind: "score", translation: translationAt(position, context), da });
  echo(position, { bucket, da }, context);
}

function translationAt(position: number, { session }: KeyContext): number {
  return session.workbook.items[session.current]!.evaluation.displayMap[position]!;
}
