/** The measurements of factuality evaluation; each prints its lines and says whether it kept its bar. */
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatCsv } from "../../lib/files/csv.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { THRESHOLD_COLUMNS } from "../../lib/factuality/study/acquisition/thresholds.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { formatComparison } from "./alternating.ts";
import { batchKill } from "./batch_kill.ts";
import { encoderAgainstPytorch, formatEncoderComparison } from "./encoder.ts";
import { CACHE_DIRECTORY } from "./inputs.ts";
import { pythonEnvironment } from "./python_environment.ts";
import type { Report } from "./report.ts";
import { retrievalSpeed } from "./retrieval.ts";
import { retrievalThresholds, type Thresholds } from "./retrieval_threshold.ts";
import type { ThresholdRow } from "./threshold_row.ts";
import { verifierSpeed } from "./verifier.ts";

const LIMITS = { verifier: 20, retrieval: 5, harmed: 0 };
const SENTENCES = 200;
/** Of each of three kinds; each is held against some hundred passages by their vectors. */
const THRESHOLD_CLAIMS = 60;

export async function benchVerifier(report: Report, threads: number): Promise<boolean> {
  const speed = await verifierSpeed(CACHE_DIRECTORY, threads);
  const [together, alone, most] = [speed.medianTogether, speed.medianAlone, speed.ninetiethAlone]
    .map((milliseconds) => milliseconds.toFixed(1));
  const text = `${together} with five claims a source of 300 words, ${alone} (nine in ten under ` +
    `${most}) with one, ${speed.sources} sources; against the baseline by sentence vectors ` +
    formatComparison(speed.together);
  return report("verifier, ms a claim", speed.medianTogether, LIMITS.verifier, text);
}

export async function benchRetrieval(report: Report): Promise<boolean> {
  const speed = await retrievalSpeed(CACHE_DIRECTORY);
  const { comparison, median, ninetyNinth } = speed;
  const [own, withTies] = [speed.overlap, speed.overlapWithTies]
    .map((share) => (100 * share).toFixed(1));
  const text = `median ${median.toFixed(2)} ms, 99 in 100 under ${ninetyNinth.toFixed(2)} ms; ` +
    `against bm25s ${formatComparison(comparison)}, of its ten best ${own} % are ours too ` +
    `(${withTies} % with ties)`;
  return report("retrieval over 20,000 passages, ms a query", median, LIMITS.retrieval, text);
}

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
export async function benchThresholds(threads: number): Promise<boolean> {
  await using encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  const found = await retrievalThresholds(CACHE_DIRECTORY, encoder, THRESHOLD_CLAIMS);
  console.log(
    `${found.claims} claims of each kind; without thresholds the own passage is among the five for ` +
      `${percent(found.recall)} of true claims and ${percent(found.wrongRecall)} of false ones`,
  );
  for (const row of found.rows) console.log(thresholdLine(row));
  const records = found.rows.map((row) => thresholdRecord(found, row));
  writeTextAtomic(FACTUALITY_PATHS.retrievalThresholds, formatCsv(THRESHOLD_COLUMNS, records));
  return true;
}

export async function benchEncoder(threads: number): Promise<boolean> {
  const python = await pythonEnvironment(CACHE_DIRECTORY);
  const options = { cacheDirectory: CACHE_DIRECTORY, python, threads, count: SENTENCES };
  console.log(formatEncoderComparison(await encoderAgainstPytorch(options)));
  return true;
}

export async function benchBatch(report: Report): Promise<boolean> {
  const { requests, kills, cut, lost, doubled } = await batchKill();
  const text = `${lost} lost and ${doubled} doubled of ${requests}, killed ${kills} times, ` +
    `${cut} times in the middle of a line`;
  return report("batch, claims lost or doubled", lost + doubled, LIMITS.harmed, text);
}
