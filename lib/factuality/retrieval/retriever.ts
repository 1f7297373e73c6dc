import { cosine, encoderSettings } from "../../models/encoder/network_encoder.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { Passage, Retriever } from "../types.ts";
import { highestPossible, highestSums, searchPostings, sumsOf, termsOf } from "./index.ts";
import { type PassageIndex, passageTerms } from "./store.ts";
import { namedTitles, nameTerms, passageParts } from "./texts.ts";
import { type SentenceVectors, sentenceVectors } from "./vectors.ts";

/**
 * Chosen on facts of the factbook in people's wordings, with 50 countries taken out of it (`deno task
 * bench thresholds`): re-ranked, the fact's own passage is among the five for 0.97 of the true claims
 * and 0.95 of those with another country's value; 0.10 of the claims about countries taken out are
 * given one.
 */
export const RETRIEVER_DEFAULTS = {
  /** Passages given at most, from 1. */
  limit: 5,
  /** Passages of the first stage that are looked at, from `limit`: each is encoded for re-ranking. */
  candidates: 50,
  /** Passages that are looked at beside them of each title that the claim names. */
  perTitle: 25,
  /** Sections of each such title that are looked at for what they are called, with an encoder. */
  sectionsPerTitle: 10,
  /** Least share, 0–1, of the sum of idf of the claim's terms that BM25 reaches; 0 with an encoder. */
  minimumShare: 0.2,
  /** Whether a passage must have one of the claim's names, where the claim has any. */
  requireName: true,
  /** Least cosine of claim and best part, −1 to 1; of no effect without an encoder. */
  minimumCosine: 0.7,
  /** How much less is enough for a passage whose title the claim names, 0–2. */
  titleAllowance: 0.2,
};
type RetrieverOptions = Readonly<typeof RETRIEVER_DEFAULTS>;

/**
 * Looks passages up by BM25 and, with an encoder, orders the best of them by the cosine of the
 * claim and each passage's best part. What is under a threshold is not given. `retrieve` throws an
 * Error that says what to do where the index's files are gone.
 */
export function retriever(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  options: Partial<RetrieverOptions> = {},
  vectors: SentenceVectors | undefined = encoder && sentenceVectors([encoder]).vectors,
): Retriever {
  // With re-ranking the cosine decides: a claim in other words may share but the country's name.
  const chosen = { ...RETRIEVER_DEFAULTS, ...encoder && { minimumShare: 0 }, ...options };
  const { minimumCosine, titleAllowance, sectionsPerTitle, ...always } = chosen;
  const first = { index: index.sha256, passages: index.postings.count, ...always };
  const reranking = { minimumCosine, titleAllowance, sectionsPerTitle };
  return {
    name: index.name,
    settings: encoder ? { ...first, ...encoderSettings(encoder), ...reranking } : first,
    async retrieve(claim, { signal } = {}) {
      signal?.throwIfAborted();
      const beside = vectors
        ? await nearestSections(index, claim, vectors, sectionsPerTitle, signal)
        : [];
      const found = candidatesOf(index, claim, { ...chosen, beside });
      const terms = new Set(termsOf(claim));
      const parts = vectors ? found.map(({ passage }) => bestPart(passage, terms)) : [];
      const [own, ...others] = vectors && parts.length > 0
        ? await vectors([claim, ...parts], signal)
        : [];
      signal?.throwIfAborted();
      return found
        .map((one, at) => ({ ...one, cosine: others[at] && cosine(own!, others[at]) }))
        .filter(({ cosine, titleNamed }) =>
          cosine === undefined || cosine >= minimumCosine - (titleNamed ? titleAllowance : 0)
        )
        // Without re-ranking the order of the first stage stays: the sort is stable.
        .sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
        .slice(0, chosen.limit)
        .map(({ passage, bm25, cosine }, at) => ({ passage, bm25, cosine, rank: at + 1 }));
    },
  };
}

/** Passages of one title that are asked for their sections: a country has some 150. */
const MOST_PASSAGES = 500;

/**
 * Passages under the titles that a claim names, of those sections, so many a title, whose names are
 * nearest to the claim: "22% of Tonga is wooded" has no word of "Land use. … forest: 12.4%" beside the
 * name.
 */
async function nearestSections(
  { titles, store }: PassageIndex,
  claim: string,
  vectors: SentenceVectors,
  sections: number,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  if (sections < 1) return [];
  const near: number[] = [];
  for (const { number } of namedTitles(titles, claim)) {
    const numbers: number[] = [];
    let at = titles.titleOf.indexOf(number);
    while (at >= 0 && numbers.length < MOST_PASSAGES) {
      numbers.push(at);
      at = titles.titleOf.indexOf(number, at + 1);
    }
    const sectionOf = store.read(numbers).map(({ section }) => section);
    const names = [...new Set(sectionOf)].filter((name) => name !== "");
    const [own, ...others] = await vectors([claim, ...names], signal);
    const nearest = names.map((name, at) => ({ name, score: cosine(own!, others[at]!) }))
      .sort((a, b) => b.score - a.score).slice(0, sections).map(({ name }) => name);
    near.push(...numbers.filter((_, at) => nearest.includes(sectionOf[at]!)));
  }
  return near;
}

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
    const common = new Set(termsOf(part)).intersection(terms).size;
    if (common > best.common) best = { part, common };
  }
  const heading = [title, best.part.startsWith(section) ? "" : section].filter(Boolean);
  return heading.length === 0 ? best.part : `${heading.join(", ")}: ${best.part}`;
}

/**
 * Passages worth a closer look, by BM25, the highest first. A claim with a wrong value has a word
 * that the right passage lacks and many wrong ones have ("Kenya borders Norway"), so each title that
 * it names is searched by itself, too, for most of the claim's words beside the title's name.
 */
function candidatesOf(
  { postings, titles, store }: PassageIndex,
  claim: string,
  { limit, candidates, perTitle, minimumShare, requireName, beside }:
    & RetrieverOptions
    & { readonly beside: readonly number[] },
) {
  const terms = termsOf(claim);
  const named = namedTitles(titles, claim)
    .map((one) => ({ ...one, own: termsOf(titles.titles[one.number]!.title) }));
  // "French" finds what stands under "France"; the claim's weight stays that of its own words.
  const sums = sumsOf(postings, [...terms, ...named.flatMap(({ own }) => own)]);
  const highest = highestSums(sums, Math.max(candidates, limit)).map(({ number }) => number);
  const found = new Set([...highest, ...beside]);
  for (const { number, name, own } of named) {
    const others = terms.filter((term) => !name.includes(term) && !own.includes(term));
    const isUnder = (passage: number) => titles.titleOf[passage] === number;
    for (const hit of searchPostings(postings, others, perTitle, isUnder)) found.add(hit.number);
  }
  const least = minimumShare * highestPossible(postings, terms);
  const numbers = [...found].filter((number) => sums[number]! >= least)
    .sort((a, b) => sums[b]! - sums[a]! || a - b);
  const isNamed = new Set(named.map(({ number }) => number));
  const names = requireName ? nameTerms(claim) : new Set();
  const passages = store.read(numbers);
  return numbers.map((number, rank) => ({
    passage: passages[rank]!,
    bm25: sums[number]!,
    titleNamed: isNamed.has(titles.titleOf[number]!),
  })).filter(({ passage, titleNamed }) =>
    titleNamed || names.size === 0 || passageTerms(passage).some((term) => names.has(term))
  );
}
