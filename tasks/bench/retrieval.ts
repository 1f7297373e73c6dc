import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mean, median, quantile } from "simple-statistics";
import { z } from "zod";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import type { Passage } from "../../lib/factuality/retrieval/passage.ts";
import {
  buildIndex,
  type PassageIndex,
  passageTerms,
} from "../../lib/factuality/retrieval/passage_index.ts";
import { type Hit, searchPostings } from "../../lib/factuality/retrieval/postings.ts";
import { retriever } from "../../lib/factuality/retrieval/retriever.ts";
import { termsOf } from "../../lib/factuality/retrieval/terms.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { pythonWith } from "../python/environment.ts";
import { compareAlternating, type Comparison } from "./alternating.ts";
import { openLineProcess } from "./line_process.ts";

const REQUIREMENTS = new URL("retrieval_bm25s.txt", import.meta.url);
const SCRIPT = fileURLToPath(new URL("retrieval_bm25s.py", import.meta.url));
const SEED = "retrieval speed";
const PASSAGES = 20_000;
const QUERIES = 200;
const QUERY_WORDS = 15;
const TOP = 10;
/** Scores nearer than this are one: bm25s adds in single precision. */
const TIE = 1e-4;
const ANSWER = z.object({
  milliseconds: z.number(),
  numbers: z.array(z.int()),
  scores: z.array(z.number()),
});

/** Retrieval over 20,000 passages of the factbook, with queries made of 200 others. */
export interface RetrievalSpeed {
  /** Our search against bm25s's on the same terms, in milliseconds a query. */
  readonly comparison: Comparison;
  /** Mean share of bm25s's ten best that are among ours, 0–1. */
  readonly overlap: number;
  /** The same where passages with the score of our tenth count as ours: ties are cut anyhow. */
  readonly overlapWithTies: number;
  /** Milliseconds of `retrieve` from the claim's text, without re-ranking. */
  readonly median: number;
  readonly ninetyNinth: number;
}

/**
 * Measures both in one run, taking turns; the terms are ours for both.
 * @throws {Error} where Python is missing, pip fails, or the factbook cannot be had.
 */
export async function retrievalSpeed(cacheDirectory: string): Promise<RetrievalSpeed> {
  const { passages, queries } = await sampled(cacheDirectory);
  const index = await buildIndex("factbook, sampled", passages);
  const whole = await timesOfRetrieve(index, queries);
  await using bm25s = await openBm25s(cacheDirectory, passages.map(passageTerms));
  const overlaps: { readonly strict: number; readonly tied: number }[] = [];
  const comparison = await compareAlternating(queries.map(termsOf), (terms) => {
    searchPostings(index.postings, terms, TOP);
    return Promise.resolve();
  }, async (terms) => {
    const { milliseconds, ...theirs } = await bm25s.ask([...new Set(terms)]);
    overlaps.push(overlapOf(searchPostings(index.postings, terms, TOP), theirs));
    return milliseconds;
  });
  return {
    comparison,
    overlap: mean(overlaps.map(({ strict }) => strict)),
    overlapWithTies: mean(overlaps.map(({ tied }) => tied)),
    median: median(whole),
    ninetyNinth: quantile(whole, 0.99),
  };
}

function overlapOf(
  ours: readonly Hit[],
  theirs: { readonly numbers: readonly number[]; readonly scores: readonly number[] },
) {
  const own = new Set(ours.map(({ number }) => number));
  const tenth = ours.at(-1)?.score ?? 0;
  const strict = theirs.numbers.filter((number) => own.has(number));
  const tied = theirs.numbers.filter((number, rank) =>
    own.has(number) || Math.abs(theirs.scores[rank]! - tenth) < TIE
  );
  return { strict: strict.length / TOP, tied: tied.length / TOP };
}

async function sampled(cacheDirectory: string) {
  const all = randomSource(SEED).shuffle(await factbookPassages(cacheDirectory));
  const query = ({ title, text }: Passage) =>
    `${title}: ${text}`.split(" ").slice(0, QUERY_WORDS).join(" ");
  return {
    passages: all.slice(0, PASSAGES),
    queries: all.slice(PASSAGES, PASSAGES + QUERIES).map(query),
  };
}

async function timesOfRetrieve(
  index: PassageIndex,
  queries: readonly string[],
): Promise<number[]> {
  const search = retriever(index, undefined, { limit: TOP, minimumShare: 0, requireName: false });
  await search.retrieve(queries[0]!);
  const times: number[] = [];
  for (const query of queries) {
    const begun = performance.now();
    await search.retrieve(query);
    times.push(performance.now() - begun);
  }
  return times;
}

async function openBm25s(cacheDirectory: string, passages: readonly (readonly string[])[]) {
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  const python = await pythonWith({
    folder: join(cacheDirectory, "python-bm25s"),
    requirements,
    what: "bm25s",
    installs: [requirements.trim().split("\n")],
  });
  const child = openLineProcess(python, [SCRIPT], { what: "bm25s" });
  await child.ask(JSON.stringify(passages));
  return {
    ask: async (terms: readonly string[]) =>
      ANSWER.parse(JSON.parse(await child.ask(JSON.stringify(terms)))),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
