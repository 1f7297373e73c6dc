/** The kinds of change, what a rule gets and gives, and what rules of both kinds read of a text. */
import type { RandomSource } from "../../../stats/random.ts";
import { compareQuantities, readQuantities } from "../../features/quantities.ts";
import type { Amount, Quantity } from "../../features/quantities.ts";
import type { Gazetteer } from "../../features/words.ts";
import type { TextSpan } from "../../types.ts";

/** What is changed so that a text stays true; only `spelling` is nothing that the verifier is trained on. */
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
 * What is changed so that a true text is no longer borne out, each with the control that changes the
 * same part of a text and keeps it true. The verifier is trained on such changes (`made_claims.ts`).
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
/** Every kind, perturbations first. */
export const VARIANT_KINDS: readonly VariantKind[] = [...PERTURBATIONS, ...CONTROLS];

/** Whether a kind is meant to make a true text untrue. */
export const isPerturbation = (kind: VariantKind): kind is PerturbationKind => kind in PERTURBATION;

export const roleOf = (kind: VariantKind): "perturbation" | "control" =>
  isPerturbation(kind) ? "perturbation" : "control";

/** A perturbed text is not borne out, a control is. */
export const labelOf = (kind: VariantKind): "supported" | "not supported" =>
  isPerturbation(kind) ? "not supported" : "supported";

/** Whether the trained verifier has met a kind of change among the claims it was trained on. */
export const seenInTraining = (kind: VariantKind): "yes" | "no" =>
  kind === "spelling" ? "no" : "yes";

/** The control that a perturbation is set against; the empty string for a control. */
export const matchedControl = (kind: VariantKind) => isPerturbation(kind) ? PERTURBATION[kind] : "";

/** January first. */
export const MONTHS: readonly string[] =
  ("January February March April May June July August September October November December")
    .split(" ");

/** A stretch of a text and what takes its place. */
export interface TextChange extends TextSpan {
  readonly to: string;
}

/** What texts are changed with. */
export interface VariantTools {
  readonly gazetteer: Gazetteer;
  /** Independent countries, each with the part of the world that it lies in. */
  readonly states: readonly { readonly name: string; readonly region: string }[];
  /** Names of people that may take one another's place. */
  readonly people: readonly string[];
  /** Towns and the like that the texts name, any of which another town may take the place of. */
  readonly towns?: readonly string[];
  /** The country that a text is about, which stays; the empty string where nobody knows. */
  readonly about: string;
  /** What the text is checked against: a false name must not stand there, for it might be true. */
  readonly source: string;
}

/** One way to change a text: the one change that it makes, or all, to be drawn from; none may fit. */
export type VariantRule = (
  text: string,
  tools: VariantTools,
  random: RandomSource,
) => TextChange | readonly TextChange[] | undefined;

/** The text with the change made. */
export const changed = (text: string, { start, end, to }: TextChange): string =>
  text.slice(0, start) + to + text.slice(end);

/** Other words in the place of those that stand there. */
export const replaced = (start: number, from: string, to: string): TextChange => (
  { start, end: start + from.length, to }
);

/** Every match of a pattern with what takes its place; without that it stays. */
export const replacements = (
  text: string,
  pattern: RegExp,
  otherwise: (index: number, whole: string, ...groups: string[]) => string | undefined,
): readonly TextChange[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, ...groups] = match;
    const to = otherwise(match.index, whole, ...groups);
    return to === undefined ? [] : [replaced(match.index, whole, to)];
  });

/** The least stretch of whole words by which two different texts differ. */
export function changeBetween(before: string, after: string): TextChange {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let left = 0;
  const most = Math.min(before.length, after.length) - start;
  while (left < most && before.at(-1 - left) === after.at(-1 - left)) left++;
  // Back to where a word begins, on to where one ends.
  while (start > 0 && /\S/u.test(before[start - 1]!)) start--;
  while (left > 0 && /\S/u.test(before.at(-left)!)) left--;
  return { start, end: before.length - left, to: after.slice(start, after.length - left) };
}

/** With a capital at the beginning. */
export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** How a quantity compares with itself before a change; undefined where it is none any more. */
export function afterChange(text: string, change: TextChange, was: Quantity) {
  const now = readQuantities(changed(text, change))
    .find(({ start, kind }) => start === was.start && kind === was.kind);
  if (now === undefined) return undefined;
  const there = compareQuantities(now, was);
  if (there === "different") return "different";
  return there === "same" && compareQuantities(was, now) === "same" ? "same" : undefined;
}

/** A unit behind a number, another of its kind, and by what a number is multiplied that changes to it. */
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

/** A number as digits within an amount: `39.2` of "$39.2 million". */
export type WrittenNumber = ReturnType<typeof numbersIn>[number];

/** Numbers in digits that measure or count something: neither dates nor ordinals nor ranges. */
export const numbersIn = (text: string) =>
  amountsIn(text).flatMap((amount) => {
    const [written, ...more] = amount.text.matchAll(/\d[\d,]*(?:\.\d+)?/gu);
    if (written === undefined || more.length > 0) return [];
    const { 0: digits, index } = written;
    const value = Number(digits.replaceAll(",", ""));
    return [{ amount, start: amount.start + index, digits, value }];
  });

/** "Resolution 1701", "Boeing 737", "F-16": names, not amounts. */
const IN_NAME = /(?:\p{Lu}[\p{L}.]*|[-#/])\s?$/u;
const OPENS_SENTENCE = /^(?:In|On|About|Over|Some|Nearly|With|The|At|By|From|For|Of|Only|Its)\s$/u;
/** "Between 50 and 60" is true where "between 40 and 60" is, and "per 1,000" is no measurement. */
const LOOSE = /\b(?:between|between [\d.,]+ and|per|every|as (?:many|much|few|little) as) $/iu;

/** Amounts that exclude others: no ordinals, none that is part of a name or says too little. */
export const amountsIn = (text: string): readonly Amount[] =>
  readQuantities(text).filter((amount): amount is Amount => {
    if (amount.kind !== "amount" || amount.dimension === "ordinal") return false;
    const before = text.slice(0, amount.start);
    // "An 11-day conflict": another number may need another article.
    if (text.charAt(amount.start + amount.text.length) === "-" || LOOSE.test(before)) return false;
    const isMoney = /^\p{Sc}|^US\$/u.test(amount.text);
    return isMoney || !IN_NAME.test(before) || OPENS_SENTENCE.test(before);
  });
