import { markdownTable } from "../../../figures/markdown_table.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
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
