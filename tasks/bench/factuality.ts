/** The measurements of factuality evaluation; each prints its lines and says whether it kept its bar. */

import { median, quantile } from "simple-statistics";
import { killBatch, killedRequests } from "../../lib/factuality/batch/testdata/kill_batch.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { RETRIEVAL_THRESHOLDS } from "../../lib/factuality/study/tables.ts";
import { type Passage, sourcePassage, type Verifier } from "../../lib/factuality/types.ts";
import { cosineVerifier, readBaselineSettings } from "../../lib/factuality/verifiers/baselines.ts";
import { readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/trained_verifier.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { encoderAgainstPytorch, formatEncoderComparison } from "./encoder.ts";
import { CACHE_DIRECTORY, measurement, report, seededSample } from "./inputs.ts";
import {
  retrievalSpeed,
  retrievalThresholds,
  type ThresholdRow,
  type Thresholds,
} from "./retrieval.ts";
import {
  compareAlternating,
  type Comparison,
  formatComparison,
  pythonEnvironment,
} from "./speed.ts";

const REQUESTS = 1_000;

const KILLS = 20;

/** What each request takes: with none the process would be over before it can be killed. */
const MILLISECONDS = 10;

/** What a batch that was killed again and again has in the end. */
interface KilledBatchFigures {
  readonly requests: number;
  readonly kills: number;
  /** Kills that cut a line. */
  readonly cut: number;
  readonly lost: number;
  readonly doubled: number;
}

/** 1,000 claims in a batch, killed by SIGKILL at 20 random moments and resumed. */
async function batchKill(): Promise<KilledBatchFigures> {
  const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY });
  try {
    const random = randomSource("batch kill");
    const plan = { folder, requests: REQUESTS, kills: KILLS, milliseconds: MILLISECONDS, random };
    const { ids, kills, cut } = await killBatch(plan);
    const kept = new Set(ids);
    const lost = killedRequests(REQUESTS).filter(({ id }) => !kept.has(id)).length;
    return { requests: REQUESTS, kills, cut, lost, doubled: ids.length - kept.size };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const SOURCES = 30;

const SOURCE_WORDS = 300;

const CLAIMS = 5;

/** The trained verifier on claims against sources of 300 words, in milliseconds a claim. */
interface VerifierSpeed {
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
async function verifierSpeed(
  cacheDirectory: string,
  threads: number,
): Promise<VerifierSpeed> {
  const all = await sources(cacheDirectory);
  await using encoder = await loadMiniLm({ cacheDirectory, threads, cacheBytes: 0 });
  const wordnet = await readWordNet();
  const trained = openTrainedVerifier(readTrainedWeights(), { encoder, wordnet });
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

const LIMITS = { verifier: 20, retrieval: 5, harmed: 0 };

const SENTENCES = 200;

/** Of each of three kinds; each is held against some hundred passages by their vectors. */
const THRESHOLD_CLAIMS = 60;

export const VERIFIER = measurement("verifier", "A claim against 300 words", async (threads) => {
  const speed = await verifierSpeed(CACHE_DIRECTORY, threads);
  const [together, alone, most] = [speed.medianTogether, speed.medianAlone, speed.ninetiethAlone]
    .map((milliseconds) => milliseconds.toFixed(1));
  const text = `${together} with five claims a source of 300 words, ${alone} (nine in ten under ` +
    `${most}) with one, ${speed.sources} sources; against the baseline by sentence vectors ` +
    formatComparison(speed.together);
  return report("verifier, ms a claim", speed.medianTogether, LIMITS.verifier, text);
});

export const RETRIEVAL = measurement(
  "retrieval",
  "Over 20,000 passages, against bm25s",
  async () => {
    const speed = await retrievalSpeed(CACHE_DIRECTORY);
    const { comparison, median, ninetyNinth } = speed;
    const [own, withTies] = [speed.overlap, speed.overlapWithTies]
      .map((share) => (100 * share).toFixed(1));
    const text = `median ${median.toFixed(2)} ms, 99 in 100 under ${ninetyNinth.toFixed(2)} ms; ` +
      `against bm25s ${formatComparison(comparison)}, of its ten best ${own} % are ours too ` +
      `(${withTies} % with ties)`;
    return report("retrieval over 20,000 passages, ms a query", median, LIMITS.retrieval, text);
  },
);

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

function thresholdLine(row: ThresholdRow): string {
  const { minimumShare, minimumCosine, presentOwn, wrongOwn, absent } = row;
  return `share ≥ ${minimumShare}, cosine ≥ ${minimumCosine}: given their own passage ` +
    `${percent(presentOwn)} of true claims and ${percent(wrongOwn)} of false ones; given any ` +
    `${percent(absent)} of claims about countries that the base lacks`;
}

function thresholdRecord({ claims }: Thresholds, row: ThresholdRow) {
  const share = (value: number) => Number(value.toFixed(4));
  return {
    claims,
    minimum_share: row.minimumShare,
    minimum_cosine: row.minimumCosine,
    present: share(row.present),
    present_own: share(row.presentOwn),
    wrong: share(row.wrong),
    wrong_own: share(row.wrongOwn),
    absent: share(row.absent),
  };
}

/** What the retriever's thresholds were chosen by; the table is kept for notebook 41. */
export const THRESHOLDS = measurement(
  "thresholds",
  "Which claims find a passage that have one, and that have none",
  async (threads) => {
    await using encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
    const found = await retrievalThresholds(CACHE_DIRECTORY, encoder, THRESHOLD_CLAIMS);
    console.log(
      `${found.claims} claims of each kind; without thresholds the own passage is among the five for ` +
        `${percent(found.recall)} of true claims and ${percent(found.wrongRecall)} of false ones`,
    );
    for (const row of found.rows) console.log(thresholdLine(row));
    RETRIEVAL_THRESHOLDS.write(found.rows.map((row) => thresholdRecord(found, row)));
    return true;
  },
);

export const ENCODER = measurement("encoder", "MiniLM, against PyTorch", async (threads) => {
  const python = await pythonEnvironment(CACHE_DIRECTORY);
  const options = { cacheDirectory: CACHE_DIRECTORY, python, threads, count: SENTENCES };
  console.log(formatEncoderComparison(await encoderAgainstPytorch(options)));
  return true;
});

export const BATCH = measurement("batch", "A batch of 1,000 claims, killed 20 times", async () => {
  const { requests, kills, cut, lost, doubled } = await batchKill();
  const text = `${lost} lost and ${doubled} doubled of ${requests}, killed ${kills} times, ` +
    `${cut} times in the middle of a line`;
  return report("batch, claims lost or doubled", lost + doubled, LIMITS.harmed, text);
});
