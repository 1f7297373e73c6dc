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

/** The human reference: twelve systems of machine translation are left. */
const LEFT_OUT = "refA";
const OPTIONS: AnalysisOptions = { seed: "wmt23", resamples: 2000, cluster: "document" };
/** Two rounds of one measure: how far rankings agree where nothing but raters differ. */
const ROUNDS = { first: "esa1", second: "esa2" } as const;
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
/** Known to everybody, as the file's systems are: nobody rates here. */
const SECRET = "77".repeat(16);

/**
 * All tables of a file of WMT23 scores: aggregates only, no text and no single score. A measure goes
 * the way of a rater's workbook: prepared, rated, written, read, unblinded, averaged; DA+SQM and MQM,
 * which no page could take, stand in for the scores of such a workbook. Intervals are by document: its
 * segments share their luck. Throws SyntaxError for a file that cannot be read, Error where a
 * workbook is refused.
 */
export async function wmt23Rows(text: string, file: string) {
  const translations = parseScores(text, file);
  const measured = await Promise.all(MEASURES.map(async (measure) => {
    if (measure === "esa1" || measure === "esa2") {
      return measureRows(measure, await ratedRound(translations, measure, file));
    }
    const { ratings, ...run } = await ratedRound(translations, "esa1", file);
    const rated = new Map(ratings.map((it) => [nameOf(it, it.system), it]));
    const own = translations
      .map((it) => ({ ...rated.get(nameOf(it, it.system))!, da: it.scores[measure] }));
    return measureRows(measure, { ...run, ratings: own });
  }));
  return {
    systems: measured.flatMap(({ systems }) => systems),
    pairs: measured.flatMap(({ pairs }) => pairs),
    rankAgreement: agreementRows(translations),
  };
}

const nameOf = (place: Placed, system: string) =>
  JSON.stringify([place.document, place.segment, system]);

/** Translations with their scores: ESA and DA+SQM 0 … 100, MQM penalty points of zero or less. */
type Translations = ReturnType<typeof parseScores>;

/**
 * Reads tab-separated scores, quotation marks as text, without the human reference. Throws
 * SyntaxError: file and line.
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
      const found = `${measure} is "${field(measure)}", no number`;
      throw new SyntaxError(`Cannot read ${file}, line ${line}: ${found}.`);
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
  }).filter(({ system }) => system !== LEFT_OUT);
}

/** Least score of each bucket but the last: a finer order would be made up. */
const LEAST = [90, 75, 50] as const;
const STAMP = "2024-01-01T00:00:00.000Z";

/**
 * A round of ESA as one rater's ratings: prepared, written, read and unblinded. Buckets are cut from the
 * scores and say nothing of their own.
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
      return { bucket: CONFIG.buckets.at(LEAST.findIndex((least) => da >= least))!.key, da };
    });
    return { input, evaluation: { ...evaluation, ratings, startedAt: STAMP, committedAt: STAMP } };
  });
  const bytes = await writeWorkbook({ ...workbook, items }, CONFIG);
  const read = await readSealedWorkbook(bytes, measure, { key, config: CONFIG });
  return unblind({ rater: measure, workbook: read, key, config: CONFIG });
}

/** Means, places, pairs and clusters by one measure; clusters also by WMT's rule. */
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
    pairs: pairs.map(({ first, second, difference: found, test, adjustedP }) => {
      if (test.kind === "unavailable") {
        throw new RangeError(`Cannot compare ${first} and ${second} by ${measure}.`);
      }
      const [difference] = numbersOf(found);
      const [p, adjusted_p] = [test.p, Number(adjustedP)];
      return { measure, first, second, difference, p, adjusted_p, different: adjusted_p <= ALPHA };
    }),
  };
}

/** Throws RangeError where there is no interval. */
function numbersOf(found: Measure): readonly [estimate: number, low: number, high: number] {
  if (found.kind === "interval") return [found.estimate, found.low, found.high];
  throw new RangeError(`Cannot compare: ${found.reason}.`);
}

function agreementRows(translations: Translations) {
  const documents = new Set(translations.map(({ document }) => document)).size;
  const segments = [...Map.groupBy(translations, itemKey).values()].map((own) => ({
    segment: own[0]!.segment,
    document: own[0]!.document,
    scores: new Map(MEASURES.map((measure) => [
      measure,
      new Map(own.map(({ system, scores }) => [system, scores[measure]])),
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
