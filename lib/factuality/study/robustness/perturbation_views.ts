import type { Measure } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
import type { RobustnessCase } from "../../robustness/robustness_case.ts";
import { isPerturbation, VARIANT_KINDS } from "../../robustness/variant.ts";
import { SEEN_IN_TRAINING } from "../../robustness/variant_kinds.ts";
import { shortName } from "../evaluation/comparison_views.ts";

/** How many cases there are of each kind, and one of them. */
export function kindsTable(cases: readonly RobustnessCase[]): string {
  return markdownTable(
    ["kind", "role", "seen in training", "cases", "countries", "example"],
    VARIANT_KINDS.map((kind) => {
      const own = cases.filter((one) => one.kind === kind);
      const [example] = own.toSorted((a, b) => a.changed.length - b.changed.length);
      return [
        ...[kind, isPerturbation(kind) ? "perturbation" : "control", SEEN_IN_TRAINING[kind]],
        ...[own.length, new Set(own.map(({ country }) => country)).size],
        example === undefined ? undefined : `${example.original} → ${example.changed}`,
      ];
    }),
  );
}

/** Each kind of perturbation with the detection of every component, in per cent of accepted originals. */
export function detectionByComponentTable(figures: readonly KindFigure[]): string {
  const components = [...new Set(figures.map(({ component }) => component))];
  const kinds = [...new Set(figures.map(({ kind }) => kind))];
  return markdownTable(
    ["kind", "role", ...components.map(shortName)],
    kinds.map((kind) => {
      const own = figures.filter((one) => one.kind === kind);
      const cells = components.map((component) =>
        share(own.find((one) => one.component === component)?.flaggedGivenAccepted)
      );
      return [kind, own[0]!.role, ...cells];
    }),
  );
}

const share = (measure: Measure | undefined) =>
  measure === undefined || measure.kind === "unavailable"
    ? undefined
    : (100 * measure.estimate).toFixed(0);

/** Rows of a forest plot: detection of each perturbation under its name, false alarm of its control beneath. */
export function detectionRows(
  figures: readonly KindFigure[],
  component: string,
): readonly MeasuredRow[] {
  return perturbations(figures, component).flatMap((one) => [
    { group: groupOf(one), label: "detected", measure: one.flaggedGivenAccepted },
    { group: groupOf(one), label: "false alarm", measure: one.falseAlarm },
  ]);
}

/** Short labels leave the plot its width. */
const groupOf = ({ kind, against }: KindFigure) => `${kind} (control: ${against})`;

function perturbations(figures: readonly KindFigure[], component: string) {
  return figures.filter((one) =>
    one.component === component && one.role === "perturbation" && one.kind !== "all perturbations"
  );
}
