import type { TableShape } from "../../pairs/keyed_table.ts";
import { NORMALISATIONS } from "../../pairs/likelihood_measures.ts";
import { lookUp } from "../../pairs/statistic_lookup.ts";
import { ALL, parseNumber, type Statistic } from "../../pairs/statistics_row.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";

const METRIC_COLUMNS = [
  ...["model", "measure", "n"] as const,
  ...["overall_accuracy", "case_accuracy", "number_accuracy", "ties"] as const,
] as const;

/** One row of `metrics.csv`: how often one model is right, judged in one way. */
export interface MetricRow {
  readonly model: string;
  /** `forced_choice`, or by which log-probability the members are compared. */
  readonly measure: string;
  /** Answers of a forced choice, two a pair where both orders are asked; else pairs. */
  readonly n: number;
  /** Shares, 0 … 1: of all pairs, of those of case, of those of number; a tie is not right. */
  readonly accuracies: readonly (number | undefined)[];
  /** Pairs whose members are equally probable; a choice has none. */
  readonly ties: number | undefined;
}

const GROUPS = [ALL, ...PHENOMENA];

/** The ways of judging: the name here, and those of accuracy and ties in `statistics.csv`. */
const MEASURES = [
  { measure: "forced_choice", accuracy: "accuracy", ties: undefined },
  ...NORMALISATIONS.map((name) => ({
    measure: `likelihood_${name}`,
    accuracy: `likelihood_accuracy_${name}`,
    ties: `likelihood_ties_${name}`,
  })),
];

/** The rows of `metrics.csv` out of those of `statistics.csv`: a model has none of a way it was not judged in. */
export function metricRows(
  statistics: readonly Statistic[],
  models: readonly string[],
): readonly MetricRow[] {
  const found = lookUp(statistics);
  const estimate = (model: string, measure: string, group: string) => {
    const value = found.measure(model, measure, group);
    return value.kind === "unavailable" ? undefined : value.estimate;
  };
  return models.flatMap((model) =>
    MEASURES.flatMap(({ measure, accuracy, ties }) => {
      const accuracies = GROUPS.map((group) => estimate(model, accuracy, group));
      if (accuracies[0] === undefined) return [];
      const { n } = found.row(model, accuracy);
      const tied = ties === undefined ? undefined : estimate(model, ties, ALL);
      // A share of n is a whole number of pairs; only the division was inexact.
      const count = tied === undefined ? undefined : Math.round(tied * n);
      return [{ model, measure, n, accuracies, ties: count }];
    })
  );
}

/** The shape of `metrics.csv`; what is not there is an empty field, never 0. */
export const METRIC_TABLE: TableShape<(typeof METRIC_COLUMNS)[number], MetricRow> = {
  columns: METRIC_COLUMNS,
  format: ({ model, measure, n, accuracies: [overall, ofCase, ofNumber], ties }) => ({
    model,
    measure,
    n,
    overall_accuracy: shown(overall),
    case_accuracy: shown(ofCase),
    number_accuracy: shown(ofNumber),
    ties: ties ?? "",
  }),
  parse: (record) => ({
    model: record.model,
    measure: record.measure,
    n: parseNumber(record.n),
    accuracies: [record.overall_accuracy, record.case_accuracy, record.number_accuracy].map(read),
    ties: read(record.ties),
  }),
  keyOf: ({ model, measure }) => JSON.stringify([model, measure]),
};

const shown = (value?: number) => value === undefined ? "" : Number(value.toFixed(6));
const read = (text: string) => text === "" ? undefined : parseNumber(text);
