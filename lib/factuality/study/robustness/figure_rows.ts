import { mean } from "simple-statistics";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import { isDrawable } from "../../../figures/measure.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
import type { RobustnessReport } from "../../robustness/report.ts";
import type { OrderRow } from "../../robustness/orders_rows.ts";
import { beyondControls } from "../../robustness/swap_analysis.ts";
import type { SwapRow } from "../../robustness/swap_rows.ts";
import { shortName } from "../evaluation/comparison_views.ts";
import { writtenMeasure } from "./written_measure.ts";

/** What a component that gives labels calls a perturbation that it does not accept. */
export function refutedTable(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "perturbation");
  return markdownTable(
    ["perturbation", "not accepted, with a label", "called refuted (%)"],
    own.map(({ kind, labelled, calledRefuted }) => [
      ...[kind, labelled, writtenMeasure(calledRefuted, "percent")],
    ]),
  );
}

/** Rows of a forest plot: detection less false alarm of all perturbations, a component a row. */
export function overallRows(figures: readonly KindFigure[]): readonly MeasuredRow[] {
  return figures.filter(({ kind }) => kind === "all perturbations").map((one) => ({
    ...{ label: shortName(one.component), measure: one.difference },
  }));
}

/** Rows of a forest plot: what a trait does beyond its control, traits under their components. */
export function beyondRows(rows: readonly SwapRow[]): readonly MeasuredRow[] {
  return beyondControls(rows).map(({ component, trait, difference }) => ({
    ...{ group: shortName(component), label: trait, measure: difference },
  }));
}

/** An axis from below 0 to above it that holds every interval of the rows. */
export function domainOf(rows: readonly MeasuredRow[]): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) => {
    if (!isDrawable(measure)) return [];
    return measure.kind === "interval" ? [measure.low, measure.high] : [measure.estimate];
  });
  return [
    Math.min(-1, Math.floor(Math.min(0, ...ends))),
    Math.max(1, Math.ceil(Math.max(0, ...ends))),
  ];
}

/** Pairs within one text: how often both statements are flagged, kind by kind. */
export function flaggedTable(figures: readonly KindFigure[]): string {
  return markdownTable(
    ["kind", "role", "texts", "without a score", "countries", "both statements flagged (%)"],
    figures.map(({ kind, role, n, unscored, countries, flagged }) => [
      ...[kind, role, n, unscored, countries, writtenMeasure(flagged, "percent")],
    ]),
  );
}

/** What each section of a report holds. */
export function sectionsTable(report: RobustnessReport): string {
  const names = ["perturbations", "contradictions", "orders", "repetitions", "swaps"] as const;
  return markdownTable(
    ["section", "rows", "components", "why there are none"],
    names.map((name) => {
      const section = report[name];
      if (section.kind === "unavailable") return [name, 0, 0, section.reason];
      const components = new Set(section.rows.map(({ component }) => component));
      return [name, section.rows.length, components.size, ""];
    }),
  );
}

/** Mean score of the texts with 0, 1, 2 and 3 errors, by every component that scores texts. */
export function ladderScoresTable(rows: readonly OrderRow[]): string {
  const scores = rows.flatMap(({ component, country, errors_a, errors_b, score_a, score_b }) => [
    { component, country, errors: errors_a, score: score_a },
    { component, country, errors: errors_b, score: score_b },
  ]).flatMap(({ score, ...one }) => score === "" ? [] : [{ ...one, score }]);
  const errors = [...new Set(scores.map((one) => one.errors))].sort();
  return markdownTable(
    ["component", "countries", ...errors.map((count) => `${count} errors`)],
    [...Map.groupBy(scores, ({ component }) => component)].map(([component, own]) => [
      ...[component, new Set(own.map(({ country }) => country)).size],
      ...errors.map((count) =>
        mean(own.filter((one) => one.errors === count).map(({ score }) => score)).toFixed(1)
      ),
    ]),
  );
}
