import type { Likelihood } from "../model.ts";

/** Which of two texts is preferred, by its place. */
export type PlacePreference = "first" | "second" | "tie";

/** A rule that prefers one of two texts without knowing any grammar. */
export interface PlaceBaseline {
  readonly name: string;
  readonly prefer: (first: string, second: string) => PlacePreference;
}

/** A sentence to learn from, with the part of the text (such as a chapter) it belongs to. */
export interface FoldedSentence {
  readonly fold: string;
  readonly text: string;
}

/**
 * A model counted from sentences. What is scored must not have been learned from: a text of a fold
 * is scored by the counts of all other folds.
 */
export interface HeldOutBaseline {
  readonly name: string;
  /** Log-probability in nats by all sentences outside `heldOut`; tokens are the model's own units. */
  readonly score: (text: string, heldOut: string) => Likelihood;
}

/** The more probable of two texts of one fold, as a held-out baseline sees it. */
export function preferMoreProbable(
  baseline: HeldOutBaseline,
  first: string,
  second: string,
  heldOut: string,
): PlacePreference {
  const a = baseline.score(first, heldOut).logProbability;
  const b = baseline.score(second, heldOut).logProbability;
  // Sums in another order may differ in the last digits; such a difference is none.
  if (Math.abs(a - b) < 1e-9) return "tie";
  return a > b ? "first" : "second";
}

/** UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
