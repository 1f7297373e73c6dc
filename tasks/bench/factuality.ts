/** The verifier's speed, and a batch of claims that is killed again and again. */
import { median, quantile } from "simple-statistics";
import { killBatch, killedRequests } from "../../lib/factuality/batch/testdata/kill_batch.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage, type Verifier } from "../../lib/factuality/types.ts";
import { cosineVerifier, readBaselineSettings } from "../../lib/factuality/verifiers/baselines.ts";
import { openTrainedVerifier, readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import {
  CACHE_DIRECTORY,
  compareAlternating,
  formatComparison,
  measurement,
  milliseconds,
  report,
  seededSample,
} from "./harness.ts";

const SOURCES = 30;
const SOURCE_WORDS = 300;
const CLAIMS = 5;
/** Milliseconds a claim. */
const VERIFIER_LIMIT = 20;

/** Five claims of a source together against the baseline by sentence vectors, and one claim alone. */
export const VERIFIER = measurement("A claim against 300 words", async (threads) => {
  const all = await sources();
  // Nothing is cached between two calls: every source is read anew.
  const options = { cacheDirectory: CACHE_DIRECTORY, threads, cacheBytes: 0 };
  await using encoder = await loadMiniLm(options);
  const parts = { encoder, wordnet: await readWordNet() };
  const trained = openTrainedVerifier(readTrainedWeights(), parts);
  const baseline = cosineVerifier(encoder, readBaselineSettings().cosine);
  const on = (verifier: Verifier) => async ({ claims, source }: typeof all[number]) =>
    void await verifier.verify(claims, [source]);
  const together = await compareAlternating(all, on(trained), on(baseline));
  const alone: number[] = [];
  for (const { claims, source } of all) {
    alone.push(await milliseconds(() => trained.verify(claims.slice(0, 1), [source])));
  }
  const each = together.ours / CLAIMS;
  const [middle, most] = [median(alone).toFixed(1), quantile(alone, 0.9).toFixed(1)];
  const text =
    `${each.toFixed(1)} with five claims a source of 300 words, ${middle} (nine in ten ` +
    `under ${most}) with one, ${SOURCES} sources; against the baseline by sentence vectors ` +
    formatComparison(together);
  return report("verifier, ms a claim", each, VERIFIER_LIMIT, text);
});

/** Sources of running text, cut at the word nearest to 300, and sentences of other texts as claims. */
async function sources() {
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 6_000);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => text.split(/\s+/).length >= 8);
  const words = sentences.join(" ").split(/\s+/);
  return Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * SOURCE_WORDS, (i + 1) * SOURCE_WORDS).join(" ");
    const own = sentencesOf(text).map(({ text }) => text).slice(1, 1 + CLAIMS - 2);
    const claims = [...own, ...sentences.slice(-2 - 2 * i).slice(0, 2)];
    return { source: sourcePassage(text), claims };
  });
}

const REQUESTS = 1_000;
/** By SIGKILL, at random moments; the batch is resumed after each. */
const KILLS = 20;
/** What each request takes: with none the process would be over before it can be killed. */
const MILLISECONDS = 10;

export const BATCH = measurement("A batch of 1,000 claims, killed 20 times", async () => {
  const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY });
  try {
    const random = randomSource("batch kill");
    const plan = { folder, requests: REQUESTS, kills: KILLS, milliseconds: MILLISECONDS, random };
    const { ids, kills, cut } = await killBatch(plan);
    const kept = new Set(ids);
    const lost = killedRequests(REQUESTS).filter(({ id }) => !kept.has(id)).length;
    const doubled = ids.length - kept.size;
    const text = `${lost} lost and ${doubled} doubled of ${REQUESTS}, killed ${kills} times, ` +
      `${cut} times in the middle of a line`;
    return report("batch, claims lost or doubled", lost + doubled, 0, text);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
