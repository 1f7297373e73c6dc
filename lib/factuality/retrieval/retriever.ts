import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import {
  cosine,
  encoderSettings,
  type SentenceEncoder,
} from "../../models/encoder/network_encoder.ts";
import { type Component, type OpeningContext, timeLimit } from "../component.ts";
import type { Passage, Retriever } from "../types.ts";
import { highestSums, maximumScore, searchPostings, sumsOf, termsOf } from "./index.ts";
import { type KnowledgeSource, openIndex, type PassageIndex, passageTerms } from "./store.ts";
import { readArrays, writeArrays } from "./store.ts";
import { namedTitles, nameTerms, passageParts } from "./texts.ts";

/**
 * Default retrieval settings, chosen on facts of the factbook in people's wordings. 50 countries
 * were removed from it (`deno task study thresholds`). With re-ranking, the fact's passage is among
 * the five for 0.97 of the true claims and for 0.95 of those with another country's value. 0.10 of
 * the claims about removed countries get a passage.
 */
export const RETRIEVER_DEFAULTS = {
  /** Maximum number of passages returned, at least 1. */
  limit: 5,
  /** Number of first-stage passages, at least `limit`; each is encoded for re-ranking. */
  candidates: 50,
  /** Number of additional passages for each title that the claim names. */
  perTitle: 25,
  /** Number of sections of each such title compared by name, with an encoder. */
  sectionsPerTitle: 10,
  /** Minimum BM25 score as a share (0–1) of the claim's total idf; 0 with an encoder. */
  minimumShare: 0.2,
  /** True to require one of the claim's names in a passage, if any. */
  requireName: true,
  /** Minimum cosine of claim and best part, −1 to 1. Ignored without an encoder. */
  minimumCosine: 0.7,
  /** Reduction of the minimum (0–2) for a passage whose title the claim names. */
  titleAllowance: 0.2,
};
type RetrieverOptions = Readonly<typeof RETRIEVER_DEFAULTS>;

/**
 * Retrieves passages by BM25 and, with an encoder, re-ranks the best. They are ranked by the cosine
 * of the claim and each passage's best part. Passages below a threshold are dropped. `retrieve`
 * throws an Error with a remedy where the index's files have disappeared.
 */
export function retriever(
  index: PassageIndex,
  encoder: SentenceEncoder | undefined,
  options: Partial<RetrieverOptions> = {},
  vectors: SentenceVectors | undefined = encoder && sentenceVectors([encoder]).vectors,
): Retriever {
  // With re-ranking the cosine decides: a paraphrase may share only the country's name.
  const chosen = { ...RETRIEVER_DEFAULTS, ...encoder && { minimumShare: 0 }, ...options };
  const { minimumCosine, titleAllowance, sectionsPerTitle, ...always } = chosen;
  const first = { index: index.sha256, passages: index.postings.count, ...always };
  const reranking = { minimumCosine, titleAllowance, sectionsPerTitle };
  return {
    name: index.name,
    settings: encoder ? { ...first, ...encoderSettings(encoder), ...reranking } : first,
    async retrieve(claim, { signal } = {}) {
      signal?.throwIfAborted();
      const extraCandidates = vectors
        ? await nearestSections(index, claim, vectors, sectionsPerTitle, signal)
        : [];
      const candidateHits = candidatesOf(index, claim, { ...chosen, extraCandidates });
      const terms = new Set(termsOf(claim));
      const parts = vectors ? candidateHits.map(({ passage }) => bestPart(passage, terms)) : [];
      const [claimVector, ...others] = vectors && parts.length > 0
        ? await vectors([claim, ...parts], signal)
        : [];
      signal?.throwIfAborted();
      return candidateHits
        .map((one, at) => ({ ...one, cosine: others[at] && cosine(claimVector!, others[at]) }))
        .filter(({ cosine, titleNamed }) =>
          cosine === undefined || cosine >= minimumCosine - (titleNamed ? titleAllowance : 0)
        )
        // Without re-ranking the stable sort keeps the first stage's order.
        .sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
        .slice(0, chosen.limit)
        .map(({ passage, bm25, cosine }, at) => ({ passage, bm25, cosine, rank: at + 1 }));
    },
  };
}

/** Maximum number of passages per title whose sections are compared. A country has about 150. */
const MAX_PASSAGES = 500;

/**
 * Selects passages under the claim's titles whose section names are nearest to the claim. Example:
 * "22% of Tonga is wooded" shares only the name with "Land use. … forest: 12.4%".
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
    while (at >= 0 && numbers.length < MAX_PASSAGES) {
      numbers.push(at);
      at = titles.titleOf.indexOf(number, at + 1);
    }
    const sectionOf = store.read(numbers).map(({ section }) => section);
    const names = [...new Set(sectionOf)].filter((name) => name !== "");
    const [claimVector, ...others] = await vectors([claim, ...names], signal);
    const nearest = names.map((name, at) => ({ name, score: cosine(claimVector!, others[at]!) }))
      .sort((a, b) => b.score - a.score).slice(0, sections).map(({ name }) => name);
    near.push(...numbers.filter((_, at) => nearest.includes(sectionOf[at]!)));
  }
  return near;
}

/** Maximum length of an encoded part in words. Longer ones blur the vector and cost more. */
const PART_WORDS = 40;

/**
 * Selects the part of a passage that shares most words with the claim. Title and section precede
 * it: "France, Capital: Paris". Parts are sentences or list items of at most 40 words. Selection by
 * words leaves one text per passage to encode.
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
 * Selects candidates by BM25, highest first. A claim with a wrong value ("Kenya borders Norway")
 * has a word that the right passage lacks and wrong ones have. Each title that it names is
 * therefore also searched alone, by the claim's other words.
 */
function candidatesOf(
  { postings, titles, store }: PassageIndex,
  claim: string,
  { limit, candidates, perTitle, minimumShare, requireName, extraCandidates }:
    & RetrieverOptions
    & { readonly extraCandidates: readonly number[] },
) {
  const terms = termsOf(claim);
  const named = namedTitles(titles, claim)
    .map((one) => ({ ...one, titleTerms: termsOf(titles.titles[one.number]!.title) }));
  // "French" finds passages under "France"; the threshold still uses the claim's own words.
  const sums = sumsOf(postings, [...terms, ...named.flatMap(({ titleTerms }) => titleTerms)]);
  const highest = highestSums(sums, Math.max(candidates, limit)).map(({ number }) => number);
  const candidateNumbers = new Set([...highest, ...extraCandidates]);
  for (const { number, name, titleTerms } of named) {
    const others = terms.filter((term) => !name.includes(term) && !titleTerms.includes(term));
    const isUnder = (passage: number) => titles.titleOf[passage] === number;
    for (const hit of searchPostings(postings, others, perTitle, isUnder)) {
      candidateNumbers.add(hit.number);
    }
  }
  const least = minimumShare * maximumScore(postings, terms);
  const numbers = [...candidateNumbers].filter((number) => sums[number]! >= least)
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

/**
 * Encodes texts as sentence vectors, in order. @throws the signal's reason after the current run.
 */
type SentenceVectors = (
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly Float32Array<ArrayBuffer>[]>;

/** A file of vectors with the digest of its passages and encoder. */
interface VectorFile {
  readonly path: string;
  readonly owner: string;
}

/** Maximum number of cached vectors: 1.5 kB each with 384 components, 30 MB together. */
const MAX_CACHED_VECTORS = 20_000;
/** Number of new vectors after which the file is saved. A killed run loses no more. */
const SAVE_INTERVAL = 1000;

const HEADER = z.object({
  of: z.string(),
  dimensions: z.int().positive(),
  /** Keys of the texts, in the order of their vectors. */
  keys: z.array(z.string()),
});

/** Key of a text: a prefix of its SHA-256. */
const keyOf = (text: string) => sha256Hex(text).slice(0, 32);

/**
 * Caches sentence vectors; the oldest are evicted first. Claims of one text ask about the same
 * country or article, so about the same parts. With a file the cache persists between runs; a
 * truncated, damaged or foreign file is rebuilt. Several encoders share the work. A vector's last
 * digits depend on the texts encoded with it (a cosine varies by about 2e-4), so results that must
 * be reproducible use one encoder and no file.
 */
export function sentenceVectors(encoders: readonly SentenceEncoder[], file?: VectorFile) {
  const cached = file && readVectors(file) || new Map<string, Float32Array<ArrayBuffer>>();
  let unsaved = 0;
  const save = () => {
    if (file === undefined || unsaved === 0) return;
    const dimensions = encoders[0]!.dimensions;
    const all = new Float32Array(cached.size * dimensions);
    for (const [index, vector] of [...cached.values()].entries()) {
      all.set(vector, index * dimensions);
    }
    writeArrays(file.path, { of: file.owner, dimensions, keys: [...cached.keys()] }, [all]);
    unsaved = 0;
  };
  const vectors: SentenceVectors = async (texts, signal) => {
    const keys = texts.map(keyOf);
    const unknown = [...new Set(texts)].filter((text) => !cached.has(keyOf(text)));
    const share = Math.ceil(unknown.length / encoders.length);
    const encoded = await Promise.all(encoders.map((encoder, at) => {
      const batch = unknown.slice(at * share, (at + 1) * share);
      return batch.length > 0 ? encoder.encode(batch, { signal }) : [];
    }));
    for (const [at, vector] of encoded.flat().entries()) {
      cached.set(keyOf(unknown[at]!), new Float32Array(vector));
    }
    const vectorsOfTexts = keys.map((key) => cached.get(key)!);
    for (const key of cached.keys().take(Math.max(0, cached.size - MAX_CACHED_VECTORS))) {
      cached.delete(key);
    }
    unsaved += unknown.length;
    if (unsaved >= SAVE_INTERVAL) save();
    return vectorsOfTexts;
  };
  return { vectors, save };
}

function readVectors({ path, owner }: VectorFile) {
  return readArrays(path, HEADER.refine((header) => header.of === owner), (header, next) => {
    const { dimensions, keys } = header;
    return new Map(keys.map((key) => [key, new Float32Array(next(4 * dimensions))] as const));
  });
}

/** Configuration keys of every knowledge base. */
export const LOOKUP = {
  /** Minimum share of the claim's weight that a passage's words cover. The default was measured. */
  minimumShare: z.number().min(0).max(1).optional(),
  /** Minimum cosine of claim and passage with re-ranking; the default was measured. */
  minimumCosine: z.number().min(-1).max(1).optional(),
  /** Number of passages that a claim is checked against. */
  topK: z.int().min(1).max(50).default(5),
  /** True to re-rank BM25's results with the MiniLM encoder. */
  rerank: z.boolean().default(true),
  /** True to stop where the knowledge base is unavailable. Otherwise the source alone is used. */
  required: z.boolean().default(false),
  /** Time limit for one claim in seconds. */
  ...timeLimit(60),
};
type Lookup = Readonly<z.infer<z.ZodObject<typeof LOOKUP>>> & { readonly kind: string };

/** Makes a kind of knowledge base from its source, indexed once. */
export const knowledgeBase = <Schema extends z.ZodType<Lookup>>(
  schema: Schema,
  source: (entry: Readonly<z.infer<Schema>>, opening: OpeningContext) => KnowledgeSource,
): Component<Schema, Retriever> => ({
  schema,
  open: async (entry, opening) => await openRetriever(source(entry, opening), entry, opening),
});

async function openRetriever(
  source: KnowledgeSource,
  { kind, minimumShare, minimumCosine, topK: limit, rerank }: Lookup,
  opening: OpeningContext,
): Promise<Retriever> {
  const cacheDirectory = join(opening.cacheDirectory, "retrieval");
  const onProgress = (passages: number) =>
    opening.tell(kind, `${passages.toLocaleString("en")} passages indexed`);
  const index = await openIndex(source, { cacheDirectory, onProgress });
  const set = Object.entries({ minimumShare, minimumCosine }).filter(([, value]) => value != null);
  const options = { limit, ...Object.fromEntries(set) };
  if (!rerank) return retriever(index, undefined, options);
  const encoder = await opening.encoder();
  if (!opening.keepVectors) return retriever(index, encoder, options);
  const others = Array.from({ length: opening.threads - 1 }, (_, at) => at + 1);
  const encoders = [encoder, ...await Array.fromAsync(others, (lane) => opening.encoder(lane))];
  const owner = `${index.sha256} ${JSON.stringify(encoderSettings(encoder))}`;
  const path = join(cacheDirectory, `${sha256Hex(owner).slice(0, 32)}.vectors`);
  const { vectors, save } = sentenceVectors(encoders, { path, owner });
  opening.resources.defer(save);
  return retriever(index, encoder, options, vectors);
}
