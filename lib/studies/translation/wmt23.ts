import { DEFAULT_RUN_CONFIG as CONFIG } from "../../translation/configuration.ts";
import { systemOutputs } from "../../translation/preparation/outputs.ts";
import { prepareRun } from "../../translation/preparation/prepare_run.ts";
import { parseTable } from "../../translation/preparation/read_table.ts";
import { WMT23_MEASURES as MEASURES } from "./tables.ts";
import { writeWorkbook } from "../../translation/workbook/write_workbook.ts";
import { resampledRankings } from "../../translation/analysis/agreement.ts";
import { cellsOf, itemKey } from "../../translation/analysis/estimate.ts";
import type { AnalysisOptions, Placed } from "../../translation/analysis/estimate.ts";
import {
  readSealedWorkbook,
  unblind,
  type UnblindedRun,
} from "../../translation/analysis/ratings.ts";
import { ALPHA, compareSystems } from "../../translation/analysis/systems.ts";
import type { Measure } from "../../stats/measure.ts";

type RatingProtocol = (typeof MEASURES)[number];

/** The human reference, excluded; twelve machine translation systems remain. */
const EXCLUDED = "refA";
const OPTIONS: AnalysisOptions = { seed: "wmt23", resamples: 2000, cluster: "document" };
/** Two rounds of one protocol, whose agreement shows the effect of raters alone. */
const ROUNDS = { first: "esa1", second: "esa2" } as const;
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
/** A public secret, since the file names its systems and no one rates here. */
const SECRET = "77".repeat(16);

/**
 * Returns all tables of a file of WMT23 scores: aggregates only, no texts or single scores.
 * Each protocol takes the path of a rater's workbook: prepared, rated, written, read, unblinded,
 * averaged. For DA+SQM and MQM, which the page could not record, the scores replace those of such a
 * workbook. Intervals cluster by document. Throws SyntaxError for an unreadable file, Error for a
 * refused workbook.
 */
export async function wmt23Rows(text: string, file: string) {
  const translations = parseScores(text, file);
  const measured = await Promise.all(MEASURES.map(async (measure) => {
    if (measure === "esa1" || measure === "esa2") {
      return measureRows(measure, await ratedRound(translations, measure, file));
    }
    const { ratings, ...run } = await ratedRound(translations, "esa1", file);
    const rated = new Map(ratings.map((it) => [nameOf(it, it.system), it]));
    const rescored = translations
      .map((it) => ({ ...rated.get(nameOf(it, it.system))!, da: it.scores[measure] }));
    return measureRows(measure, { ...run, ratings: rescored });
  }));
  return {
    systems: measured.flatMap(({ systems }) => systems),
    pairs: measured.flatMap(({ pairs }) => pairs),
    rankAgreement: agreementRows(translations),
  };
}

const nameOf = (place: Placed, system: string) =>
  JSON.stringify([place.document, place.segment, system]);

/** Translations with their scores: ESA and DA+SQM 0 … 100, MQM penalties of zero or less. */
type Translations = ReturnType<typeof parseScores>;

/**
 * Reads tab-separated scores without the human reference; quotation marks are text.
 * Throws SyntaxError with file and line.
 */
export function parseScores(text: string, file: string) {
  const { headings, lines } = parseTable(text, file, { delimiter: "\t", quotes: false });
  const missing = ["seg", "doc", "system", "source", "translation", ...MEASURES]
    .filter((column) => !headings.includes(column));
  if (missing.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: it has no column ${missing.join(", ")}.`);
  }
  return lines.map(({ line, cells }) => {
    const field = (column: string) => cells[headings.indexOf(column)]!;
    const score = (measure: RatingProtocol) => {
      const value = field(measure).trim() === "" ? NaN : Number(field(measure));
      if (Number.isFinite(value)) return value;
      const fault = `${measure} is "${field(measure)}", no number`;
      throw new SyntaxError(`Cannot read ${file}, line ${line}: ${fault}.`);
    };
    return {
      segment: field("seg"),
      document: field("doc"),
      system: field("system"),
      source: field("source"),
      translation: field("translation"),
      scores: Object.fromEntries(MEASURES.map((it) => [it, score(it)])) as Record<
        RatingProtocol,
        number
      >,
    };
  }).filter(({ system }) => system !== EXCLUDED);
}

/** Minimum score of each bucket except the last. A finer division would be arbitrary. */
const MIN_SCORES = [90, 75, 50] as const;
const STAMP = "2024-01-01T00:00:00.000Z";

/**
 * Returns a round of ESA as one rater's ratings: prepared, written, read and unblinded.
 * Buckets are derived from the scores and add no information.
 */
export async function ratedRound(
  translations: Translations,
  measure: RatingProtocol,
  file: string,
) {
  const outputs = systemOutputs(translations.map((it, line) => ({ ...it, line })), file);
  const options = { seed: 0, runId: RUN_ID, secret: SECRET, config: CONFIG };
  const { workbook, key } = prepareRun(outputs, options);
  const scores = new Map(translations.map((it) => [nameOf(it, it.system), it.scores[measure]]));
  const items = workbook.items.map(({ input, evaluation }, index) => {
    const ratings = key.items[index]!.systems.map((system) => {
      const da = scores.get(nameOf(key.items[index]!, system))!;
      // −1, below all of them, is the last bucket.
      return { bucket: CONFIG.buckets.at(MIN_SCORES.findIndex((least) => da >= least))!.key, da };
    });
    return { input, evaluation: { ...evaluation, ratings, startedAt: STAMP, committedAt: STAMP } };
  });
  const bytes = await writeWorkbook({ ...workbook, items }, CONFIG);
  const read = await readSealedWorkbook(bytes, measure, { key, config: CONFIG });
  return unblind({ rater: measure, workbook: read, key, config: CONFIG });
}

/**
 * Returns means, ranks, pairs and clusters by one protocol.
 * Clusters are also given by WMT's rule.
 */
function measureRows(measure: RatingProtocol, run: UnblindedRun) {
  const { systems, pairs } = compareSystems([run], OPTIONS);
  const documents = new Set(run.ratings.map(({ document }) => document)).size;
  return {
    systems: systems.map(({ system, rank, meanDa, items: segments, cluster, clusterWmt }) => {
      const [mean, low, high] = numbersOf(meanDa);
      return {
        measure,
        rank,
        system,
        segments,
        documents,
        mean,
        low,
        high,
        cluster,
        cluster_wmt: clusterWmt,
      };
    }),
    pairs: pairs.map(({ first, second, difference: measured, test, adjustedP }) => {
      if (test.kind === "unavailable") {
        throw new RangeError(`Cannot compare ${first} and ${second} by ${measure}.`);
      }
      const [difference] = numbersOf(measured);
      const [p, adjusted_p] = [test.p, Number(adjustedP)];
      return { measure, first, second, difference, p, adjusted_p, different: adjusted_p <= ALPHA };
    }),
  };
}

/** Returns a measure's numbers. Throws RangeError without interval. */
function numbersOf(measure: Measure): readonly [estimate: number, low: number, high: number] {
  if (measure.kind === "interval") return [measure.estimate, measure.low, measure.high];
  throw new RangeError(`Cannot compare: ${measure.reason}.`);
}

function agreementRows(translations: Translations) {
  const documents = new Set(translations.map(({ document }) => document)).size;
  const segments = [...Map.groupBy(translations, itemKey).values()].map((group) => ({
    segment: group[0]!.segment,
    document: group[0]!.document,
    scores: new Map(MEASURES.map((measure) => [
      measure,
      new Map(group.map(({ system, scores }) => [system, scores[measure]])),
    ])),
  }));
  return resampledRankings(segments, OPTIONS, ROUNDS).map((pair) => {
    const { interval, tauB, beyondYardstick, pairwiseAccuracy } = pair;
    if (interval.kind !== "interval" || tauB.kind === "unavailable") {
      throw new RangeError(`Cannot compare the rankings by ${pair.first} and ${pair.second}.`);
    }
    const beyond = beyondYardstick && cellsOf(beyondYardstick);
    return {
      first: pair.first as RatingProtocol,
      second: pair.second as RatingProtocol,
      systems: tauB.n,
      segments: interval.n!,
      documents,
      kendall_tau_b: interval.estimate,
      low: interval.low,
      high: interval.high,
      pairwise_accuracy: Number(pairwiseAccuracy),
      difference: beyond?.estimate ?? "",
      difference_low: beyond?.low ?? "",
      difference_high: beyond?.high ?? "",
    };
  });
}
