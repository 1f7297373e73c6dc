import { median } from "simple-statistics";
import { canonicalText } from "../canonical_text.ts";
import { isEmpty } from "./lengths.ts";
import { secretOrder } from "./secret_order.ts";
import type { Segment } from "./system_outputs.ts";
import { wordsOf } from "./words.ts";

/** A translation made clearly worse, and how. */
export interface Spoiled {
  readonly text: string;
  readonly spoiledBy: string;
}

/** What a translation is spoiled with. */
export interface SpoilOptions {
  readonly secret: string;
  /** All segments of the researcher's file: another one lends its translation. */
  readonly segments: readonly Segment[];
  /** BCP 47 tag of the translations, for their words. */
  readonly language: string | undefined;
}

/** Of the words of two texts, the share in common (Dice) up to which they are taken for different. */
const MOST_ALIKE = 0.5;

/** Of an item's median length, the share below which a text is taken for one that is cut off. */
const SHORTEST = 0.7;

type Way = (item: Segment, system: number, options: SpoilOptions) => string | undefined;

/** How a translation is spoiled: by a name that the key keeps. Undefined where it cannot be. */
const WAYS: readonly (readonly [spoiledBy: string, way: Way])[] = [
  ["translation of another segment", fromAnotherSegment],
  ["words shuffled", shuffledWords],
  ["cut after a third", cutShort],
];

/**
 * Spoils what `system` made of a segment, so that any rater who reads it must notice. Which way, and
 * with what, only the secret gives. The result is none of the segment's own translations; undefined
 * if no way can be gone: a text of few words in a file of one segment.
 */
export function spoil(
  item: Segment,
  system: number,
  options: SpoilOptions,
): Spoiled | undefined {
  const own = new Set(item.translations.map(canonicalText));
  const order = secretOrder(options.secret, `way for ${nameOf(item)}`, WAYS.length);
  for (const [spoiledBy, way] of order.map((index) => WAYS[index]!)) {
    const text = way(item, system, options);
    if (text !== undefined && !own.has(text)) return { text, spoiledBy };
  }
  return undefined;
}

/**
 * The translation most like the others by its words (highest mean Dice coefficient), the longer one
 * where two are equally alike. It is the least likely to be bad already: to spoil a translation that
 * is spoiled would check nothing. A text far shorter than the others is none, since the beginning of
 * a good translation is much like it. Undefined where no text shares a word with another.
 */
export function mostTypical(
  translations: readonly string[],
  language?: string,
): number | undefined {
  const words = translations.map((text) => wordSet(text, language));
  const lengths = translations.map((text) => [...text].length);
  const filled = lengths.filter((_, index) => words[index]!.size > 0);
  if (filled.length === 0) return undefined;
  const shortest = SHORTEST * median(filled);
  const [best] = words
    .map((one, index) => ({ index, likeness: likenessTo(one, words.toSpliced(index, 1)) }))
    .filter(({ index, likeness }) => lengths[index]! >= shortest && likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || lengths[b.index]! - lengths[a.index]!);
  return best?.index;
}

function likenessTo(one: ReadonlySet<string>, others: readonly ReadonlySet<string>[]): number {
  return others.reduce((sum, other) => sum + dice(one, other), 0);
}

function wordSet(text: string, language?: string): ReadonlySet<string> {
  return new Set(wordsOf(text, language).map((it) => it.text));
}

function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const size = one.size + other.size;
  return size === 0 ? 0 : 2 * one.intersection(other).size / size;
}

/**
 * What the same system made of another source, of another document where there is one. It must not
 * read like one of the segment's own translations, as a heading that comes again does.
 */
function fromAnotherSegment(item: Segment, system: number, options: SpoilOptions) {
  const { secret, segments, language } = options;
  const own = item.translations.map((text) => wordSet(text, language));
  const lenders = segments.filter(({ source, translations }) => {
    if (source === item.source || isEmpty(translations[system]!)) return false;
    const words = wordSet(translations[system]!, language);
    return own.every((it) => dice(it, words) <= MOST_ALIKE);
  });
  const farther = lenders.filter(({ document }) => document !== item.document);
  const drawn = farther.length > 0 ? farther : lenders;
  const lender = drawn[secretOrder(secret, `lender for ${nameOf(item)}`, drawn.length)[0] ?? -1];
  return lender && canonicalText(lender.translations[system]!);
}

function shuffledWords(item: Segment, system: number, { secret, language }: SpoilOptions) {
  const text = canonicalText(item.translations[system]!);
  const words = wordsOf(text, language);
  if (words.length < 6) return undefined;
  const order = secretOrder(secret, `words of ${nameOf(item)}`, words.length);
  const pieces = words.map(({ start }, index) =>
    text.slice(index === 0 ? 0 : words[index - 1]!.end, start) + words[order[index]!]!.text
  );
  return pieces.join("") + text.slice(words.at(-1)!.end);
}

function cutShort(item: Segment, system: number, { language }: SpoilOptions) {
  const text = canonicalText(item.translations[system]!);
  const words = wordsOf(text, language);
  return words.length < 6 ? undefined : text.slice(0, words[Math.floor(words.length / 3) - 1]!.end);
}

/** Identifiers may begin anew in each document. */
function nameOf({ document, segment }: Segment): string {
  return JSON.stringify([document, segment]);
}
