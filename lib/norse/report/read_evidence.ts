import { existsSync } from "node:fs";
import type { ParseRow } from "../../files/csv.ts";
import { ARTEFACT_COLUMNS, parseArtefact } from "../../pairs/artefacts.ts";
import { parseNumber, STATISTIC_TABLE } from "../../pairs/statistics_row.ts";
import { readNorseDataset, readRejections } from "../dataset.ts";
import { NORSE_PATHS } from "../paths.ts";
import { NORSE_STUDY } from "../study.ts";
import { readWhole } from "../../files/whole_table.ts";
import { readBlindReview } from "../../pairs/blind_review.ts";
import type { AgreementRow, Evidence, PrecisionRow } from "./evidence.ts";
import { panelEvidence } from "../../pairs/report/panel_evidence.ts";

/** Columns of `precision.csv`, which `deno task bench precision` writes. */
export const PRECISION_COLUMNS = [
  "model",
  "pair_id",
  "phenomenon",
  "f32_log_odds",
  "shipped_log_odds",
  "flipped",
] as const;

/** Columns of `pytorch_agreement.csv`, which `deno task bench agreement` writes. */
export const AGREEMENT_COLUMNS = [
  "model",
  "sentence_id",
  "tokens",
  "llama_logprob",
  "pytorch_logprob",
] as const;

/** What writes the tables of metrics. */
const NOTEBOOK = "14_norse_metrics";

const PRECISION_TABLE: MeasuredTable<(typeof PRECISION_COLUMNS)[number], PrecisionRow> = {
  columns: PRECISION_COLUMNS,
  parse: ({ model, f32_log_odds, shipped_log_odds }) => ({
    model,
    expanded: parseNumber(f32_log_odds),
    shipped: parseNumber(shipped_log_odds),
  }),
};

const AGREEMENT_TABLE: MeasuredTable<(typeof AGREEMENT_COLUMNS)[number], AgreementRow> = {
  columns: AGREEMENT_COLUMNS,
  parse: ({ model, llama_logprob, pytorch_logprob }) => ({
    model,
    llama: parseNumber(llama_logprob),
    pytorch: parseNumber(pytorch_logprob),
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
 * may be missing; throws where one of their own files is missing or damaged, or answers belong to
 * other pairs.
 */
export function readEvidence(): Evidence {
  const items = readNorseDataset();
  return {
    items,
    rejections: readRejections(),
    review: readBlindReview(NORSE_PATHS.blindReview, items),
    ...panelEvidence(NORSE_STUDY, items.map(({ pair }) => pair)),
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
