/** The verifier's speed, and a batch of claims that is killed again and again. */
import { median, quantile } from "simple-statistics";
import { killBatch, killedRequests } from "../../lib/factuality/batch/testdata/kill_batch.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { CACHE_DIRECTORY, measurement, milliseconds, report, seededSample } from "./harness.ts";

const SOURCES = 10;
const SOURCE_WORDS = [300, 1_500] as const;
const CLAIMS = 5;
/** Milliseconds a claim against the longest sources, five of them together. */
const VERIFIER_LIMIT = 250;

/** A claim alone and five together, against sources that are read anew for every call. */
export const VERIFIER = measurement("A claim against 300 and 1,500 words", async (threads) => {
  const texts = await sentencesOfTexts();
  const options = { cacheDirectory: CACHE_DIRECTORY, threads };
  await using verifier = await openTrainedVerifier(options);
  const times = async (all: ReturnType<typeof sources>, claims: number) => {
    const found: number[] = [];
    for (const { claims: own, source } of all) {
      const asked = own.slice(0, claims);
      found.push(await milliseconds(() => verifier.verify(asked, [source])) / claims);
    }
    return found;
  };
  await times(sources(texts, SOURCE_WORDS[0]).slice(0, 1), 1);
  const told: string[] = [];
  let slowest = 0;
  for (const words of SOURCE_WORDS) {
    const all = sources(texts, words);
    const [alone, together] = [await times(all, 1), await times(all, CLAIMS)];
    slowest = median(together);
    told.push(
      `${words.toLocaleString("en")} words: ${median(alone).toFixed(0)} (nine in ten under ` +
        `${quantile(alone, 0.9).toFixed(0)}) alone, ${slowest.toFixed(0)} of five together`,
    );
  }
  const text = `${told.join("; ")}; ${SOURCES} sources each, ${threads} threads`;
  return report("verifier, ms a claim", slowest, VERIFIER_LIMIT, text);
});

/** Sentences of running text, in the order of a draw of texts. */
async function sentencesOfTexts(): Promise<readonly string[]> {
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 6_000);
  return passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => text.split(/\s+/).length >= 8);
}

/** Sources of so many words; their own sentences and some of other texts as claims. */
function sources(sentences: readonly string[], length: number) {
  const words = sentences.join(" ").split(/\s+/);
  return Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * length, (i + 1) * length).join(" ");
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
