import { existsSync } from "node:fs";
import type { ParseRow } from "../../files/csv.ts";
import { type Artefact, ARTEFACT_COLUMNS } from "../../pairs/artefacts.ts";
import type { StatisticValue } from "../../pairs/statistics_row.ts";
import { STATISTIC_TABLE } from "../../pairs/statistics_row.ts";
import { readNorseDataset, readRejections } from "../dataset.ts";
import { readAnswers } from "../evaluation.ts";
import { readPanel } from "../panel.ts";
import { NORSE_PATHS } from "../paths.ts";
import { readWhole } from "../whole_table.ts";
import type { AgreementRow, Evidence, PrecisionRow, ReviewRow } from "./evidence.ts";

/** What writes the tables of metrics. */
const NOTEBOOK = "14_norse_metrics";

const PRECISION_TABLE: MeasuredTable<
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

const AGREEMENT_TABLE: MeasuredTable<
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

const REVIEW_TABLE: MeasuredTable<
  "pair_id" | "sha256" | "chose_grammatical" | "rating" | "remark",
  ReviewRow
> = {
  columns: ["pair_id", "sha256", "chose_grammatical", "rating", "remark"],
  parse: ({ pair_id, sha256, chose_grammatical, rating }) => ({
    pairId: pair_id,
    sha256,
    choseGrammatical: chose_grammatical === "True",
    rating: finite(rating),
  }),
};

interface MeasuredTable<Column extends string, Row> {
  readonly columns: readonly Column[];
  readonly parse: ParseRow<Column, Row>;
}

/** Rows of a table that no notebook makes; none where it is not there. */
function measuredRows<Column extends string, Row>(
  path: string,
  { columns, parse }: MeasuredTable<Column, Row>,
): readonly Row[] {
  return existsSync(path) ? readWhole(path, columns, parse, "what data/README.md names") : [];
}

/**
 * Everything in data/norse that the findings are written from. What is measured outside the notebooks
 * may be missing; throws where one of their own files is missing or damaged.
 */
export function readEvidence(): Evidence {
  const items = readNorseDataset();
  // A rating belongs to a pair as it was read, not to whatever carries its number now.
  const hashes = new Map(items.map(({ certificate }) => [certificate.pairId, certificate.sha256]));
  return {
    items,
    rejections: readRejections(),
    review: measuredRows(NORSE_PATHS.blindReview, REVIEW_TABLE)
      .filter(({ pairId, sha256 }) => hashes.get(pairId) === sha256),
    models: readPanel().models.map(({ id }) => id),
    ...readAnswers(),
    statistics: readWhole(
      NORSE_PATHS.statistics,
      STATISTIC_TABLE.columns,
      STATISTIC_TABLE.parse,
      NOTEBOOK,
    ),
    artefacts: readWhole(NORSE_PATHS.artefacts, ARTEFACT_COLUMNS, parseArtefact, NOTEBOOK),
    balanced: readWhole(NORSE_PATHS.balancedSubset, ["id"], ({ id }) => id, NOTEBOOK),
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
