import type { ConceptRate } from "../../lib/factuality/abstention/concepts.ts";
import type { MeasuredRow } from "../../lib/factuality/abstention/measured_table.ts";
import type { AbstentionRate } from "../../lib/factuality/abstention/rates.ts";
import { markdownTable } from "../../lib/figures/markdown_table.ts";

/** What the classifier and the baselines are worth. */
export function shownMeasured(rows: readonly MeasuredRow[]): string {
  return markdownTable(
    ["answers", "method", "measure", "n", "abstaining", "value, 95 %"],
    rows.map((row) => [row.set, row.method, row.measure, row.n, row.abstaining, figure(row)]),
  );
}

/** Rates over all kinds of things; those by kind are in the file. */
export function shownRates(rates: readonly (AbstentionRate | ConceptRate)[]): string {
  const all = rates.filter((row) => ("kind" in row ? row.kind : row.category) === "all");
  return markdownTable(
    ["model", "instruction", "temperature", "read by", "rate", "n", "value, 95 %"],
    all.map((row) => [
      ...[row.model, row.instruction],
      ...("kind" in row ? [row.temperature, row.read_by] : [0, "classifier"]),
      ...[row.rate, row.n, figure(row)],
    ]),
  );
}

type Figure = Pick<MeasuredRow, "value" | "low" | "high" | "reason">;

function figure({ value, low, high, reason }: Figure): string {
  if (value === "" || low === "" || high === "") return `– (${reason})`;
  const [shown, from, to] = [value, low, high].map((share) => share.toFixed(3));
  return `${shown} (${from} to ${to})`;
}
