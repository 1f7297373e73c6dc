import { bytesToHex } from "@noble/hashes/utils.js";
import { median, sum } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { canonicalSha256 } from "../hashes.ts";
import { canonicalText, isEmpty, wordsOf } from "../text.ts";
import type { Preparation } from "../configuration.ts";
import type { Segment } from "./outputs.ts";

/** 256 bits from the system's generator, in hexadecimal: the secret of a real run. */
export function newSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** 0 … n−1 sorted by SHA-256 over secret, purpose and number: who knows the seed cannot tell. */
export function secretOrder(secret: string, purpose: string, n: number): number[] {
  return Array.from({ length: n }, (_, number) => ({
    number,
    hash: canonicalSha256(["secret order", secret, purpose, number]),
  })).sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ number }) => number);
}

/**
 * Draws documents, or windows of consecutive segments, in random order; the last one is cut to fit.
 * Segments of a document stay together and in order, so that a rater can read on. The seed is
 * public: it decides what is rated, never which system is which. Throws RangeError where there are
 * fewer segments than `items`.
 */
export function sampleSegments(
  segments: readonly Segment[],
  { seed, items = segments.length, window_length = Infinity }:
    & Pick<Preparation, "seed">
    & Partial<Pick<Preparation, "items" | "window_length">>,
): Segment[] {
  if (items > segments.length) {
    throw new RangeError(`Cannot sample ${items} segments: there are ${segments.length}.`);
  }
  const units = [...Map.groupBy(segments, ({ document }) => document).values()].flatMap((own) => {
    const length = Math.min(window_length, own.length);
    const starts = Array.from({ length: Math.ceil(own.length / length) }, (_, it) => it * length);
    return starts.map((start) => own.slice(start, start + length));
  });
  const drawn = randomSource(seed).shuffle(units).flat().slice(0, items);
  const order = new Map(segments.map((segment, index) => [segment, index]));
  return [...Map.groupBy(drawn, ({ document }) => document).values()]
    .flatMap((group) => group.toSorted((a, b) => order.get(a)! - order.get(b)!));
}

/** What stands at one place of the workbook: the sampled segment with index `of`, and why. */
export interface Place {
  readonly kind: "rated" | "repeat" | "attention";
  readonly of: number;
}

/** How many items are added to the sampled ones. */
interface ExtraOptions extends Pick<Preparation, "repeats" | "attention_checks" | "min_distance"> {
  readonly secret: string;
  /** Whether the segment with this index has a translation that can be spoiled for a check. */
  readonly isSpoilable: (of: number) => boolean;
}

/**
 * The order of the workbook: the sampled segments with repeats and attention checks between documents,
 * each of another segment and at least `min_distance` items after it. Only the secret gives which.
 *
 * Throws RangeError if so many cannot be placed so far away, or too few items can be spoiled.
 */
export function placeExtras(segments: readonly Segment[], options: ExtraOptions): Place[] {
  const { secret, repeats, attention_checks, min_distance } = options;
  const eligible = secretOrder(secret, "extras", segments.length)
    .filter((of) => of + min_distance <= segments.length);
  if (repeats + attention_checks > eligible.length) {
    throw new RangeError(
      `Cannot place ${repeats} repeats and ${attention_checks} attention checks: only ` +
        `${eligible.length} of ${segments.length} items have an end of a document ${min_distance} ` +
        "or more items after them. Take fewer, or a smaller min_distance.",
    );
  }
  const ends = segments.flatMap(({ document }, index) =>
    document === segments[index + 1]?.document ? [] : [index + 1]
  );
  // Each goes to the end of a document, far enough away, that has the fewest extra items so far.
  const extras: { place: Place; end: number }[] = [];
  for (const place of drawn(eligible, options)) {
    const allowed = ends.filter((end) => end - place.of >= min_distance);
    const counts = allowed.map((end) => extras.filter((extra) => extra.end === end).length);
    const emptiest = allowed.filter((_, index) => counts[index] === Math.min(...counts));
    const [chosen] = secretOrder(secret, `end for ${place.of}`, emptiest.length);
    extras.push({ place, end: emptiest[chosen!]! });
  }
  return segments.flatMap((_, of): Place[] => [
    { kind: "rated", of },
    ...extras.filter(({ end }) => end === of + 1).map(({ place }) => place),
  ]);
}

/** Checks are drawn from what repeats leave, and from the repeats' own where that is too little. */
function drawn(
  eligible: readonly number[],
  { repeats, attention_checks, isSpoilable }: ExtraOptions,
): Place[] {
  const spoilable = [...eligible.slice(repeats), ...eligible.slice(0, repeats)].values()
    .filter(isSpoilable);
  const checks = [...spoilable.take(attention_checks)];
  if (checks.length < attention_checks) {
    throw new RangeError(
      `Cannot place ${attention_checks} attention checks: only ${checks.length} of ` +
        `${eligible.length} items have a translation that can be spoiled, one much like the others ` +
        "and of six words or more, or with another sentence's to put in its place.",
    );
  }
  const rest = eligible.filter((of) => !checks.includes(of)).slice(0, repeats);
  return [
    ...rest.map((of): Place => ({ kind: "repeat", of })),
    ...checks.map((of): Place => ({ kind: "attention", of })),
  ];
}

/** What a translation is spoiled with: any segment of the file may lend its own. */
interface SpoilOptions {
  readonly secret: string;
  readonly segments: readonly Segment[];
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

/** Spoils what `system` made of a segment so that any reader must notice; undefined if no way goes. */
export function spoil(item: Segment, system: number, options: SpoilOptions) {
  const own = new Set(item.translations.map(canonicalText));
  for (const index of secretOrder(options.secret, `way for ${nameOf(item)}`, WAYS.length)) {
    const [spoiledBy, way] = WAYS[index]!;
    const text = way(item, system, options);
    if (text !== undefined && !own.has(text)) return { text, spoiledBy };
  }
  return undefined;
}

/**
 * The translation most like the others by its words (mean Dice coefficient), the longer of two, cut
 * ones left out: the least likely to be bad already. Undefined where no two share a word.
 */
export function mostTypical(translations: readonly string[], language?: string) {
  const words = translations.map((text) => wordSet(text, language));
  const lengths = translations.map((text) => [...text].length);
  const filled = lengths.filter((_, index) => words[index]!.size > 0);
  if (filled.length === 0) return undefined;
  const shortest = SHORTEST * median(filled);
  const [best] = words
    .map((one, index) => ({
      index,
      likeness: sum(words.toSpliced(index, 1).map((other) => dice(one, other))),
    }))
    .filter(({ index, likeness }) => lengths[index]! >= shortest && likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || lengths[b.index]! - lengths[a.index]!);
  return best?.index;
}

const wordSet = (text: string, language?: string): ReadonlySet<string> =>
  new Set(wordsOf(text, language).map((it) => it.text));

function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const size = one.size + other.size;
  return size === 0 ? 0 : 2 * one.intersection(other).size / size;
}

/** What the same system made of another source, unlike the own, of another document if any. */
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
const nameOf = ({ document, segment }: Segment) => JSON.stringify([document, segment]);
