import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Measure } from "../../../figures/measure.ts";
import type { ConceptRate } from "../../abstention/concepts.ts";
import type { MeasuredRow } from "../../abstention/measured_table.ts";
import type { AbstentionRate } from "../../abstention/rates.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";

/** A figure of a table as it is drawn and written. */
export function figureMeasure(
  { value, low, high, reason }: Pick<MeasuredRow, "value" | "low" | "high" | "reason">,
): Measure {
  if (value === "") return { kind: "unavailable", reason };
  if (low === "" || high === "") return { kind: "value", estimate: value };
  return { kind: "interval", estimate: value, low, high };
}

const written = (row: Parameters<typeof figureMeasure>[0]) =>
  writtenMeasure(figureMeasure(row), "decimal");

/** Classifier and baselines on labelled answers: a row a method, a column a measure. */
export function measuredTable(rows: readonly MeasuredRow[]): string {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  const methods = Map.groupBy(rows, ({ set, method }) => JSON.stringify([set, method]));
  return markdownTable(
    ["answers", "n", "that abstain", "method", ...measures],
    [...methods.values()].map((own) => [
      ...[own[0]!.set, own[0]!.n, own[0]!.abstaining, own[0]!.method],
      ...measures.map((measure) => {
        const row = own.find((one) => one.measure === measure);
        return row === undefined ? undefined : written(row);
      }),
    ]),
  );
}

const READERS: Readonly<Record<AbstentionRate["read_by"], string>> = {
  hand: "language-model reader",
  classifier: "classifier",
};

/** False acceptance and over-refusal over all kinds of things, a row a model and instruction. */
export function ratesTable(rates: readonly AbstentionRate[]): string {
  const all = rates.filter(({ kind }) => kind === "all");
  return markdownTable(
    ["model", "instruction", "temperature", "read by", "rate", "n", "share"],
    all.map((row) => [
      ...[row.model, row.instruction, row.temperature, READERS[row.read_by], row.rate, row.n],
      written(row),
    ]),
  );
}

/** Queries of another collection: false acceptance and over-refusal by the classifier. */
export function conceptsTable(rates: readonly ConceptRate[]): string {
  return markdownTable(
    ["model", "category", "rate", "n", "share"],
    rates.map((row) => [row.model, row.category, row.rate, row.n, written(row)]),
  );
}
