import { markdownTable } from "../../figures/markdown_table.ts";
import {
  decimalWithInterval,
  percentWithInterval,
  type StatisticLookup,
} from "../../pairs/statistic_lookup.ts";
import { CASES } from "../cell.ts";
import type { MetricRow } from "./metric_rows.ts";
import type { ScoringStanding } from "./scored_models.ts";

/** Fewer pairs than this give no percentage: it would be read as if it meant something. */
const FEWEST_PAIRS = 5;

/** A column of {@link measureTable}; over all pairs unless told. */
export interface MeasureColumn {
  readonly heading: string;
  readonly measure: string;
  readonly phenomenon?: string;
  /** Decimals; 2 unless told. */
  readonly digits?: number;
}

/** Models as rows, measures that are no shares as columns. */
export function measureTable(
  columns: readonly MeasureColumn[],
  models: readonly string[],
  found: StatisticLookup,
): string {
  return markdownTable(
    ["model", ...columns.map(({ heading }) => heading)],
    models.map((model) => [
      model,
      ...columns.map(({ measure, phenomenon, digits }) =>
        decimalWithInterval(found.measure(model, measure, phenomenon), digits)
      ),
    ]),
  );
}

/** Parts as rows with their number of pairs, models as columns, in per cent. */
export function partTable(
  heading: string,
  measure: string,
  partNames: Readonly<Record<string, string>>,
  models: readonly string[],
  found: StatisticLookup,
): string {
  return markdownTable(
    [heading, "n", ...models],
    Object.entries(partNames).map(([part, name]) => [
      name,
      pairsOf(measure, part, models, found),
      ...models.map((model) => percentWithInterval(found.measure(model, measure, part))),
    ]),
  );
}

/** The n of a part, which is the same for all models asked alike; nothing where none has it. */
function pairsOf(
  measure: string,
  part: string,
  models: readonly string[],
  found: StatisticLookup,
): number | undefined {
  const model = models.find((name) => found.measure(name, measure, part).kind !== "unavailable");
  return model === undefined ? undefined : found.row(model, measure, part).n;
}

/** Correct case (rows) by the case put in its place: per cent right and, in brackets, n. */
export function confusionTable(model: string, measure: string, found: StatisticLookup): string {
  const cell = (from: string, to: string) => {
    const part = `cells_${from}_${to}`;
    const drawn = found.measure(model, measure, part);
    if (drawn.kind === "unavailable") return undefined;
    const { n } = found.row(model, measure, part);
    return n < FEWEST_PAIRS ? `(${n})` : `${(100 * drawn.estimate).toFixed(0)} (${n})`;
  };
  const rows = CASES.map((from) => ({ from, cells: CASES.map((to) => cell(from, to)) }));
  const isUsed = (index: number) => rows.some(({ cells }) => cells[index] !== undefined);
  return markdownTable(
    [model, ...CASES.filter((_, index) => isUsed(index)).map((to) => `→ ${to}`)],
    rows.filter(({ cells }) => cells.some((own) => own !== undefined))
      .map(({ from, cells }) => [from, ...cells.filter((_, index) => isUsed(index))]),
  );
}

/** `metrics.csv` as a table. */
export function metricTable(metrics: readonly MetricRow[]): string {
  return markdownTable(
    ["model", "judged by", "n", "overall", "case", "number", "ties"],
    metrics.map(({ model, measure, n, accuracies, ties }) => [
      ...[model, measure, n],
      ...accuracies.map((share) => share?.toFixed(3)),
      ties,
    ]),
  );
}

/** What models that give likelihoods have still to score, of the pairs and of the probes. */
export function scoringTable(
  pairs: readonly ScoringStanding[],
  probes: readonly ScoringStanding[],
): string {
  return markdownTable(
    ["model", "pairs missing", "probes missing", "in the figures"],
    pairs.map(({ model, missing }) => {
      const ofProbes = probes.find((row) => row.model === model)?.missing;
      return [model, missing, ofProbes, missing > 0 ? "refused" : ofProbes ? "pairs only" : "yes"];
    }),
  );
}
