/** Kinds of change, the interface of a rule, and helpers shared by the rules. */
import type { RandomSource } from "../../../stats/random.ts";
import { compareQuantities, readQuantities } from "../../features/quantities.ts";
import type { Amount, Quantity } from "../../features/quantities.ts";
import type { Gazetteer } from "../../features/words.ts";
import type { TextSpan } from "../../types.ts";

/** Kinds of controls, which keep a text true. The verifier's training data lack only `spelling`. */
export const CONTROLS = [
  "paraphrase",
  "synonym",
  "order",
  "number format",
  "date format",
  "unit converted",
  "spelling",
] as const;
type ControlKind = typeof CONTROLS[number];

/**
 * Kinds of perturbations, which make a text unsupported, with their matched controls. A control
 * changes the same part. The verifier is trained on such changes (`made_claims.ts`).
 */
const PERTURBATION = {
  date: "date format",
  place: "order",
  number: "number format",
  digits: "number format",
  name: "order",
  negation: "synonym",
  quantifier: "synonym",
  roles: "paraphrase",
  unit: "unit converted",
} as const satisfies Readonly<Record<string, ControlKind>>;

type PerturbationKind = keyof typeof PERTURBATION;
export type VariantKind = PerturbationKind | ControlKind;
export const PERTURBATIONS = Object.keys(PERTURBATION) as PerturbationKind[];
/** All kinds, perturbations first. */
export const VARIANT_KINDS: readonly VariantKind[] = [...PERTURBATIONS, ...CONTROLS];

/** Tests for a kind that makes a text false. */
export const isPerturbation = (kind: VariantKind): kind is PerturbationKind => kind in PERTURBATION;

export const roleOf = (kind: VariantKind): "perturbation" | "control" =>
  isPerturbation(kind) ? "perturbation" : "control";

/** Label of a variant: a perturbed text is not supported, a control is. */
export const labelOf = (kind: VariantKind): "supported" | "not supported" =>
  isPerturbation(kind) ? "not supported" : "supported";

/** Tells whether the trained verifier's training data contain the kind of change. */
export const seenInTraining = (kind: VariantKind): "yes" | "no" =>
  kind === "spelling" ? "no" : "yes";

/** Control matched to a perturbation; the empty string for a control. */
export const matchedControl = (kind: VariantKind) => isPerturbation(kind) ? PERTURBATION[kind] : "";

/** Names of the months from January. */
export const MONTHS: readonly string[] =
  ("January February March April May June July August September October November December")
    .split(" ");

/** A span of a text with its replacement. */
export interface TextChange extends TextSpan {
  readonly to: string;
}

/** Names and texts used to make variants. */
export interface VariantTools {
  readonly gazetteer: Gazetteer;
  /** Independent countries with their regions. */
  readonly states: readonly { readonly name: string; readonly region: string }[];
  /** Names of people that can replace each other. */
  readonly people: readonly string[];
  /** Towns named in the texts, which other towns can replace. */
  readonly towns?: readonly string[];
  /** Country that the text is about, which stays; the empty string where unknown. */
  readonly about: string;
  /** Source of the text. It must not contain the false name, which might then be true. */
  readonly source: string;
}

/** A rule: returns its change, or all possible changes to draw from; may be none. */
export type VariantRule = (
  text: string,
  tools: VariantTools,
  random: RandomSource,
) => TextChange | readonly TextChange[] | undefined;

/** Applies a change to a text. */
export const applyChange = (text: string, { start, end, to }: TextChange): string =>
  text.slice(0, start) + to + text.slice(end);

/** Makes a change from words at an index. */
export const replacementAt = (start: number, from: string, to: string): TextChange => (
  { start, end: start + from.length, to }
);

/** Returns a change for every match of a pattern that has a replacement. */
export const replacements = (
  text: string,
  pattern: RegExp,
  otherwise: (index: number, whole: string, ...groups: string[]) => string | undefined,
): readonly TextChange[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, ...groups] = match;
    const to = otherwise(match.index, whole, ...groups);
    return to === undefined ? [] : [replacementAt(match.index, whole, to)];
  });

/** Returns the shortest span of whole words by which two texts differ. */
export function changeBetween(before: string, after: string): TextChange {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let left = 0;
  const most = Math.min(before.length, after.length) - start;
  while (left < most && before.at(-1 - left) === after.at(-1 - left)) left++;
  // Extended to word boundaries.
  while (start > 0 && /\S/u.test(before[start - 1]!)) start--;
  while (left > 0 && /\S/u.test(before.at(-left)!)) left--;
  return { start, end: before.length - left, to: after.slice(start, after.length - left) };
}

/** Capitalises the first letter. */
export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Compares a quantity with itself after a change. Undefined where it no longer is one. */
export function afterChange(text: string, change: TextChange, was: Quantity) {
  const now = readQuantities(applyChange(text, change))
    .find(({ start, kind }) => start === was.start && kind === was.kind);
  if (now === undefined) return undefined;
  const relation = compareQuantities(now, was);
  if (relation === "different") return "different";
  return relation === "same" && compareQuantities(was, now) === "same" ? "same" : undefined;
}

/** Units with a unit of the same dimension and the conversion factor to it. */
export const UNITS: readonly (readonly [written: RegExp, other: string, factor?: number])[] = [
  [/(?:square kilomet(?:re|er)s|sq km|km²)$/u, "sq miles", 1 / 1.609344 ** 2],
  [/(?<!square |sq )(?:kilomet(?:re|er)s|km)$/u, "miles", 1 / 1.609344],
  [/sq(?:uare)? miles$/u, "sq km"],
  [/(?<!square |sq |nautical )miles$/u, "km", 1.609344],
  [/nautical miles$|\bnm$/u, "km", 1.852],
  [/(?<!square )met(?:re|er)s$|(?<=\d )m$/u, "feet", 1 / 0.3048],
  [/(?<!square )(?:feet|\bft)$/u, "meters", 0.3048],
  [/hectares$/u, "acres", 1e4 / 4046.8564224],
  [/acres$/u, "hectares", 4046.8564224 / 1e4],
  [/kilograms$|\bkg$/u, "pounds", 1 / 0.45359237],
  [/(?:metric )?tons$|tonnes$/u, "kg"],
  [/°C$/u, "°F"],
  [/years$/u, "months"],
  [/(?<=\d )months$/u, "weeks"],
  [/(?<=\d )days$/u, "weeks"],
  [/(?<=\d )hours$/u, "days"],
];

/** A number in digits within an amount: `39.2` of "$39.2 million". */
export type WrittenNumber = ReturnType<typeof numbersIn>[number];

/** Numbers in digits that measure or count. Dates, ordinals and ranges are excluded. */
export const numbersIn = (text: string) =>
  amountsIn(text).flatMap((amount) => {
    const [written, ...more] = amount.text.matchAll(/\d[\d,]*(?:\.\d+)?/gu);
    if (written === undefined || more.length > 0) return [];
    const { 0: digits, index } = written;
    const value = Number(digits.replaceAll(",", ""));
    return [{ amount, start: amount.start + index, digits, value }];
  });

/** Contexts of numbers in names: "Resolution 1701", "Boeing 737", "F-16". */
const IN_NAME = /(?:\p{Lu}[\p{L}.]*|[-#/])\s?$/u;
const OPENS_SENTENCE = /^(?:In|On|About|Over|Some|Nearly|With|The|At|By|From|For|Of|Only|Its)\s$/u;
/**
 * Contexts in which another number may stay true ("between 50 and 60"), or none is measured ("per
 * 1,000").
 */
const LOOSE = /\b(?:between|between [\d.,]+ and|per|every|as (?:many|much|few|little) as) $/iu;

/** Amounts whose change makes a text false: no ordinals, no parts of names, no loose bounds. */
export const amountsIn = (text: string): readonly Amount[] =>
  readQuantities(text).filter((amount): amount is Amount => {
    if (amount.kind !== "amount" || amount.dimension === "ordinal") return false;
    const before = text.slice(0, amount.start);
    // "An 11-day conflict": another number may need another article.
    if (text.charAt(amount.start + amount.text.length) === "-" || LOOSE.test(before)) return false;
    const isMoney = /^\p{Sc}|^US\$/u.test(amount.text);
    return isMoney || !IN_NAME.test(before) || OPENS_SENTENCE.test(before);
  });
