import { nameTerms } from "./names.ts";
import type { Passage } from "./passage.ts";
import { type PassageIndex, passageTerms } from "./passage_index.ts";
import { highestPossible, highestSums, searchAmong, sumsOf } from "./postings.ts";
import { termsOf } from "./terms.ts";
import { type NamedTitle, namedTitles } from "./title_index.ts";

/** How passages come to be looked at. */
export interface CandidateOptions {
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
export interface Candidate {
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
