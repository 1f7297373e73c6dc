import { existsSync } from "node:fs";
import { type ParseRow, readCsv } from "../../files/csv.ts";
import { type Artefact, ARTEFACT_COLUMNS } from "../../pairs/artefacts.ts";
import type { StatisticValue } from "../../pairs/statistics_row.ts";
import { STATISTIC_TABLE } from "../../pairs/statistics_row.ts";
import { readNorseDataset, readRejections } from "../dataset.ts";
import { readAnswers } from "../evaluation.ts";
import { readPanel } from "../panel.ts";
import { NORSE_PATHS } from "../paths.ts";
import type { AgreementRow, Evidence, PrecisionRow, ReviewRow } from "./evidence.ts";

const PRECISION_TABLE: TableShape<
  "model" | "pair_id" | "phenomenon" | "f32_log_odds" | "shipped_log_odds" | "flipped",
  PrecisionRow
> = {
  columns: ["model", "pair_id", "phenomenon", "f32_log_odds", "shipped_log_odds", "flipped"],
  parse: ({ model, f32_log_odds, shipped_log_odds }) => ({
    model,
    expanded: finite(f32_log_odds),
    shipped: finite(shipped_log_odds),
  }),
};

const AGREEMENT_TABLE: TableShape<
  "model" | "sentence_id" | "tokens" | "llama_logprob" | "pytorch_logprob",
  AgreementRow
> = {
  columns: ["model", "sentence_id", "tokens", "llama_logprob", "pytorch_logprob"],
  parse: ({ model, llama_logprob, pytorch_logprob }) => ({
    model,
    llama: finite(llama_logprob),
    pytorch: finite(pytorch_logprob),
  }),
};

const REVIEW_TABLE: TableShape<
  "pair_id" | "chose_grammatical" | "rating" | "remark",
  ReviewRow
> = {
  columns: ["pair_id", "chose_grammatical", "rating", "remark"],
  parse: ({ pair_id, chose_grammatical, rating }) => ({
    pairId: pair_id,
    choseGrammatical: chose_grammatical === "True",
    rating: finite(rating),
  }),
};

interface TableShape<Column extends string, Row> {
  readonly columns: readonly Column[];
  readonly parse: ParseRow<Column, Row>;
}

/** Rows of a table that no notebook makes; none where it is not there. */
function measuredRows<Column extends string, Row>(
  path: string,
  { columns, parse }: TableShape<Column, Row>,
): readonly Row[] {
  return existsSync(path) ? readCsv(path, columns, parse).rows : [];
}

/** Everything in data/norse that the findings are written from. Throws where a file is missing. */
export function readEvidence(): Evidence {
  return {
    items: readNorseDataset(),
    rejections: readRejections(),
    review: measuredRows(NORSE_PATHS.blindReview, REVIEW_TABLE),
    models: readPanel().models.map(({ id }) => id),
    ...readAnswers(),
    statistics:
      readCsv(NORSE_PATHS.statistics, STATISTIC_TABLE.columns, STATISTIC_TABLE.parse).rows,
    artefacts: readCsv(NORSE_PATHS.artefacts, ARTEFACT_COLUMNS, parseArtefact).rows,
    balanced: readCsv(NORSE_PATHS.balancedSubset, ["id"], ({ id }) => id).rows,
    precision: measuredRows(NORSE_PATHS.precision, PRECISION_TABLE),
    agreement: measuredRows(NORSE_PATHS.agreement, AGREEMENT_TABLE),
  };
}

const parseArtefact: ParseRow<(typeof ARTEFACT_COLUMNS)[number], Artefact> = (record) => ({
  baseline: record.baseline,
  phenomenon: record.phenomenon,
  n: finite(record.n),
  correct: finite(record.correct),
  ties: finite(record.ties),
  accuracy: parseAccuracy(record),
});

function parseAccuracy(
  { accuracy, low, high }: Readonly<Record<"accuracy" | "low" | "high", string>>,
): StatisticValue {
  if (accuracy === "") return { kind: "unavailable" };
  if (low === "" || high === "") return { kind: "point", estimate: finite(accuracy) };
  return { kind: "interval", estimate: finite(accuracy), low: finite(low), high: finite(high) };
}

function finite(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw new SyntaxError(`"${text}" is no number`);
  }
  return value;
}
