import { median, quantile } from "simple-statistics";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { type Passage, sourcePassage } from "../../lib/factuality/retrieval/passage.ts";
import { cosineVerifier } from "../../lib/factuality/verifiers/cosine_verifier.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/open_trained_verifier.ts";
import type { Verifier } from "../../lib/factuality/verifiers/verifier.ts";
import {
  readBaselineSettings,
  readVerifierWeights,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { compareAlternating, type Comparison } from "./alternating.ts";
import { seededSample } from "./inputs.ts";

const SOURCES = 30;
const SOURCE_WORDS = 300;
const CLAIMS = 5;

/** The trained verifier on claims against sources of 300 words, in milliseconds a claim. */
export interface VerifierSpeed {
  /** Five claims of a source asked together, against the baseline by sentence vectors. */
  readonly together: Comparison;
  readonly medianTogether: number;
  /** One claim against a source that nobody has read before. */
  readonly medianAlone: number;
  readonly ninetiethAlone: number;
  readonly sources: number;
}

interface Sourced {
  readonly source: Passage;
  readonly claims: readonly string[];
}

/** Sources of running text, cut at the word nearest to 300, and sentences of other texts as claims. */
async function sources(cacheDirectory: string): Promise<readonly Sourced[]> {
  const passages = seededSample(await factbookPassages(cacheDirectory), 6_000);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => text.split(/\s+/).length >= 8);
  const words = sentences.join(" ").split(/\s+/);
  return Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * SOURCE_WORDS, (i + 1) * SOURCE_WORDS).join(" ");
    const own = sentencesOf(text).map(({ text }) => text).slice(1, 1 + CLAIMS - 2);
    return {
      source: sourcePassage(text),
      claims: [...own, ...sentences.slice(-2 - 2 * i).slice(0, 2)],
    };
  });
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Nothing is cached between two calls: every source is read anew. */
export async function verifierSpeed(
  cacheDirectory: string,
  threads: number,
): Promise<VerifierSpeed> {
  const all = await sources(cacheDirectory);
  await using encoder = await loadMiniLm({ cacheDirectory, threads, cacheBytes: 0 });
  const wordnet = await readWordNet();
  const trained = openTrainedVerifier(readVerifierWeights(), { encoder, wordnet });
  const baseline = cosineVerifier(encoder, readBaselineSettings().cosine);
  const on = (verifier: Verifier) => async ({ claims, source }: Sourced) => {
    await verifier.verify(claims, [source]);
  };
  const together = await compareAlternating(all, on(trained), on(baseline));
  const alone: number[] = [];
  for (const { claims, source } of all) {
    alone.push(await milliseconds(() => trained.verify(claims.slice(0, 1), [source])));
  }
  return {
    together,
    medianTogether: together.ours / CLAIMS,
    medianAlone: median(alone),
    ninetiethAlone: quantile(alone, 0.9),
    sources: SOURCES,
  };
}
