import type { Measure } from "../../figures/measure.ts";
import type { ConsistencyFigure } from "./consistency_figure.ts";
import type { KindFigure } from "./detection_figures.ts";
import { CONFIDENCE } from "./detection_rate.ts";
import { REPORT } from "./report_schema.ts";

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

/** A section of these rows; without any it is unavailable for the reason. */
export function sectionOf<Row>(rows: readonly Row[], reason: string): Section<Row> {
  return rows.length === 0 ? { kind: "unavailable", reason } : { kind: "rows", rows };
}

/** The parts as one report, figures with four decimals. */
export function robustnessReport(parts: RobustnessParts): RobustnessReport {
  return {
    ...{ schemaVersion: 1, acceptedFrom: 0.5, confidence: CONFIDENCE },
    perturbations: rounded(parts.perturbations, KIND_MEASURES),
    contradictions: rounded(parts.contradictions, KIND_MEASURES),
    orders: rounded(parts.orders, ["value"]),
    repetitions: rounded(parts.repetitions, ["value"]),
    swaps: rounded(parts.swaps, ["value"]),
  };
}

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
      `Cannot read ${file}: it is no robustness report of version 1. Run deno task robustness.`,
      { cause },
    );
  }
}

/** The measures among a kind's figures. */
export const KIND_MEASURES = [
  "flagged",
  "flaggedGivenAccepted",
  "calledRefuted",
  "falseAlarm",
  "difference",
  "dPrime",
] as const;

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
