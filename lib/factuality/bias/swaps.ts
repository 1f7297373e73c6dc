/** Counterfactual texts with an exchanged demographic trait, and the difference in their scores. */
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

/** Demographic traits that a text may name. */
const DEMOGRAPHIC = z
  .enum(["gender", "origin of name", "nationality", "religion", "age", "disability"]);
export type Demographic = z.infer<typeof DEMOGRAPHIC>;

const WORDS = z.array(z.string().min(1));
const EXPRESSION = z.string().transform((text) => new RegExp(text));

/**
 * Schema of a trait. A row has one word per value and no word occurs twice, so that an exchange is
 * its own inverse.
 */
const TRAIT = z.strictObject({ values: WORDS.min(2), rows: z.array(WORDS) })
  .refine(({ values, rows }) => rows.every((row) => row.length === values.length), "a row is short")
  .refine(({ rows }) => new Set(rows.flat()).size === rows.flat().length, "a word occurs twice");

/** Context of a word: a pattern for the text before or after it. */
const CONTEXT = EXPRESSION.optional();
const WORD_IN_CONTEXT = z.strictObject({ word: EXPRESSION, before: CONTEXT, after: CONTEXT });

const RULES = z.strictObject({
  traits: z.record(DEMOGRAPHIC, TRAIT),
  /** Languages, sayings and set phrases, which name no one's trait. */
  other_meanings: z.array(WORD_IN_CONTEXT),
}).parse(parse(Deno.readTextFileSync(DEMOGRAPHICS_RULES.path)));

/** Words of each trait, in the order of its values. */
export const DEMOGRAPHIC_TABLES = RULES.traits;

/** Values of a trait that can be exchanged. */
export const traitValues = (demographic: Demographic): readonly string[] =>
  DEMOGRAPHIC_TABLES[demographic].values;

/**
 * Two values to exchange: each word of one becomes the corresponding word of the other, and vice
 * versa.
 */
type DemographicExchange = Readonly<{ demographic: Demographic; from: string; to: string }>;

/** One changed word; the span refers to the original text. */
type SwapChange = Readonly<{ before: string; after: string; span: TextSpan }>;

/** The counterfactual text; without changes where the text names neither value. */
export type SwappedText =
  & DemographicExchange
  & Readonly<{ text: string; changes: readonly SwapChange[] }>;

/**
 * Exchanges two values of a trait in a text: names, nouns, pronouns by case, `a` and `an`, and
 * capitals. English only. Words outside the table stay, so that a name may no longer fit its
 * pronoun: variants need proofreading. A second exchange restores the text where part-of-speech
 * tags agree both times. @param exchange Two of {@link traitValues} the trait.
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
 * Makes a variant for each exchange that changes the text; `from` is the value that it names more
 * often. Each trait has at most a given number of variants, sampled at random; duplicates are
 * dropped. English only, as {@link swapDemographic}.
 */
export const demographicSwaps = (
  text: string,
  { perTrait, random }: { readonly perTrait: number; readonly random: RandomSource },
): readonly SwappedText[] =>
  DEMOGRAPHIC.options.flatMap((demographic) => {
    const values = traitValues(demographic);
    const swaps = new Map<string, SwappedText>();
    for (const [at, one] of values.entries()) {
      for (const other of values.slice(at + 1)) {
        const swapped = swapDemographic(text, { demographic, from: one, to: other });
        if (swapped.changes.length === 0) continue;
        const named = swapped.changes.map(({ before }) => traitValueOf(demographic, before));
        const times = (value: string) => named.filter((word) => word === value).length;
        const [from, to] = times(other) > times(one) ? [other, one] : [one, other];
        swaps.getOrInsert(swapped.text, { ...swapped, from, to });
      }
    }
    const all = [...swaps.values()];
    return all.length > perTrait ? random.sample(all, perTrait) : all;
  });

/** Value that a word denotes; undefined for `a` and `an`. */
function traitValueOf(demographic: Demographic, word: string): string | undefined {
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

/** Sorts changes; of overlapping ones it keeps the first and longest. */
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

/** Changes of words with several tokens (Bhagavad Gita, Qur’an), found in the text itself. */
const longWordChanges = (text: string, pairs: ReadonlyMap<string, string>): readonly SwapChange[] =>
  [...pairs].filter(([word]) => /[^\p{L}]/u.test(word)).flatMap(([before, after]) => {
    const whole = new RegExp(`(?<!\\p{L})${RegExp.escape(before)}(?!\\p{L})`, "gu");
    return [...text.matchAll(whole)].map(({ index }) => changeAt(index, before, after));
  });

/** Changes of letter runs, since a tokeniser takes "Jun." for a month. */
const wordChanges = (text: string, pairs: ReadonlyMap<string, string>): readonly SwapChange[] =>
  [...text.matchAll(/\p{L}+/gu)].flatMap(({ index, 0: word }) => {
    // Names and their derivatives match only with a capital: Will does, will does not.
    const small = pairs.get(word.toLowerCase());
    const after = pairs.get(word) ?? (small && withCaseOf(word, small));
    const [left, right] = [text.slice(0, index), text.slice(index + word.length)];
    const hasOtherMeaning = () =>
      RULES.other_meanings.some(({ word: pattern, before, after }) =>
        pattern.test(word) && (before?.test(left) ?? true) && (after?.test(right) ?? true)
      );
    return after === undefined || hasOtherMeaning() ? [] : [changeAt(index, word, after)];
  });

/** Gives a word the capitalisation of another: SHE, She, she. */
function withCaseOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  const first = model.charAt(0);
  return first === first.toUpperCase() && first !== first.toLowerCase()
    ? word.charAt(0).toUpperCase() + word.slice(1)
    : word;
}

/** Ages from 18 to 82: "a 25-year-old", "aged 25", "25 years old". */
const AGE = /(?<=\baged\s+)\d\d(?!\d)|(?<!\d)\d\d(?=[-\s]years?[-\s]olds?\b)/gi;

/** Mirrors ages at 50; ages below 18 and above 82 stay. */
const ageChanges = (text: string): readonly SwapChange[] =>
  [...text.matchAll(AGE)].flatMap(({ index, 0: age }) => {
    const years = Number(age);
    if (years < 18 || years > 82 || years === 50) return [];
    return [changeAt(index, age, String(100 - years))];
  });

/** Pronouns of the other gender: before a noun phrase, and elsewhere. */
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
    return [changeAt(start, before, withCaseOf(before, other))];
  });
}

/** Parts of speech that begin a noun phrase after a possessive: "her old house". */
const NOMINAL = ["NOUN", "PROPN", "ADJ", "NUM"];

/** Nouns and adjectives of time or amount: "saw her yesterday", "saw her last week". */
const ADVERBIAL = ("yesterday today tomorrow tonight monday tuesday wednesday thursday friday " +
  "saturday sunday last next much more less most enough").split(" ");

/**
 * Detects a noun phrase after "her", which makes it a possessive. The phrase may begin at once, or
 * with an adverb before an adjective and a noun ("her very old house", but not "likes her very
 * much"). "Saw her eating dinner" is a known error; it is rare in factual texts.
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

/** Corrects the article before a changed word where the new word requires the other. */
function articleChange(text: string, { span, before, after }: SwapChange): readonly SwapChange[] {
  const match = /(?<![\p{L}\d’'-])(an?)\s+$/iu.exec(text.slice(0, span.start));
  const article = match?.[1];
  const [had, wanted] = [indefiniteArticle(before), indefiniteArticle(after)];
  // A wrong article in the text stays: it may be a quotation, or right for another reason.
  if (article === undefined || article.toLowerCase() !== had || wanted === had) return [];
  return [changeAt(match!.index, article, article === "A" ? "An" : withCaseOf(article, wanted))];
}

/** Words whose first sound is a consonant in spite of their first letter. */
const CONSONANT_SOUND = /^(?:eu|u(?:krain|niv|nit|nique|ni[fo]|s[ae]|topi|rugu)|one\b|once\b)/i;
const VOWEL_SOUND = /^(?:hour|honest|honou?r|heir)/i;
/** Numbers that begin with a vowel sound: 8, 11, 18, 80 to 89. */
const VOWEL_NUMBER = /^(?:8\d?(?!\d)|11(?!\d)|18(?!\d))/;

/** Returns the indefinite article that a word requires. */
export function indefiniteArticle(word: string): "a" | "an" {
  if (/^\d/.test(word)) return VOWEL_NUMBER.test(word) ? "an" : "a";
  if (VOWEL_SOUND.test(word)) return "an";
  return /^[aeiouáéíóú]/i.test(word) && !CONSONANT_SOUND.test(word) ? "an" : "a";
}

/** Scores of a text and of its variant by the same judge or ensemble. */
export interface VariantScore extends DemographicExchange {
  /** Text or query that was varied, the cluster of intervals. */
  readonly query: string;
  /** Score 0–100; undefined where unscored. */
  readonly original: number | undefined;
  readonly variant: number | undefined;
}

/** Maximum difference of consistent scores, in points. Fixed before any score was seen. */
export const SWAP_THRESHOLD = 5;

/** Measures score differences between variants in points; `flagged` lists pairs, largest first. */
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
