import { formatCsv } from "../../lib/files/csv.ts";
import { itemKey } from "../../lib/translation/analysis/estimate.ts";
import type { AnalysisOptions } from "../../lib/translation/analysis/results.ts";
import {
  type MeasuredSegment,
  resampledRankings,
} from "../../lib/translation/analysis/rank_agreement.ts";
import { unblind } from "../../lib/translation/analysis/unblind.ts";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { systemOutputs } from "../../lib/translation/preparation/system_outputs.ts";
import { longRow, tidy } from "../../lib/translation/report/long_rows.ts";
import {
  AGREEMENT_COLUMNS,
  PAIR_COLUMNS,
  SYSTEM_COLUMNS,
} from "../../lib/translation/report/wmt23.ts";
import { DEFAULT_RUN_CONFIG } from "../../lib/translation/run_config.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { compareMeasure, type SystemScore } from "./compare_measure.ts";
import { rateWithScores } from "./rate_with_scores.ts";
import { type Measure, MEASURES, parseScores, type ScoredTranslation } from "./scores.ts";

/** The human reference: twelve systems of machine translation are left. */
const LEFT_OUT = "refA";

const OPTIONS: AnalysisOptions = { seed: "wmt23", resamples: 2000, cluster: "document" };
const ALPHA = 0.05;
/** Two rounds of one measure: how far rankings agree where nothing but raters differ. */
const ROUNDS = { first: "esa1", second: "esa2" } as const;
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
/** Known to everybody, as the file's systems are: nobody rates here. */
const SECRET = "77".repeat(16);

/** The tables, as CSV. They hold aggregates only: no text and no single score. */
export interface Wmt23Tables {
  readonly systems: string;
  readonly pairs: string;
  readonly rankAgreement: string;
}

/**
 * All tables of a file of WMT23 scores. ESA scores, which are whole points of 0 … 100, go the way of
 * a rater's workbook: prepared, rated, written, read, unblinded, averaged; DA+SQM and MQM are averaged
 * as they stand. Intervals resample documents and tests flip them, since segments of one document
 * share their luck.
 *
 * Throws SyntaxError for a file that cannot be read, Error where a workbook is refused.
 */
export async function wmt23Tables(text: string, file: string): Promise<Wmt23Tables> {
  const translations = parseScores(text, file).filter(({ system }) => system !== LEFT_OUT);
  const measured = await Promise.all(
    MEASURES.map(async (measure) => {
      const scores = measure === "esa1" || measure === "esa2"
        ? await scoresByWorkbook(translations, measure, file)
        : translations.map((it) => ({ ...it, value: it.scores[measure] }));
      return compareMeasure(measure, scores, OPTIONS, ALPHA);
    }),
  );
  return {
    systems: formatCsv(SYSTEM_COLUMNS, measured.flatMap(({ systems }) => systems)),
    pairs: formatCsv(PAIR_COLUMNS, measured.flatMap(({ pairs }) => pairs)),
    rankAgreement: formatCsv(AGREEMENT_COLUMNS, agreementRows(translations)),
  };
}

async function scoresByWorkbook(
  translations: readonly ScoredTranslation[],
  measure: Measure,
  file: string,
): Promise<readonly SystemScore[]> {
  const config = DEFAULT_RUN_CONFIG;
  const outputs = systemOutputs(translations.map((it, line) => ({ ...it, line })), file);
  const { workbook, key } = prepareRun(outputs, {
    ...{ seed: 0, runId: RUN_ID, secret: SECRET, config },
  });
  const rated = rateWithScores(workbook, key, translations, measure, config);
  const read = await readWorkbook(await writeWorkbook(rated, config), { config, runId: RUN_ID });
  if (read.kind === "refused") {
    throw new Error(`Cannot analyse ${measure}: ${read.problems[0]!.message}`);
  }
  const { ratings } = unblind({ rater: measure, workbook: read.workbook, key, config });
  return ratings.map(({ da, ...place }) => ({ ...place, value: da }));
}

function agreementRows(translations: readonly ScoredTranslation[]) {
  const documents = new Set(translations.map(({ document }) => document)).size;
  const pairs = resampledRankings(segmentScores(translations), OPTIONS, ROUNDS);
  return pairs.map(({ first, second, tauB, pairwiseAccuracy, interval, beyondYardstick }) => {
    const { estimate, low, high, n } = longRow(interval);
    const beyond = beyondYardstick && longRow(beyondYardstick);
    return {
      ...{ first, second, systems: longRow(tauB).n, segments: n, documents },
      ...{ kendall_tau_b: estimate, low, high },
      pairwise_accuracy: typeof pairwiseAccuracy === "number" ? tidy(pairwiseAccuracy) : "",
      difference: beyond?.estimate ?? "",
      difference_low: beyond?.low ?? "",
      difference_high: beyond?.high ?? "",
    };
  });
}

function segmentScores(translations: readonly ScoredTranslation[]): readonly MeasuredSegment[] {
  return [...Map.groupBy(translations, itemKey).values()].map((own) => ({
    segment: own[0]!.segment,
    document: own[0]!.document,
    scores: new Map(MEASURES.map((measure) => [
      measure,
      new Map(own.map(({ system, scores }) => [system, scores[measure]])),
    ])),
  }));
}
