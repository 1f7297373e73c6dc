import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import { systemOutputs } from "../preparation/outputs.ts";
import { prepareRun } from "../preparation/prepare_run.ts";
import { parseTable } from "../preparation/read_table.ts";
import {
  WMT23_MEASURES as MEASURES,
  type Wmt23Agreement,
  type Wmt23Pair,
  type Wmt23System,
} from "../tables.ts";
import type { RatingWorkbook, SealedKey } from "../types.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import { resampledRankings } from "./agreement.ts";
import { type AnalysisOptions, average, estimate, itemKey, type ItemValue } from "./estimate.ts";
import { unblind } from "./ratings.ts";
import { cellsOf } from "./rows.ts";
import { systemClusters, type SystemPair, systemPairs } from "./systems.ts";

type Measure = (typeof MEASURES)[number];

/** One translation with what was measured of it. */
interface ScoredTranslation {
  readonly segment: string;
  readonly document: string;
  readonly system: string;
  readonly source: string;
  readonly translation: string;
  /** ESA and DA+SQM in points 0 … 100, MQM in penalty points of zero or less. */
  readonly scores: Readonly<Record<Measure, number>>;
}

/** Rows of the three tables. They hold aggregates only: no text and no single score. */
interface Wmt23Rows {
  readonly systems: readonly Wmt23System[];
  readonly pairs: readonly Wmt23Pair[];
  readonly rankAgreement: readonly Wmt23Agreement[];
}

/** The human reference: twelve systems of machine translation are left. */
const LEFT_OUT = "refA";
const OPTIONS: AnalysisOptions = { seed: "wmt23", resamples: 2000, cluster: "document" };
const ALPHA = 0.05;
/** Two rounds of one measure: how far rankings agree where nothing but raters differ. */
const ROUNDS = { first: "esa1", second: "esa2" } as const;
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
/** Known to everybody, as the file's systems are: nobody rates here. */
const SECRET = "77".repeat(16);

/**
 * All tables of a file of WMT23 scores. ESA scores, which are whole points of 0 … 100, go the way of
 * a rater's workbook: prepared, rated, written, read, unblinded, averaged; DA+SQM and MQM are averaged
 * as they stand. Intervals resample documents and tests flip them, since segments of one document
 * share their luck.
 *
 * Throws SyntaxError for a file that cannot be read, Error where a workbook is refused.
 */
export async function wmt23Rows(text: string, file: string): Promise<Wmt23Rows> {
  const translations = parseScores(text, file).filter(({ system }) => system !== LEFT_OUT);
  const measured = await Promise.all(MEASURES.map(async (measure) => {
    const scores = measure === "esa1" || measure === "esa2"
      ? await scoresByWorkbook(translations, measure, file)
      : translations.map((it) => ({ ...it, value: it.scores[measure] }));
    return compareMeasure(measure, scores, OPTIONS, ALPHA);
  }));
  return {
    systems: measured.flatMap(({ systems }) => systems),
    pairs: measured.flatMap(({ pairs }) => pairs),
    rankAgreement: agreementRows(translations),
  };
}

/**
 * Reads tab-separated scores, fields as they stand: the file's quotation marks are text.
 *
 * Throws SyntaxError that names the file and the line for a missing column, a line with another
 * number of fields, or a score that is no number.
 */
export function parseScores(text: string, file: string): readonly ScoredTranslation[] {
  const { headings, lines } = parseTable(text, file, { delimiter: "\t", quotes: false });
  const missing = ["seg", "doc", "system", "source", "translation", ...MEASURES]
    .filter((column) => !headings.includes(column));
  if (missing.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: it has no column ${missing.join(", ")}.`);
  }
  return lines.map(({ line, cells }) => {
    const field = (column: string) => cells[headings.indexOf(column)]!;
    const score = (measure: Measure) => {
      const value = field(measure).trim() === "" ? NaN : Number(field(measure));
      if (Number.isFinite(value)) return value;
      throw new SyntaxError(
        `Cannot read ${file}, line ${line}: ${measure} is "${field(measure)}", no number.`,
      );
    };
    return {
      segment: field("seg"),
      document: field("doc"),
      system: field("system"),
      source: field("source"),
      translation: field("translation"),
      scores: {
        esa1: score("esa1"),
        esa2: score("esa2"),
        da_sqm: score("da_sqm"),
        mqm: score("mqm"),
      },
    };
  });
}

/** A system's score of one segment by one measure. */
interface SystemScore extends ItemValue<number> {
  readonly system: string;
}

async function scoresByWorkbook(
  translations: readonly ScoredTranslation[],
  measure: Measure,
  file: string,
): Promise<readonly SystemScore[]> {
  const config = DEFAULT_RUN_CONFIG;
  const outputs = systemOutputs(translations.map((it, line) => ({ ...it, line })), file);
  const run = prepareRun(outputs, { seed: 0, runId: RUN_ID, secret: SECRET, config });
  const rated = rateWithScores(run.workbook, run.key, translations, measure, config);
  const read = await readWorkbook(await writeWorkbook(rated, config), { config, runId: RUN_ID });
  if (read.kind === "refused") {
    throw new Error(`Cannot analyse ${measure}: ${read.problems[0]!.message}`);
  }
  const { workbook } = read;
  const { ratings } = unblind({ rater: measure, workbook, key: run.key, config });
  return ratings.map(({ da, ...place }) => ({ ...place, value: da }));
}

/** Least score of each bucket but the last: a finer order would be made up. */
const LEAST = [90, 75, 50] as const;
const STAMP = "2024-01-01T00:00:00.000Z";

/**
 * The workbook as if a rater had given the file's scores: each stands at the translation that the
 * key gives its system. Buckets are cut from the scores, so that they are in order by construction
 * and say nothing of their own; times are made up too.
 */
function rateWithScores(
  workbook: RatingWorkbook,
  key: SealedKey,
  translations: readonly ScoredTranslation[],
  measure: Measure,
  { buckets }: RunConfig,
): RatingWorkbook {
  const nameOf = (document: string, segment: string, system: string) =>
    JSON.stringify([document, segment, system]);
  const scores = new Map(
    translations.map(({ document, segment, system, scores }) =>
      [nameOf(document, segment, system), scores[measure]] as const
    ),
  );
  const items = workbook.items.map(({ input, evaluation }, index) => {
    const { document, segment, systems } = key.items[index]!;
    const ratings = systems.map((system) => {
      const da = scores.get(nameOf(document, segment, system))!;
      // −1, below all of them, is the last bucket.
      return { bucket: buckets.at(LEAST.findIndex((least) => da >= least))!.key, da };
    });
    return { input, evaluation: { ...evaluation, ratings, startedAt: STAMP, committedAt: STAMP } };
  });
  return { ...workbook, items };
}

/**
 * Means, places, pairs and clusters of the systems by one measure. Significance is at `alpha`, with
 * Holm's adjustment and, as WMT's tables have it, without any.
 */
export function compareMeasure(
  measure: Measure,
  scores: readonly SystemScore[],
  options: AnalysisOptions,
  alpha: number,
): { readonly systems: readonly Wmt23System[]; readonly pairs: readonly Wmt23Pair[] } {
  const means = [...Map.groupBy(scores, ({ system }) => system)].map(([system, own]) => {
    const found = estimate("systems", own, average, options);
    if (found.kind === "interval") return { system, ...found };
    throw new RangeError(`Cannot compare by ${measure}: ${system} has no mean, ${found.reason}.`);
  }).sort((a, b) => b.estimate - a.estimate);
  const order = means.map(({ system }) => system);
  // A system's score of a segment is one rating, so that there is nothing to average.
  const items = [...Map.groupBy(scores, itemKey).values()].map((own) => ({
    segment: own[0]!.segment,
    document: own[0]!.document,
    da: new Map(own.map(({ system, value }) => [system, value])),
  }));
  const pairs = systemPairs(order, items, options);
  const clusters = systemClusters(order, pairs, alpha);
  const unadjusted = systemClusters(order, pairs.map(withoutAdjustment), alpha);
  const documents = new Set(scores.map(({ document }) => document)).size;
  return {
    systems: means.map(({ system, estimate, low, high, n }, place) => ({
      measure,
      rank: 1 + means.filter((other) => other.estimate > estimate).length,
      system,
      segments: n,
      documents,
      mean: estimate,
      low,
      high,
      cluster: clusters[place]!,
      cluster_unadjusted: unadjusted[place]!,
    })),
    pairs: pairs.map(({ first, second, difference, test, adjustedP }) => {
      if (difference.kind === "unavailable" || test.kind === "unavailable") {
        throw new RangeError(`Cannot compare ${first} and ${second} by ${measure}.`);
      }
      const [p, adjusted_p] = [test.p, Number(adjustedP)];
      const different = adjusted_p <= alpha;
      return { measure, first, second, difference: difference.estimate, p, adjusted_p, different };
    }),
  };
}

function withoutAdjustment(pair: SystemPair): SystemPair {
  return pair.test.kind === "test" ? { ...pair, adjustedP: pair.test.p } : pair;
}

function agreementRows(translations: readonly ScoredTranslation[]): readonly Wmt23Agreement[] {
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
    if (interval.kind === "unavailable" || tauB.kind === "unavailable") {
      throw new RangeError(`Cannot compare the rankings by ${pair.first} and ${pair.second}.`);
    }
    const beyond = beyondYardstick && cellsOf(beyondYardstick);
    return {
      first: pair.first as Measure,
      second: pair.second as Measure,
      systems: tauB.n,
      segments: interval.n,
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
