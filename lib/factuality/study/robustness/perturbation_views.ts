import type { Measure } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { scatterChart } from "../../../figures/scatter_chart.ts";
import type { Figure, FigureText } from "../../../figures/render.ts";
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

/** Rows of a forest plot: detection − false alarm, seen in training and not under their names. */
export function differenceRows(
  figures: readonly KindFigure[],
  component: string,
): readonly MeasuredRow[] {
  const groups = { yes: "seen in training", partly: "partly seen", no: "never seen", mixed: "" };
  return Object.entries(groups).flatMap(([seen, group]) =>
    perturbations(figures, component).filter(({ seenInTraining }) => seenInTraining === seen)
      .map(({ kind, difference }) => ({ group, label: kind, measure: difference }))
  );
}

/**
 * Detection against the false alarm of the matched control, a point a kind of perturbation; on the
 * line the component cannot tell one from the other.
 * @throws {RangeError} for a component without figures.
 */
export function detectionFigure(
  figures: readonly KindFigure[],
  components: readonly string[],
  text: FigureText,
): Figure {
  const points = components.flatMap((component) =>
    perturbations(figures, component).flatMap(({ kind, falseAlarm, flaggedGivenAccepted }) =>
      falseAlarm.kind === "unavailable" || flaggedGivenAccepted.kind === "unavailable" ? [] : [{
        ...{ x: falseAlarm.estimate, y: flaggedGivenAccepted.estimate },
        ...{ label: kind, series: shortName(component) },
      }]
    )
  );
  const axis = (label: string) => ({ label, format: "percent", domain: [0, 1] }) as const;
  return scatterChart({
    ...text,
    points,
    x: axis("false alarm of the matched control, %"),
    y: axis("detected, %"),
    identity: true,
  });
}

/** Rows of a forest plot: pairs within one text of which both statements were flagged. */
export function contradictionRows(figures: readonly KindFigure[]): readonly MeasuredRow[] {
  return figures.map(({ kind, role, flagged }) => ({
    group: role === "perturbation" ? "claim and perturbed twin" : "claim and reworded twin",
    label: kind,
    measure: flagged,
  })).toSorted((a, b) => a.group < b.group ? -1 : a.group > b.group ? 1 : 0);
}

function perturbations(figures: readonly KindFigure[], component: string) {
  return figures.filter((one) =>
    one.component === component && one.role === "perturbation" && one.kind !== "all perturbations"
  );
}
