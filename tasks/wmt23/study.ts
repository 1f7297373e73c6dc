import { formatCsv } from "../../lib/files/csv.ts";
import {
  average,
  estimate,
  itemKey,
  type ItemValue,
} from "../../lib/translation/analysis/estimate.ts";
import type { AnalysisOptions, Estimate } from "../../lib/translation/analysis/results.ts";
import {
  type MeasuredSegment,
  resampledRankings,
} from "../../lib/translation/analysis/rank_agreement.ts";
import { unblind } from "../../lib/translation/analysis/unblind.ts";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { systemOutputs } from "../../lib/translation/preparation/system_outputs.ts";
import { longRow } from "../../lib/translation/report/long_rows.ts";
import { AGREEMENT_COLUMNS, SYSTEM_COLUMNS } from "../../lib/translation/report/wmt23.ts";
import { DEFAULT_RUN_CONFIG } from "../../lib/translation/run_config.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { rateWithScores } from "./rate_with_scores.ts";
import { type Measure, MEASURES, parseScores, type ScoredTranslation } from "./scores.ts";

/** The human reference: twelve systems of machine translation are left. */
const LEFT_OUT = "refA";

const OPTIONS: AnalysisOptions = { seed: "wmt23", resamples: 2000 };
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
/** Known to everybody, as the file's systems are: nobody rates here. */
const SECRET = "77".repeat(16);

/** The two tables, as CSV. They hold aggregates only: no text and no single score. */
export interface Wmt23Tables {
  readonly systems: string;
  readonly rankAgreement: string;
}

/**
 * Both tables of a file of WMT23 scores. ESA scores, which are whole points of 0 … 100, go the way
 * of a rater's workbook: prepared, rated, written, read, unblinded, averaged; DA+SQM and MQM are
 * averaged as they stand.
 *
 * Throws SyntaxError for a file that cannot be read, Error where a workbook is refused.
 */
export async function wmt23Tables(text: string, file: string): Promise<Wmt23Tables> {
  const translations = parseScores(text, file).filter(({ system }) => system !== LEFT_OUT);
  const rows = await Promise.all(
    MEASURES.map(async (measure) => {
      const means = measure === "esa1" || measure === "esa2"
        ? await meansByWorkbook(translations, measure, file)
        : meansBySystem(translations.map((it) => ({ ...it, value: it.scores[measure] })));
      return systemRows(measure, means);
    }),
  );
  const rankings = resampledRankings(segmentScores(translations), OPTIONS);
  const agreements = rankings.map(({ first, second, tauB, interval }) => {
    const { estimate, low, high, n } = longRow(interval);
    const systems = longRow(tauB).n;
    return { first, second, systems, segments: n, kendall_tau_b: estimate, low, high };
  });
  return {
    systems: formatCsv(SYSTEM_COLUMNS, rows.flat()),
    rankAgreement: formatCsv(AGREEMENT_COLUMNS, agreements),
  };
}

interface SystemScore extends ItemValue<number> {
  readonly system: string;
}

type Means = readonly { readonly system: string; readonly mean: Estimate }[];

async function meansByWorkbook(
  translations: readonly ScoredTranslation[],
  measure: Measure,
  file: string,
): Promise<Means> {
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
  return meansBySystem(ratings.map(({ da, ...place }) => ({ ...place, value: da })));
}

function meansBySystem(scores: readonly SystemScore[]): Means {
  return [...Map.groupBy(scores, ({ system }) => system)]
    .map(([system, own]) => ({ system, mean: estimate("systems", own, average, OPTIONS) }));
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

function systemRows(measure: Measure, means: Means) {
  const rows = means.map(({ system, mean }) => ({ system, ...longRow(mean) }));
  const estimates = rows.map(({ estimate }) => Number(estimate));
  return rows.map(({ system, estimate, low, high, n }) => ({
    measure,
    rank: 1 + estimates.filter((other) => other > Number(estimate)).length,
    ...{ system, segments: n, mean: estimate, low, high },
  })).sort((a, b) => a.rank - b.rank);
}
