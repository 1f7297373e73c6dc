import { markdownTable } from "../../figures/markdown_table.ts";
import { type Artefact, artefactMeasure } from "../artefacts.ts";
import {
  decimalWithInterval,
  type DrawnMeasure,
  lookUp,
  percentWithInterval,
  pValue,
  type StatisticLookup,
} from "../statistic_lookup.ts";
import { DESIGN, type Statistic } from "../statistics_row.ts";

/** What tables say of all pairs and of each phenomenon, in the order of the columns: name → heading. */
export type GroupNames = Readonly<Record<string, string>>;

/** One measure of each model, in per cent, over all pairs and by phenomenon. */
export function percentTable(
  heading: string,
  measure: string,
  models: readonly string[],
  found: StatisticLookup,
  groupNames: GroupNames,
): string {
  const groups = Object.keys(groupNames);
  return markdownTable(
    [heading, ...Object.values(groupNames)],
    models.map((model) => [
      model,
      ...groups.map((group) => percentWithInterval(found.measure(model, measure, group))),
    ]),
  );
}

/** Discrimination and liking for a letter. */
export function detectionTable(models: readonly string[], found: StatisticLookup): string {
  return markdownTable(
    ["model", "d′", "bias towards A", "consistency, %", "both orders right, %", "invalid, %"],
    models.map((model) => [
      model,
      ...["d_prime", "position_bias"].map((name) =>
        decimalWithInterval(found.measure(model, name))
      ),
      ...["consistency", "accuracy_both_orders", "invalid_rate"].map((name) =>
        percentWithInterval(found.measure(model, name))
      ),
    ]),
  );
}

const inThousandths = (measure: DrawnMeasure) => decimalWithInterval(measure, 3);

/** Every two models compared. */
export function comparisonTable(statistics: readonly Statistic[]): string {
  const found = lookUp(statistics);
  return markdownTable(
    ["comparison", "measure", "value", "n", "how"],
    statistics.filter(({ model }) => model.includes(" vs ")).map((row) => [
      row.model,
      row.measure,
      (row.measure.startsWith("mcnemar_p") ? pValue : inThousandths)(
        found.measure(row.model, row.measure),
      ),
      row.n,
      row.method,
    ]),
  );
}

/** The smallest accuracy that the design would tell from guessing. */
export function designTable(statistics: readonly Statistic[]): string {
  const found = lookUp(statistics);
  return markdownTable(
    ["phenomenon", "taken as independent", "units", "accuracy needed, %"],
    statistics.filter(({ model }) => model === DESIGN).map((row) => {
      const byLemma = row.measure.endsWith("by_lemma");
      return [
        row.phenomenon,
        byLemma ? "lemmas" : "pairs",
        byLemma ? row.clusters : row.n,
        percentWithInterval(found.measure(DESIGN, row.measure, row.phenomenon)),
      ];
    }),
  );
}

/** Accuracy of the baselines in per cent, ties half. */
export function artefactTable(artefacts: readonly Artefact[], groupNames: GroupNames): string {
  const groups = Object.keys(groupNames);
  return markdownTable(
    ["baseline", ...Object.values(groupNames)],
    [...new Set(artefacts.map(({ baseline }) => baseline))].map((name) => [
      name,
      ...groups.map((group) => percentWithInterval(artefactMeasure(artefacts, name, group))),
    ]),
  );
}
