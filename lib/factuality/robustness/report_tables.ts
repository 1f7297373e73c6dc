import { isDrawable, type Measure, writeEstimate } from "../../figures/measure.ts";
import { markdownTable } from "../../figures/markdown_table.ts";
import { formatCsv } from "../../files/csv.ts";
import { inertText } from "../../files/inert_text.ts";
import type { ConsistencyFigure } from "./consistency_figure.ts";
import type { KindFigure } from "./detection_figures.ts";
import { KIND_MEASURES, type RobustnessReport, type Section } from "./report.ts";

/** Columns of the report as CSV: one measure a row. */
const COLUMNS = [
  ...["section", "component", "group", "measure", "n", "estimate", "low", "high"] as const,
  "unavailable",
] as const;

type CsvRow = Readonly<Record<typeof COLUMNS[number], string | number>>;

/** Every figure of the report, one a row; what could not be computed says why. */
export function robustnessCsv(report: RobustnessReport): string {
  const kinds = (["perturbations", "contradictions"] as const)
    .flatMap((section) => rowsOf(report[section]).flatMap((row) => ofKind(section, row)));
  const others = (["orders", "repetitions", "swaps"] as const)
    .flatMap((section) => rowsOf(report[section]).map((row) => ofConsistency(section, row)));
  return formatCsv(COLUMNS, [...kinds, ...others]);
}

const rowsOf = <Row>(section: Section<Row>) => section.kind === "rows" ? section.rows : [];

/** Measures of a kind as they are named in the CSV, and the cases that each rests on. */
const OF_KIND: readonly {
  readonly name: typeof KIND_MEASURES[number];
  readonly measure: string;
  readonly count: "n" | "originalsAccepted" | "labelled";
}[] = [
  { name: "flagged", measure: "not accepted", count: "n" },
  {
    name: "flaggedGivenAccepted",
    measure: "not accepted given that the original was",
    count: "originalsAccepted",
  },
  { name: "calledRefuted", measure: "called refuted of those not accepted", count: "labelled" },
  { name: "difference", measure: "detection minus false alarm", count: "originalsAccepted" },
  { name: "dPrime", measure: "d′", count: "originalsAccepted" },
];

function ofKind(section: string, row: KindFigure): readonly CsvRow[] {
  // A control has nothing to be compared with.
  const own = row.role === "control" ? OF_KIND.slice(0, 3) : OF_KIND;
  return own.map(({ name, measure, count }) => ({
    ...{ section, component: inertText(row.component), group: row.kind, measure, n: row[count] },
    ...numbersOf(row[name]),
  }));
}

function ofConsistency(section: string, row: ConsistencyFigure): CsvRow {
  const { component, group, measure, n, value } = row;
  const texts = { component: inertText(component), group: inertText(group) };
  return { section, ...texts, measure: inertText(measure), n, ...numbersOf(value) };
}

function numbersOf(measure: Measure) {
  if (measure.kind === "unavailable") {
    return { estimate: "", low: "", high: "", unavailable: measure.reason };
  }
  const ends = measure.kind === "interval"
    ? { low: measure.low, high: measure.high }
    : { low: "", high: "" };
  return { estimate: measure.estimate, ...ends, unavailable: "" };
}

/** Detection, false alarm and their difference by kind of perturbation, for one component. */
export function detectionTable(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "perturbation");
  return markdownTable(
    [
      ...["perturbation", "seen in training", "cases", "original accepted", "detected (%)"],
      ...["control", "false alarm (%)", "difference (points)", "d′"],
    ],
    own.map((one) => [
      ...[one.kind, one.seenInTraining, one.n, one.originalsAccepted],
      ...[written(one.flaggedGivenAccepted), one.against, written(one.falseAlarm)],
      ...[written(one.difference), written(one.dPrime, "decimal")],
    ]),
  );
}

/** False alarms by kind of control, for one component. */
export function controlTable(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "control");
  return markdownTable(
    ["control", "seen in training", "cases", "original accepted", "false alarm (%)"],
    own.map((one) => [
      ...[one.kind, one.seenInTraining, one.n, one.originalsAccepted],
      written(one.flaggedGivenAccepted),
    ]),
  );
}

/** All perturbations against all controls, a component a row. */
export function overallTable(figures: readonly KindFigure[]): string {
  return markdownTable(
    [
      ...["component", "perturbed", "detected, all (%)", "original accepted"],
      ...["detected (%)", "false alarm (%)", "difference (points)", "d′"],
    ],
    figures.filter(({ kind }) => kind === "all perturbations").map((one) => [
      ...[one.component, one.n, written(one.flagged), one.originalsAccepted],
      ...[written(one.flaggedGivenAccepted), written(one.falseAlarm), written(one.difference)],
      written(one.dPrime, "decimal"),
    ]),
  );
}

function written(measure: Measure, format: "percent" | "decimal" = "percent"): string {
  return isDrawable(measure) ? writeEstimate(measure, format) : `– (${measure.reason})`;
}
