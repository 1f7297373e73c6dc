/** Requirement 14's report: every experiment as one value, as JSON, CSV and tables. */
import { existsSync } from "node:fs";
import { z } from "zod";
import { markdownTable } from "../../figures/table.ts";
import { type Measure, writtenMeasure } from "../../figures/theme.ts";
import { inertText } from "../../files/csv.ts";
import type { RowOf, Table } from "../../files/table.ts";
import { randomSource } from "../../stats/random.ts";
import {
  CONFIDENCE,
  contradictionOutcomes,
  type DetectionOutcome,
  detectionOutcomes,
  type KindFigure,
  kindFigures,
} from "./detection.ts";
import { orderFigures } from "./orders.ts";
import type { ConsistencyFigure, ExperimentRun } from "./panel.ts";
import { repetitionFigures } from "./repetitions.ts";
import { swapFigures } from "./swaps.ts";
import { CASES, ORDERS, REPETITIONS, REPORT_ROWS, ROBUSTNESS_ANSWERS, SWAPS } from "./tables.ts";

/** What a section holds, or why it holds nothing. */
export type Section<Row> =
  | { readonly kind: "rows"; readonly rows: readonly Row[] }
  | { readonly kind: "unavailable"; readonly reason: string };

/** Everything that a robustness report is made of. */
export interface RobustnessParts {
  /** Variants against the source that their originals are true of. */
  readonly perturbations: Section<KindFigure>;
  /** Original and variant in one text, read against one another without any source. */
  readonly contradictions: Section<KindFigure>;
  readonly orders: Section<ConsistencyFigure>;
  readonly repetitions: Section<ConsistencyFigure>;
  readonly swaps: Section<ConsistencyFigure>;
}

/** The report as it is kept. */
export interface RobustnessReport extends RobustnessParts {
  readonly schemaVersion: 1;
  /** P(supported) from which on a claim counts as accepted. */
  readonly acceptedFrom: 0.5;
  /** Of every interval. */
  readonly confidence: number;
}

/**
 * The report of everything that is kept by now; what is not there says how to make it.
 *
 * @throws {SyntaxError} naming a damaged file and line.
 */
export function keptReport(place: ExperimentRun["place"] = (path) => path): RobustnessReport {
  const kept = <Row>(table: Table<Row>) => rowsIfThere(table.at(place(table.path)));
  const missing = (part: string) =>
    `nothing is kept yet; run deno task study robustness --only ${part}`;
  const [cases, answers] = [kept(CASES), kept(ROBUSTNESS_ANSWERS)];
  const detected = (what: string, outcomes: readonly DetectionOutcome[]) =>
    sectionOf(kindFigures(outcomes, randomSource(`robustness/${what}`)), missing("perturbations"));
  return robustnessReport({
    perturbations: detected("perturbations", detectionOutcomes(cases, answers)),
    contradictions: detected("contradictions", contradictionOutcomes(cases, answers)),
    orders: sectionOf(orderFigures(kept(ORDERS)), missing("orders")),
    repetitions: sectionOf(repetitionFigures(kept(REPETITIONS)), missing("repetitions")),
    swaps: sectionOf(swapFigures(kept(SWAPS)), missing("swaps")),
  });
}

/** The rows of a table; none where its file is not there. */
function rowsIfThere<Row>(table: Table<Row>): readonly Row[] {
  return existsSync(table.path) ? table.read() : [];
}

/** A section of these rows; without any it is unavailable for the reason. */
export function sectionOf<Row>(rows: readonly Row[], reason: string): Section<Row> {
  return rows.length === 0 ? { kind: "unavailable", reason } : { kind: "rows", rows };
}

/** What a section holds; none where it is unavailable. */
export function sectionRows<Row>(section: Section<Row>): readonly Row[] {
  return section.kind === "rows" ? section.rows : [];
}

/** The measures among a kind's figures. */
const KIND_MEASURES = [
  "flagged",
  "flaggedGivenAccepted",
  "calledRefuted",
  "falseAlarm",
  "difference",
  "dPrime",
] as const;

/** The parts as one report, figures with four decimals. */
export function robustnessReport(parts: RobustnessParts): RobustnessReport {
  return {
    schemaVersion: 1,
    acceptedFrom: 0.5,
    confidence: CONFIDENCE,
    perturbations: rounded(parts.perturbations, KIND_MEASURES),
    contradictions: rounded(parts.contradictions, KIND_MEASURES),
    orders: rounded(parts.orders, ["value"]),
    repetitions: rounded(parts.repetitions, ["value"]),
    swaps: rounded(parts.swaps, ["value"]),
  };
}

function rounded<Key extends string, Row extends Readonly<Record<Key, Measure>>>(
  whole: Section<Row>,
  keys: readonly Key[],
): Section<Row> {
  if (whole.kind === "unavailable") return whole;
  const rows = whole.rows.map((row) => {
    const measures = keys.map((key) => [key, roundedMeasure(row[key])] as const);
    return { ...row, ...Object.fromEntries(measures) };
  });
  return { kind: "rows", rows };
}

/** Without what only a bootstrap knows. */
function roundedMeasure(measure: Measure): Measure {
  if (measure.kind === "unavailable") return { kind: measure.kind, reason: measure.reason };
  const four = (value: number) => Number(value.toFixed(4));
  const estimate = four(measure.estimate);
  if (measure.kind === "value") return { kind: "value", estimate };
  return { kind: "interval", estimate, low: four(measure.low), high: four(measure.high) };
}

const UNAVAILABLE = z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) });
const [NUMBER, COUNT, TEXT] = [z.number(), z.int().min(0), z.string()];
const MEASURE = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("interval"), estimate: NUMBER, low: NUMBER, high: NUMBER }),
  z.object({ kind: z.literal("value"), estimate: NUMBER }),
  UNAVAILABLE,
]);
const section = <Row extends z.ZodType>(row: Row) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("rows"), rows: z.array(row).min(1) }),
    UNAVAILABLE,
  ]);
const KIND_FIGURES = section(z.object({
  component: TEXT,
  kind: TEXT,
  role: z.enum(["perturbation", "control"]),
  seenInTraining: z.enum(["yes", "partly", "no", "mixed"]),
  n: COUNT,
  unscored: COUNT,
  countries: COUNT,
  originalsAccepted: COUNT,
  flagged: MEASURE,
  flaggedGivenAccepted: MEASURE,
  labelled: COUNT,
  calledRefuted: MEASURE,
  against: TEXT,
  falseAlarm: MEASURE,
  difference: MEASURE,
  dPrime: MEASURE,
}));
const CONSISTENCY_FIGURES = section(z.object({
  component: TEXT,
  group: TEXT,
  measure: TEXT,
  n: NUMBER.min(0),
  value: MEASURE,
}));
/** Version 1, in the order of the file's keys. */
const REPORT = z.object({
  schemaVersion: z.literal(1),
  acceptedFrom: z.literal(0.5),
  confidence: NUMBER,
  perturbations: KIND_FIGURES,
  contradictions: KIND_FIGURES,
  orders: CONSISTENCY_FIGURES,
  repetitions: CONSISTENCY_FIGURES,
  swaps: CONSISTENCY_FIGURES,
});

/** The report as JSON text. */
export function robustnessJson(report: RobustnessReport): string {
  return `${JSON.stringify(REPORT.parse(report), null, 1)}\n`;
}

/**
 * The report of {@link robustnessJson}.
 * @throws {SyntaxError} naming the file, for what is no such report.
 */
export function readRobustnessReport(text: string, file: string): RobustnessReport {
  try {
    return REPORT.parse(JSON.parse(text)) as RobustnessReport;
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read ${file}: it is no robustness report of version 1. Run deno task study robustness.`,
      { cause },
    );
  }
}

type ReportRow = RowOf<typeof REPORT_ROWS>;

/** Every figure of the report, one a row; what could not be computed says why. */
export function robustnessCsv(report: RobustnessReport): string {
  const kinds = (["perturbations", "contradictions"] as const)
    .flatMap((section) => sectionRows(report[section]).flatMap((row) => ofKind(section, row)));
  const others = (["orders", "repetitions", "swaps"] as const).flatMap((section) =>
    sectionRows(report[section]).map(({ component, group, measure, n, value }): ReportRow => ({
      section,
      component: inertText(component),
      group: inertText(group),
      measure: inertText(measure),
      n,
      ...numbersOf(value),
    }))
  );
  return REPORT_ROWS.format([...kinds, ...others]);
}

/** Measures of a kind as they are named in the CSV, and the cases that each rests on. */
const OF_KIND = [
  ["flagged", "not accepted", "n"],
  ["flaggedGivenAccepted", "not accepted given that the original was", "originalsAccepted"],
  ["calledRefuted", "called refuted of those not accepted", "labelled"],
  ["difference", "detection minus false alarm", "originalsAccepted"],
  ["dPrime", "d′", "originalsAccepted"],
] as const;

function ofKind(section: string, row: KindFigure): readonly ReportRow[] {
  // A control has nothing to be compared with.
  const own = row.role === "control" ? OF_KIND.slice(0, 3) : OF_KIND;
  return own.map(([name, measure, count]) => ({
    section,
    component: inertText(row.component),
    group: row.kind,
    measure,
    n: row[count],
    ...numbersOf(row[name]),
  }));
}

function numbersOf(measure: Measure): Pick<ReportRow, "estimate" | "low" | "high" | "unavailable"> {
  if (measure.kind === "unavailable") {
    return { estimate: "", low: "", high: "", unavailable: measure.reason };
  }
  const { estimate } = measure;
  const { low, high } = measure.kind === "interval" ? measure : { low: "", high: "" } as const;
  return { estimate, low, high, unavailable: "" };
}

/** Detection, false alarm and their difference by kind of perturbation, for one component. */
export function detectionTable(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "perturbation");
  const columns = ["perturbation", "seen in training", "cases", "original accepted", "detected (%)"]
    .concat(["control", "false alarm (%)", "difference (points)", "d′"]);
  return markdownTable(
    columns,
    own.map((one) => [
      one.kind,
      one.seenInTraining,
      one.n,
      one.originalsAccepted,
      percent(one.flaggedGivenAccepted),
      one.against,
      percent(one.falseAlarm),
      percent(one.difference),
      writtenMeasure(one.dPrime, "decimal"),
    ]),
  );
}

/** False alarms by kind of control, for one component. */
export function controlTable(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component && one.role === "control");
  return markdownTable(
    ["control", "seen in training", "cases", "original accepted", "false alarm (%)"],
    own.map(({ kind, seenInTraining, n, originalsAccepted, flaggedGivenAccepted }) => [
      kind,
      seenInTraining,
      n,
      originalsAccepted,
      percent(flaggedGivenAccepted),
    ]),
  );
}

/** All perturbations against all controls, a component a row. */
export function overallTable(figures: readonly KindFigure[]): string {
  const columns = ["component", "perturbed", "detected, all (%)", "original accepted"]
    .concat(["detected (%)", "false alarm (%)", "difference (points)", "d′"]);
  return markdownTable(
    columns,
    figures.filter(({ kind }) => kind === "all perturbations").map((one) => [
      one.component,
      one.n,
      percent(one.flagged),
      one.originalsAccepted,
      percent(one.flaggedGivenAccepted),
      percent(one.falseAlarm),
      percent(one.difference),
      writtenMeasure(one.dPrime, "decimal"),
    ]),
  );
}

const percent = (measure: Measure) => writtenMeasure(measure, "percent");
