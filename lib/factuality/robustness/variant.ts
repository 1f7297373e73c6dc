import type { RandomSource } from "../../stats/random.ts";
import type { Gazetteer } from "../features/gazetteer.ts";
import type { TextSpan } from "../text_span.ts";

/** What is changed so that a true text is no longer borne out. */
export const PERTURBATIONS = [
  ...["date", "place", "number", "digits", "name"] as const,
  ...["negation", "quantifier", "roles", "unit"] as const,
] as const;

/** What is changed so that a text stays true. */
export const CONTROLS = [
  ...["paraphrase", "synonym", "order", "number format", "date format"] as const,
  ...["unit converted", "spelling"] as const,
] as const;

export type PerturbationKind = (typeof PERTURBATIONS)[number];
export type ControlKind = (typeof CONTROLS)[number];
export type VariantKind = PerturbationKind | ControlKind;

/** Every kind, perturbations first. */
export const VARIANT_KINDS: readonly VariantKind[] = [...PERTURBATIONS, ...CONTROLS];

/** Whether a kind is meant to make a true text untrue. */
export function isPerturbation(kind: VariantKind): kind is PerturbationKind {
  return (PERTURBATIONS as readonly VariantKind[]).includes(kind);
}

/** A stretch of a text and what takes its place. */
export interface TextChange extends TextSpan {
  readonly to: string;
}

/** A text after one change. */
export interface Variant {
  readonly kind: VariantKind;
  readonly text: string;
  /** Where in the original; `from` is what stood there, `to` what stands there now. */
  readonly span: TextSpan;
  readonly from: string;
  readonly to: string;
}

/** A country and the part of the world that it lies in. */
export interface PlacedCountry {
  readonly name: string;
  readonly region: string;
}

/** What texts are changed with. */
export interface VariantTools {
  readonly gazetteer: Gazetteer;
  /** Independent ones. */
  readonly states: readonly PlacedCountry[];
  /** Names of people that may take one another's place. */
  readonly people: readonly string[];
  /** The country that a text is about, which stays; the empty string where nobody knows. */
  readonly about: string;
  /** What the text is checked against: a false name must not stand there, for it might be true. */
  readonly source: string;
}

/** One way to change a text; undefined where nothing of its kind stands in it. */
export type VariantRule = (
  text: string,
  tools: VariantTools,
  random: RandomSource,
) => TextChange | undefined;

/** The text with the change made. */
export function changed(text: string, { start, end, to }: TextChange): string {
  return text.slice(0, start) + to + text.slice(end);
}

/** The least stretch of whole words by which two texts differ. @throws {RangeError} for equal ones. */
export function changeBetween(before: string, after: string): TextChange {
  if (before === after) {
    throw new RangeError(`Cannot tell the change: "${before}" is as it was.`);
  }
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let left = 0;
  const most = Math.min(before.length, after.length) - start;
  while (left < most && before.at(-1 - left) === after.at(-1 - left)) left++;
  // Back to where a word begins, on to where one ends.
  while (start > 0 && /[^\s]/u.test(before[start - 1]!)) start--;
  while (left > 0 && /[^\s]/u.test(before.at(-left)!)) left--;
  return { start, end: before.length - left, to: after.slice(start, after.length - left) };
}

/** One of the changes by lot; undefined where there is none. */
export function oneOf(
  changes: readonly TextChange[],
  random: RandomSource,
): TextChange | undefined {
  return changes.length === 0 ? undefined : changes[random.integer(changes.length)];
}
