import { cosine } from "../../models/encoder/cosine.ts";
import { encoderSettings } from "../../models/encoder/encoder_settings.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { bestPart } from "./best_part.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { nearestSections } from "./nearest_sections.ts";
import type { RetrievedPassage, Retriever } from "./passage.ts";
import type { PassageIndex } from "./passage_index.ts";
import { SentenceVectors } from "./sentence_vectors.ts";
import { termsOf } from "./terms.ts";

/** How passages are chosen. */
export interface RetrieverOptions {
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
