import { cosine } from "../../models/encoder/cosine.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { bestPart } from "./best_part.ts";
import { nameTerms } from "./names.ts";
import type { Passage, RetrievedPassage, Retriever } from "./passage.ts";
import { type PassageIndex, passageTerms } from "./passage_index.ts";
import { highestPossible, searchPostings } from "./postings.ts";
import { SentenceVectors } from "./sentence_vectors.ts";
import { termsOf } from "./terms.ts";

/** How passages are chosen. */
export interface RetrieverOptions {
  /** Passages given at most, from 1. */
  readonly limit?: number;
  /** Passages of the first stage that are looked at, from `limit`: each is encoded for re-ranking. */
  readonly candidates?: number;
  /**
   * Least share of the claim's weight, 0–1, that a passage's words hold: BM25 divided by the sum
   * of the idf of the claim's terms; 0.2 unless told, 0.1 with an encoder.
   */
  readonly minimumShare?: number;
  /** Whether a passage must have one of the claim's names, where the claim has any. */
  readonly requireName?: boolean;
  /** Least cosine of claim and best part, −1 to 1; of no effect without an encoder. */
  readonly minimumCosine?: number;
}

/**
 * Chosen on facts of the factbook in people's wordings, with 50 countries taken out of it (`deno task
 * bench retrieval`, 120 claims of each kind): re-ranked, 0.98 of the claims about countries in the
 * base are given a passage, and 0.16 of those about countries that are not; by words alone (600 of
 * each kind) 0.91 and 0.42. A cosine of 0.65 would give 0.95 and 0.09.
 */
export const RETRIEVER_DEFAULTS: Required<RetrieverOptions> = {
  limit: 5,
  candidates: 50,
  minimumShare: 0.2,
  requireName: true,
  minimumCosine: 0.6,
};

/** With re-ranking the cosine decides, and words only keep out what has next to none in common. */
const RERANKED_DEFAULTS: Required<RetrieverOptions> = { ...RETRIEVER_DEFAULTS, minimumShare: 0.1 };

/** A passage of the first stage. */
interface Candidate {
  readonly passage: Passage;
  readonly bm25: number;
}

/**
 * Looks passages up by BM25 and, with an encoder, orders the best of them by the cosine of the
 * claim and each passage's best part. What is under a threshold is not given.
 * @throws {RangeError} for a limit or candidates below 1; `retrieve` throws an Error that says
 * what to do where the index's files are gone.
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
      const found = firstStage(index, claim, chosen);
      const cosines = vectors ? await bestCosines(claim, found, vectors) : [];
      signal?.throwIfAborted();
      return ranked(found, cosines, chosen);
    },
  };
}

function checkOptions({ limit, candidates }: Required<RetrieverOptions>): void {
  for (const [name, value] of Object.entries({ limit, candidates })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new RangeError(`Cannot look passages up: ${name} is ${value}, expected 1 or more.`);
  }
}

function settingsOf(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  { minimumCosine, ...always }: Required<RetrieverOptions>,
): Retriever["settings"] {
  const first = { index: index.sha256, passages: index.postings.count, ...always };
  return encoder ? { ...first, encoder: encoder.name, minimumCosine } : first;
}

function firstStage(
  index: PassageIndex,
  claim: string,
  { limit, candidates, minimumShare, requireName }: Required<RetrieverOptions>,
): readonly Candidate[] {
  const terms = termsOf(claim);
  const least = minimumShare * highestPossible(index.postings, terms);
  const depth = Math.max(candidates, limit);
  const hits = searchPostings(index.postings, terms, depth).filter(({ score }) => score >= least);
  const passages = index.store.read(hits.map(({ number }) => number));
  const names = requireName ? nameTerms(claim) : new Set<string>();
  return hits
    .map(({ score }, rank) => ({ passage: passages[rank]!, bm25: score }))
    .filter(({ passage }) =>
      names.size === 0 || passageTerms(passage).some((term) => names.has(term))
    );
}

async function bestCosines(
  claim: string,
  found: readonly Candidate[],
  vectors: SentenceVectors,
): Promise<readonly number[]> {
  if (found.length === 0) return [];
  const terms = new Set(termsOf(claim));
  const parts = found.map(({ passage }) => bestPart(passage, terms));
  const [own, ...others] = await vectors.of([claim, ...parts]);
  return others.map((other) => cosine(own!, other));
}

function ranked(
  found: readonly Candidate[],
  cosines: readonly number[],
  { limit, minimumCosine }: Required<RetrieverOptions>,
): readonly RetrievedPassage[] {
  return found
    .map(({ passage, bm25 }, index) => ({ passage, bm25, cosine: cosines[index] }))
    .filter(({ cosine }) => cosine === undefined || cosine >= minimumCosine)
    // Without re-ranking the order of the first stage stays: the sort is stable.
    .sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
    .slice(0, limit)
    .map((one, index) => ({ ...one, rank: index + 1 }));
}
