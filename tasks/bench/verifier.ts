/** How long the verifier takes for a claim against a source of 300 words. */
import { median } from "simple-statistics";
import { readEnglish } from "../../lib/factuality/claims/english.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import { CACHE_DIRECTORY } from "../python_environment.ts";
import { milliseconds, report, seededSample } from "./harness.ts";

/** Sources and their words; a claim of its own and one of another text is held against each. */
const [SOURCES, WORDS] = [10, 300];
/** Milliseconds a claim, on two quiet cores. */
const LIMIT = 120;

/** The median over sources that are read anew for every claim. @returns whether it keeps the limit. */
export async function verifierSpeed(threads: number): Promise<boolean> {
  const opening = { cacheDirectory: CACHE_DIRECTORY, threads };
  await using verifier = await openTrainedVerifier(opening);
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 6_000);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => /^\S+(?:\s+\S+){7,39}$/.test(text));
  const words = sentences.join(" ").split(/\s+/);
  const items = Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * WORDS, (i + 1) * WORDS).join(" ");
    const own = sentences.filter((one) => text.includes(one))[1]!;
    return [own, sentences.at(-1 - i)!].map((claim) => ({ claim, source: sourcePassage(text) }));
  }).flat();
  const verify = ({ claim, source }: typeof items[number]) => verifier.verify([claim], [source]);
  await verify(items[0]!);
  const times: number[] = [];
  for (const item of items) {
    // What is read of a text is kept; so much pushes it out.
    readEnglish(" ".repeat(1_000_000));
    times.push(await milliseconds(() => verify(item)));
  }
  const found = median(times);
  const text = `${found.toFixed(0)} ms, median of ${times.length}; ${threads} threads`;
  return report(`verifier, ms a claim against ${WORDS} words`, found, LIMIT, text);
}
