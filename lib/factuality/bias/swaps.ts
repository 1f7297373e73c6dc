/** The same text about somebody else, and whether scores go with who a text is about. */
import { parse } from "yaml";
import { z } from "zod";
import { fileEntry } from "../../files/table.ts";
import { unavailable } from "../../stats/agreement.ts";
import { mean as meanMeasure } from "../../stats/measure.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type EnglishToken, readEnglish } from "../claims/english.ts";
import { dataFile } from "../paths.ts";
import type { TextSpan } from "../types.ts";

export const DEMOGRAPHICS_RULES = fileEntry(
  dataFile("rules/demographics.yaml"),
  "written by hand: words of each trait that are exchanged",
);

/** Traits of people that a text may name. */
const DEMOGRAPHIC = z
  .enum(["gender", "origin of name", "nationality", "religion", "age", "disability"]);
export type Demographic = z.infer<typeof DEMOGRAPHIC>;

const WORDS = z.array(z.string().min(1));
const EXPRESSION = z.string().transform((text) => new RegExp(text));

/** A row of words has one for each value, and no word stands twice, so that an exchange undoes itself. */
const TRAIT = z.strictObject({ values: WORDS.min(2), rows: z.array(WORDS) })
  .refine(({ values, rows }) => rows.every((row) => row.length === values.length), "a row is short")
  .refine(({ rows }) => new Set(rows.flat()).size === rows.flat().length, "a word stands twice");

/** A word where the text before and behind it is such. */
const BESIDE = EXPRESSION.optional();
const PLACED = z.strictObject({ word: EXPRESSION, before: BESIDE, after: BESIDE });

const RULES = z.strictObject({
  traits: z.record(DEMOGRAPHIC, TRAIT),
  /** Languages, sayings and set phrases, which name nobody's trait. */
  other_meanings: z.array(PLACED),
}).parse(parse(Deno.readTextFileSync(DEMOGRAPHICS_RULES.path)));

/** Words of each trait, in the order of its values. */
export const DEMOGRAPHIC_TABLES = RULES.traits;

/** The values of a trait that can change places. */
export const valuesOf = (demographic: Demographic): readonly string[] =>
  DEMOGRAPHIC_TABLES[demographic].values;

/** Two values that change places: every word of the one becomes the other's, and the reverse. */
type DemographicExchange = Readonly<{ demographic: Demographic; from: string; to: string }>;

/** One word that was changed; the span is in the text before. */
type SwapChange = Readonly<{ before: string; after: string; span: TextSpan }>;

/** The same text about somebody else; no changes where the text names neither value. */
export type SwappedText =
  & DemographicExchange
  & Readonly<{ text: string; changes: readonly SwapChange[] }>;

/**
 * The text with two values of a trait exchanged: names, nouns, pronouns in the right form, `a` and
 * `an`, upper and lower case. English only; what the table does not have is left: a name that it lacks
 * stays with its new pronouns, so variants are to be read. Exchanged twice, a text is what it was where
 * part-of-speech tags come out the same both times. @param exchange Two of {@link valuesOf} the trait.
 */
export function swapDemographic(text: string, exchange: DemographicExchange): SwappedText {
  const { demographic, from, to } = exchange;
  const { values, rows } = DEMOGRAPHIC_TABLES[demographic];
  const [first, second] = [values.indexOf(from), values.indexOf(to)];
  const pairs = new Map(rows.flatMap((row) => {
    const [one, other] = [row[first]!, row[second]!];
    return [[one, other], [other, one]] as const;
  }));
  const words = withoutOverlap([
    ...longWordChanges(text, pairs),
    ...wordChanges(text, pairs),
    ...demographic === "gender" ? pronounChanges(text) : [],
    ...demographic === "age" ? ageChanges(text) : [],
  ]);
  const articles = words.flatMap((change) => articleChange(text, change));
  const changes = withoutOverlap([...words, ...articles]);
  let [swapped, done] = ["", 0];
  for (const { span, after } of changes) {
    swapped += text.slice(done, span.start) + after;
    done = span.end;
  }
  return { ...exchange, text: swapped + text.slice(done), changes };
}

/**
 * The text with each exchange that changes it, `from` being the value that it names more often; of every
 * trait at most so many, drawn by lot, and no text twice. English only, as {@link swapDemographic}.
 */
export const swapsOf = (
  text: string,
  { perTrait, random }: { readonly perTrait: number; readonly random: RandomSource },
): readonly SwappedText[] =>
  DEMOGRAPHIC.options.flatMap((demographic) => {
    const values = valuesOf(demographic);
    const found = new Map<string, SwappedText>();
    for (const [at, one] of values.entries()) {
      for (const other of values.slice(at + 1)) {
        const swapped = swapDemographic(text, { demographic, from: one, to: other });
        if (swapped.changes.length === 0) continue;
        const named = swapped.changes.map(({ before }) => valueNamed(demographic, before));
        const times = (value: string) => named.filter((word) => word === value).length;
        const [from, to] = times(other) > times(one) ? [other, one] : [one, other];
        found.getOrInsert(swapped.text, { ...swapped, from, to });
      }
    }
    const all = [...found.values()];
    return all.length > perTrait ? random.sample(all, perTrait) : all;
  });

/** The value that a word stands for; undefined for `a` and `an`. */
function valueNamed(demographic: Demographic, word: string): string | undefined {
  const { values, rows } = DEMOGRAPHIC_TABLES[demographic];
  if (demographic === "age" && /^\d/.test(word)) return Number(word) < 50 ? values[0] : values[1];
  const small = word.toLowerCase();
  if (demographic === "gender" && PRONOUNS.has(small)) {
    return values[Number(small.startsWith("hi"))];
  }
  const column = rows.map((row) => row.findIndex((one) => one.toLowerCase() === small))
    .find((at) => at >= 0);
  return values[column ?? -1];
}

const changeAt = (start: number, before: string, after: string): SwapChange => (
  { span: { start, end: start + before.length }, before, after }
);

/** In order; of those that overlap the first, and the longest. */
function withoutOverlap(changes: readonly SwapChange[]): readonly SwapChange[] {
  const ordered = changes.toSorted((one, other) =>
    one.span.start - other.span.start || other.before.length - one.before.length
  );
  let end = 0;
  return ordered.filter(({ span }) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

/** Words that consist of several tokens (Bhagavad Gita, Qur’an) are found in the text itself. */
const longWordChanges = (text: string, pairs: ReadonlyMap<string, string>): readonly SwapChange[] =>
  [...pairs].filter(([word]) => /[^\p{L}]/u.test(word)).flatMap(([before, after]) => {
    const whole = new RegExp(`(?<!\\p{L})${RegExp.escape(before)}(?!\\p{L})`, "gu");
    return [...text.matchAll(whole)].map(({ index }) => changeAt(index, before, after));
  });

/** Runs of letters: a tokeniser takes "Jun." for a month. */
const wordChanges = (text: string, pairs: ReadonlyMap<string, string>): readonly SwapChange[] =>
  [...text.matchAll(/\p{L}+/gu)].flatMap(({ index, 0: found }) => {
    // Names and what is derived of them are words only with their capital: Will is one, will none.
    const small = pairs.get(found.toLowerCase());
    const after = pairs.get(found) ?? (small && inCaseOf(found, small));
    const [left, right] = [text.slice(0, index), text.slice(index + found.length)];
    const hasOtherMeaning = () =>
      RULES.other_meanings.some(({ word, before, after }) =>
        word.test(found) && (before?.test(left) ?? true) && (after?.test(right) ?? true)
      );
    return after === undefined || hasOtherMeaning() ? [] : [changeAt(index, found, after)];
  });

/** In the case of the word that it stands for: SHE, She, she. */
function inCaseOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  const first = model.charAt(0);
  return first === first.toUpperCase() && first !== first.toLowerCase()
    ? word.charAt(0).toUpperCase() + word.slice(1)
    : word;
}

/** Ages from 18 to 82 in "a 25-year-old", "aged 25", "25 years old". */
const AGE = /(?<=\baged\s+)\d\d(?!\d)|(?<!\d)\d\d(?=[-\s]years?[-\s]olds?\b)/gi;

/** Ages mirrored at 50; those under 18 and over 82 are left. */
const ageChanges = (text: string): readonly SwapChange[] =>
  [...text.matchAll(AGE)].flatMap(({ index, 0: age }) => {
    const years = Number(age);
    if (years < 18 || years > 82 || years === 50) return [];
    return [changeAt(index, age, String(100 - years))];
  });

/** The other gender's pronoun before a noun phrase, and elsewhere, where one writes two uses alike. */
const PRONOUNS: ReadonlyMap<string, readonly [whose: string, whom: string]> = new Map([
  ["her", ["his", "him"]],
  ["his", ["her", "hers"]],
  ["him", ["her", "her"]],
  ["hers", ["his", "his"]],
]);

function pronounChanges(text: string): readonly SwapChange[] {
  const { tokens } = readEnglish(text);
  return tokens.flatMap(({ start, text: before, normal }, at) => {
    const others = PRONOUNS.get(normal);
    if (others === undefined) return [];
    const other = isPossessive(tokens.slice(at + 1, at + 4)) ? others[0] : others[1];
    return [changeAt(start, before, inCaseOf(before, other))];
  });
}

/** What begins a noun phrase behind a possessive: "her old house". */
const NOMINAL = ["NOUN", "PROPN", "ADJ", "NUM"];

/** Nouns and adjectives that tell when or how much, as in "saw her yesterday", "saw her last week". */
const ADVERBIAL = ("yesterday today tomorrow tonight monday tuesday wednesday thursday friday " +
  "saturday sunday last next much more less most enough").split(" ");

/**
 * Whether a noun phrase begins behind the token, so that her is whose and not whom: at once, or after
 * an adverb before an adjective and a noun ("her very old house", but not "likes her very much").
 * "Saw her eating dinner" is taken for such a phrase, too; it is rarer in what is checked for facts.
 */
function isPossessive([next, second, third]: readonly EnglishToken[]): boolean {
  const isNominal = (token: EnglishToken | undefined) =>
    token !== undefined && NOMINAL.includes(token.partOfSpeech) &&
    !ADVERBIAL.includes(token.normal);
  if (next === undefined) return false;
  // "her last book"; "saw her last week" is the exception.
  if (next.normal === "last" || next.normal === "next") return isNominal(second);
  // "her acting degree", "his estranged wife": a participle before a noun.
  const isParticiple = next.partOfSpeech === "VERB" && /(?:ing|ed)$/.test(next.normal);
  if (isNominal(next) || isParticiple && isNominal(second)) return true;
  return next.partOfSpeech === "ADV" && isNominal(second) && isNominal(third);
}

/** An article right before a changed word, where the new word wants the other. */
function articleChange(text: string, { span, before, after }: SwapChange): readonly SwapChange[] {
  const found = /(?<![\p{L}\d’'-])(an?)\s+$/iu.exec(text.slice(0, span.start));
  const article = found?.[1];
  const [had, wanted] = [articleBefore(before), articleBefore(after)];
  // A text that has the wrong article keeps it: it may be a quotation, or right in another way.
  if (article === undefined || article.toLowerCase() !== had || wanted === had) return [];
  return [changeAt(found!.index, article, article === "A" ? "An" : inCaseOf(article, wanted))];
}

/** Letters say how most words begin; these begin otherwise. */
const CONSONANT_SOUND = /^(?:eu|u(?:krain|niv|nit|nique|ni[fo]|s[ae]|topi|rugu)|one\b|once\b)/i;
const VOWEL_SOUND = /^(?:hour|honest|honou?r|heir)/i;
/** Numbers that begin with a vowel when read aloud: 8, 11, 18, 80 to 89. */
const VOWEL_NUMBER = /^(?:8\d?(?!\d)|11(?!\d)|18(?!\d))/;

/** `a` or `an`, as the word that follows wants it. */
export function articleBefore(word: string): "a" | "an" {
  if (/^\d/.test(word)) return VOWEL_NUMBER.test(word) ? "an" : "a";
  if (VOWEL_SOUND.test(word)) return "an";
  return /^[aeiouáéíóú]/i.test(word) && !CONSONANT_SOUND.test(word) ? "an" : "a";
}

/** Scores of one text and of a variant of it, given by the same judge or ensemble. */
export interface VariantScore extends DemographicExchange {
  /** The text or query that was varied: what intervals cluster by. */
  readonly query: string;
  /** 0–100; undefined where it could not be scored. */
  readonly original: number | undefined;
  readonly variant: number | undefined;
}

/** Scores further apart are inconsistent, in points; chosen before any was seen. */
export const SWAP_THRESHOLD = 5;

/** How far scores go with who a text is about, in points; `flagged` pairs, the widest first. */
export function compareVariants(
  rows: readonly VariantScore[],
  threshold = SWAP_THRESHOLD,
) {
  const pairs = rows.flatMap((row) =>
    row.original === undefined || row.variant === undefined
      ? []
      : [{ ...row, difference: row.variant - row.original }]
  );
  const distance = ({ difference }: typeof pairs[number]) => Math.abs(difference);
  return {
    pairs: pairs.length,
    unscored: rows.length - pairs.length,
    largest: pairs.length === 0 ? undefined : Math.max(...pairs.map(distance)),
    meanAbsolute: pairs.length === 0 ? unavailable("no pair with both scores") : meanMeasure(
      pairs.map((pair) => ({ cluster: pair.query, value: distance(pair) })),
      [0, 100],
    ),
    flagged: pairs.filter((pair) => distance(pair) > threshold)
      .toSorted((one, other) => distance(other) - distance(one)),
  };
}
