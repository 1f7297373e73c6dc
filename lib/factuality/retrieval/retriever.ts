import {
  cosine,
  encoderSettings,
  type SentenceEncoder,
} from "../../models/encoder/network_encoder.ts";
import type { Passage, RetrievedPassage, Retriever } from "../types.ts";
import { highestPossible, highestSums, searchAmong, sumsOf, termsOf } from "./index.ts";
import { type PassageIndex, passageTerms } from "./store.ts";
import { type NamedTitle, namedTitles, nameTerms, passageParts } from "./texts.ts";

/** Words that a sentence vector is made of: more would blur it, and cost more to encode. */
const PART_WORDS = 40;

/**
 * The part of a passage (sentences, or items of a list, of 40 words at most) that has the most of
 * the claim's words in common, under the passage's title and section: "France, Capital: Paris".
 * Choosing it by words is what leaves one text a passage to be encoded.
 */
export function bestPart({ title, section, text }: Passage, terms: ReadonlySet<string>): string {
  let best = { part: "", common: -1 };
  for (const part of passageParts(text, PART_WORDS)) {
    const common = new Set(termsOf(part).filter((term) => terms.has(term))).size;
    if (common > best.common) best = { part, common };
  }
  const heading = [title, best.part.startsWith(section) ? "" : section].filter((one) => one !== "");
  return heading.length === 0 ? best.part : `${heading.join(", ")}: ${best.part}`;
}

/** Passages of one title that are asked for their sections: a country has some 150. */
const MOST_PASSAGES = 500;

/**
 * Numbers of the passages under the titles that a claim names whose sections, so many a title, are
 * called what is nearest to the claim: "22% of Tonga is wooded" has no word of "Land use. … forest:
 * 12.4%" beside the name. The names of sections come again from title to title, so that hardly
 * anything is encoded for it.
 */
export async function nearestSections(
  index: PassageIndex,
  claim: string,
  vectors: SentenceVectors,
  { sections, signal }: { readonly sections: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly number[]> {
  if (sections < 1) return [];
  const near: number[] = [];
  for (const { number } of namedTitles(index.titles, claim)) {
    const numbers = passagesUnder(index, number);
    const passages = index.store.read(numbers);
    const names = [...new Set(passages.map(({ section }) => section))].filter((name) =>
      name !== ""
    );
    const nearest = await nearestNames(claim, names, vectors, { sections, signal });
    near.push(...numbers.filter((_, at) => nearest.has(passages[at]!.section)));
  }
  return near;
}

function passagesUnder({ titles }: PassageIndex, title: number): readonly number[] {
  const numbers: number[] = [];
  let at = titles.titleOf.indexOf(title);
  while (at >= 0 && numbers.length < MOST_PASSAGES) {
    numbers.push(at);
    at = titles.titleOf.indexOf(title, at + 1);
  }
  return numbers;
}

async function nearestNames(
  claim: string,
  names: readonly string[],
  vectors: SentenceVectors,
  { sections, signal }: { readonly sections: number; readonly signal: AbortSignal | undefined },
): Promise<ReadonlySet<string>> {
  const [own, ...others] = await vectors.of([claim, ...names], signal);
  const scored = names.map((name, at) => ({ name, score: cosine(own!, others[at]!) }));
  const best = scored.sort((a, b) => b.score - a.score).slice(0, sections);
  return new Set(best.map(({ name }) => name));
}

/** Vectors kept: 1.5 kB each of 384 components, 30 MB together. */
const KEPT = 20_000;

/**
 * Sentence vectors of passages' parts, each encoded once and kept: claims of one text ask about the
 * same country or article, so about the same parts. The encoder's own cache holds token vectors too,
 * and so far fewer texts.
 */
export class SentenceVectors {
  readonly #encoder: SentenceEncoder;
  readonly #kept = new Map<string, Float32Array>();

  constructor(encoder: SentenceEncoder) {
    this.#encoder = encoder;
  }

  /** One vector a text, in order. Throws the signal's reason when it aborts. */
  async of(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.#kept.has(text));
    const encoded = unknown.length > 0
      ? await this.#encoder.encode(unknown, signal ? { signal } : {})
      : [];
    for (const [index, { sentence }] of encoded.entries()) {
      this.#kept.set(unknown[index]!, sentence.slice());
    }
    const vectors = texts.map((text) => this.#kept.get(text)!);
    this.#forget();
    return vectors;
  }

  /** The oldest go first. */
  #forget(): void {
    for (const text of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(text);
    }
  }
}

/** How passages are chosen. */
interface RetrieverOptions {
  /** Passages given at most, from 1. */
  readonly limit?: number;
  /** Passages of the first stage that are looked at, from `limit`: each is encoded for re-ranking. */
  readonly candidates?: number;
  /** Passages that are looked at beside them of each title that the claim names. */
  readonly perTitle?: number;
  /** Sections of each such title that are looked at for what they are called, with an encoder. */
  readonly sectionsPerTitle?: number;
  /**
   * Least share of the claim's weight, 0–1, that a passage's words hold: BM25 divided by the sum
   * of the idf of the claim's terms; 0.2 unless told, 0 with an encoder.
   */
  readonly minimumShare?: number;
  /** Whether a passage must have one of the claim's names, where the claim has any. */
  readonly requireName?: boolean;
  /** Least cosine of claim and best part, −1 to 1; of no effect without an encoder. */
  readonly minimumCosine?: number;
  /** How much less is enough for a passage whose title the claim names, 0–2. */
  readonly titleAllowance?: number;
}

/**
 * Chosen on facts of the factbook in people's wordings, with 50 countries taken out of it (`deno task
 * bench thresholds`, 60 claims of each kind): re-ranked, every claim about a country in the base is
 * given a passage; the fact's own is among the five for 0.97 of the true claims, and for 0.95 of
 * those that have another country's value instead; 0.10 of the claims about countries taken out are
 * given one. Without a look under the titles named, and 0.6 as the least cosine of all, these were
 * 0.98, 0.78 and 0.27. By words alone (300 of each) they are 0.97, 0.72 and 0.38.
 */
export const RETRIEVER_DEFAULTS: Required<RetrieverOptions> = {
  limit: 5,
  candidates: 50,
  perTitle: 25,
  sectionsPerTitle: 10,
  minimumShare: 0.2,
  requireName: true,
  minimumCosine: 0.7,
  titleAllowance: 0.2,
};

/** With re-ranking the cosine decides: a claim in other words may share but the country's name. */
const RERANKED_DEFAULTS: Required<RetrieverOptions> = { ...RETRIEVER_DEFAULTS, minimumShare: 0 };

/**
 * Looks passages up by BM25 and, with an encoder, orders the best of them by the cosine of the
 * claim and each passage's best part. What is under a threshold is not given.
 * @throws {RangeError} for a number of passages or a threshold that is out of range; `retrieve` throws
 * an Error that says what to do where the index's files are gone.
 */
export function retriever(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  options: RetrieverOptions = {},
): Retriever {
  const chosen = { ...(encoder ? RERANKED_DEFAULTS : RETRIEVER_DEFAULTS), ...options };
  checkOptions(chosen);
  const vectors = encoder && new SentenceVectors(encoder);
  return {
    name: index.name,
    settings: settingsOf(index, encoder, chosen),
    async retrieve(claim, { signal } = {}) {
      signal?.throwIfAborted();
      const { candidates, limit, sectionsPerTitle } = chosen;
      const beside = vectors
        ? await nearestSections(index, claim, vectors, { sections: sectionsPerTitle, signal })
        : [];
      const depth = Math.max(candidates, limit);
      const found = candidatesOf(index, claim, { ...chosen, depth, beside });
      const cosines = vectors ? await bestCosines(claim, found, vectors, signal) : [];
      signal?.throwIfAborted();
      return ranked(found, cosines, chosen);
    },
  };
}

const LEAST_COUNTS = { limit: 1, candidates: 1, perTitle: 0, sectionsPerTitle: 0 } as const;
const RANGES = { minimumShare: [0, 1], minimumCosine: [-1, 1], titleAllowance: [0, 2] } as const;

function checkOptions(options: Required<RetrieverOptions>): void {
  const refuse = (name: keyof RetrieverOptions, expected: string) => {
    throw new RangeError(
      `Cannot look passages up: ${name} is ${options[name]}, expected ${expected}.`,
    );
  };
  for (const [key, least] of Object.entries(LEAST_COUNTS)) {
    const name = key as keyof typeof LEAST_COUNTS;
    if (!Number.isInteger(options[name]) || options[name] < least) refuse(name, `${least} or more`);
  }
  for (const [key, [low, high]] of Object.entries(RANGES)) {
    const name = key as keyof typeof RANGES;
    if (!(options[name] >= low && options[name] <= high)) refuse(name, `${low} to ${high}`);
  }
}

function settingsOf(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  { minimumCosine, titleAllowance, sectionsPerTitle, ...always }: Required<RetrieverOptions>,
): Retriever["settings"] {
  const first = { index: index.sha256, passages: index.postings.count, ...always };
  const reranking = { minimumCosine, titleAllowance, sectionsPerTitle };
  return encoder ? { ...first, ...encoderSettings(encoder), ...reranking } : first;
}

async function bestCosines(
  claim: string,
  found: readonly Candidate[],
  vectors: SentenceVectors,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  if (found.length === 0) return [];
  const terms = new Set(termsOf(claim));
  const parts = found.map(({ passage }) => bestPart(passage, terms));
  const [own, ...others] = await vectors.of([claim, ...parts], signal);
  return others.map((other) => cosine(own!, other));
}

function ranked(
  found: readonly Candidate[],
  cosines: readonly number[],
  { limit, minimumCosine, titleAllowance }: Required<RetrieverOptions>,
): readonly RetrievedPassage[] {
  return found
    .map((candidate, index) => ({ ...candidate, cosine: cosines[index] }))
    .filter(({ cosine, titleNamed }) =>
      cosine === undefined || cosine >= minimumCosine - (titleNamed ? titleAllowance : 0)
    )
    // Without re-ranking the order of the first stage stays: the sort is stable.
    .sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
    .slice(0, limit)
    .map(({ passage, bm25, cosine }, index) => ({ passage, bm25, cosine, rank: index + 1 }));
}

/** How passages come to be looked at. */
interface CandidateOptions {
  /** Passages with the highest BM25, at most. */
  readonly depth: number;
  /** Beside them, of each title that the claim names, passages with the most of its other words. */
  readonly perTitle: number;
  /** Numbers of passages that are looked at in any case. */
  readonly beside: readonly number[];
  /** Least share of the claim's weight that a passage's words hold, 0–1. */
  readonly minimumShare: number;
  /** Whether a passage must have one of the claim's names, where the claim has any. */
  readonly requireName: boolean;
}

/** A passage of the first stage. */
interface Candidate {
  readonly passage: Passage;
  readonly bm25: number;
  /** Whether the claim names its title. */
  readonly titleNamed: boolean;
}

/**
 * Passages worth a closer look, by BM25, the highest first. A claim with a wrong value has a word
 * that the right passage lacks and many wrong ones have ("Kenya borders Norway"), so each title that
 * it names is searched by itself, too.
 */
export function candidatesOf(
  index: PassageIndex,
  claim: string,
  options: CandidateOptions,
): readonly Candidate[] {
  const { postings, titles } = index;
  const terms = termsOf(claim);
  const named = namedTitles(titles, claim);
  const titleTerms = named.flatMap(({ number }) => termsOf(titles.titles[number]!.title));
  // "French" finds what stands under "France"; the claim's weight stays that of its own words.
  const sums = sumsOf(postings, [...terms, ...titleTerms]);
  const highest = highestSums(sums, options.depth).map(({ number }) => number);
  const found = new Set([...highest, ...options.beside]);
  for (const title of named) {
    for (const number of underTitle(index, terms, title, options.perTitle)) found.add(number);
  }
  const least = options.minimumShare * highestPossible(postings, terms);
  const numbers = [...found].filter((number) => sums[number]! >= least)
    .sort((a, b) => sums[b]! - sums[a]! || a - b);
  const isNamed = new Set(named.map(({ number }) => number));
  const passages = index.store.read(numbers);
  const candidates = numbers.map((number, rank) => ({
    passage: passages[rank]!,
    bm25: sums[number]!,
    titleNamed: isNamed.has(titles.titleOf[number]!),
  }));
  return options.requireName ? candidates.filter(hasName(nameTerms(claim))) : candidates;
}

/** Numbers of a title's passages that have most of the claim's words beside the title's name. */
function underTitle(
  { postings, titles }: PassageIndex,
  terms: readonly string[],
  { number, name }: NamedTitle,
  limit: number,
): readonly number[] {
  const own = new Set([...name, ...termsOf(titles.titles[number]!.title)]);
  const others = terms.filter((term) => !own.has(term));
  return searchAmong(postings, others, limit, (passage) => titles.titleOf[passage] === number)
    .map((hit) => hit.number);
}

function hasName(names: ReadonlySet<string>): (candidate: Candidate) => boolean {
  return ({ passage, titleNamed }) =>
    titleNamed || names.size === 0 || passageTerms(passage).some((term) => names.has(term));
}
