/** The verifier's speed, and a batch of claims that is killed again and again. */
import { z } from "zod";
import { killBatch, killedRequests } from "../../lib/factuality/batch/testdata/kill_batch.ts";
import { readEnglish } from "../../lib/factuality/claims/english.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import {
  openWeightsNetwork,
  readTrainedWeights,
  trainedVerifier,
} from "../../lib/factuality/verifiers/head.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { trainingWeights } from "../train/network.ts";
import {
  CACHE_DIRECTORY,
  miniLmFolder,
  openReference,
  pythonWithTorch,
} from "../python_environment.ts";
import {
  compareAlternating,
  formatComparison,
  measurement,
  milliseconds,
  report,
  seededSample,
} from "./harness.ts";

const SOURCES = 10;
const CLAIMS = 5;
/** Milliseconds a claim against sources of so many words, and of five claims together. */
const LIMITS = [[300, 40, 100], [1_500, 120, 600]] as const;

const ANSWER = z.object({ logits: z.array(z.array(z.number())), milliseconds: z.number() });

/**
 * A claim alone and five together, against sources that are read anew for every call; beside them
 * PyTorch's time for the network alone, on the same sentences in one batch.
 */
export const VERIFIER = measurement(
  "A claim against 300 and 1,500 words, and PyTorch on the same sentences",
  async (threads) => {
    const python = await pythonWithTorch();
    const options = { cacheDirectory: CACHE_DIRECTORY, threads };
    const weights = readTrainedWeights();
    const path = FACTUALITY_PATHS.verifierWeights;
    await using network = await openWeightsNetwork(weights, path, options);
    const place = [
      "classes",
      await miniLmFolder(CACHE_DIRECTORY),
      await trainingWeights(FACTUALITY_PATHS.verifierNetwork),
    ];
    await using reference = await openReference(python, threads, ...place);
    const read: { ids: readonly number[]; logits: readonly number[] }[] = [];
    const verifier = trainedVerifier(weights, {
      ...network,
      async logits(ids) {
        const logits = await network.logits(ids);
        read.push({ ids, logits });
        return logits;
      },
    });
    const texts = await sentencesOfTexts();
    const kept: boolean[] = [];
    let furthest = 0;
    for (const [words, alone, together] of LIMITS) {
      for (const [count, limit] of [[1, alone], [CLAIMS, together]] as const) {
        const verify = ({ claims, source }: Sources[number]) =>
          verifier.verify(claims.slice(0, count), [source]);
        const items = await Array.fromAsync(sources(texts, words), async (one) => {
          await verify(one);
          return { one, windows: read.splice(0) };
        });
        const found = await compareAlternating(items, ({ one }) => {
          // What is read of a text is kept; so much pushes it out.
          readEnglish(" ".repeat(1_000_000));
          return milliseconds(() => verify(one));
        }, async ({ windows }) => {
          const request = { kind: "classes", rows: windows.map(({ ids }) => ids) };
          const { logits, milliseconds } = await reference.ask(request, ANSWER);
          const apart = windows.flatMap((window, at) =>
            window.logits.map((logit, i) => Math.abs(logit - logits[at]![i]!))
          );
          furthest = Math.max(furthest, ...apart);
          return milliseconds;
        });
        const what = `verifier, ms for ${count} against ${words.toLocaleString("en")} words`;
        const told = `${found.ours.toFixed(0)}, against PyTorch's network ${
          formatComparison(found)
        }`;
        kept.push(report(what, found.ours, limit, told));
      }
    }
    console.log(`Logits differ by at most ${furthest.toFixed(3)}; ${threads} threads`);
    return kept.every(Boolean);
  },
);

/** Sentences of running text, in the order of a draw of texts. */
async function sentencesOfTexts(): Promise<readonly string[]> {
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 6_000);
  return passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => /^\S+(?:\s+\S+){7,39}$/.test(text));
}

type Sources = ReturnType<typeof sources>;

/** Sources of so many words; their own sentences and some of other texts as claims. */
function sources(sentences: readonly string[], length: number) {
  const words = sentences.join(" ").split(/\s+/);
  return Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * length, (i + 1) * length).join(" ");
    const own = sentences.filter((one) => text.includes(one)).slice(1, 1 + CLAIMS - 2);
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
