import { type ParseRow, readCsv } from "../../files/csv.ts";
import { type Artefact, ARTEFACT_COLUMNS } from "../../pairs/artefacts.ts";
import { readTable } from "../../pairs/keyed_table.ts";
import type { StatisticValue } from "../../pairs/statistics_row.ts";
import { STATISTIC_TABLE } from "../../pairs/statistics_row.ts";
import { readNorseDataset, readRejections } from "../dataset.ts";
import { readAnswers } from "../evaluation.ts";
import { readPanel } from "../panel.ts";
import { NORSE_PATHS } from "../paths.ts";
import type { Evidence, PrecisionRow } from "./evidence.ts";

const PRECISION_COLUMNS = ["model", "pairs", "flipped", "largest_difference"] as const;

/** The table that tasks/precision.ts writes: one row a model. */
export const PRECISION_TABLE = {
  columns: PRECISION_COLUMNS,
  parse: ((record) => ({
    model: record.model,
    pairs: finite(record.pairs),
    flipped: finite(record.flipped),
    largestDifference: finite(record.largest_difference),
  })) satisfies ParseRow<(typeof PRECISION_COLUMNS)[number], PrecisionRow>,
  format: (row: PrecisionRow) => ({
    model: row.model,
    pairs: row.pairs,
    flipped: row.flipped,
    largest_difference: Number(row.largestDifference.toFixed(3)),
  }),
  keyOf: (row: PrecisionRow) => row.model,
};

/** Everything in data/norse that the findings are written from. Throws where a file is missing. */
export function readEvidence(): Evidence {
  return {
    items: readNorseDataset(),
    rejections: readRejections(),
    models: readPanel().models.map(({ id }) => id),
    ...readAnswers(),
    statistics:
      readCsv(NORSE_PATHS.statistics, STATISTIC_TABLE.columns, STATISTIC_TABLE.parse).rows,
    artefacts: readCsv(NORSE_PATHS.artefacts, ARTEFACT_COLUMNS, parseArtefact).rows,
    balanced: readCsv(NORSE_PATHS.balancedSubset, ["id"], ({ id }) => id).rows,
    precision: readTable(NORSE_PATHS.precision, PRECISION_TABLE).rows,
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
