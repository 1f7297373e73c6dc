import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatCsv } from "../../lib/files/csv.ts";
import type { MeasuredVerdicts } from "../../lib/factuality/training/measured_verdicts.ts";

const COLUMNS = [
  "step",
  "set",
  "verifier",
  "reading",
  "n",
  "unscored",
  "clusters",
  "accuracy",
  "balanced_accuracy",
  "low",
  "high",
  "macro_f1",
  "calibration_error",
  "brier",
] as const;

/** One row of the training's table: which step, on what, and what came of it. */
export interface ResultRow {
  /** `penalty`, `ablation` or `result`. */
  readonly step: string;
  readonly set: string;
  /** With its setting where there are several: `trained without name`. */
  readonly verifier: string;
  readonly measured: MeasuredVerdicts;
}

/** Writes the rows as CSV, four decimals; a figure that is not to be had is its reason. */
export function writeResults(path: string, rows: readonly ResultRow[]): void {
  const shown = (value: MeasuredVerdicts["accuracy"]) =>
    typeof value === "number" ? Number(value.toFixed(4)) : `unavailable: ${value.reason}`;
  writeTextAtomic(
    path,
    formatCsv(
      COLUMNS,
      rows.map(({ step, set, verifier, measured }) => ({
        step,
        set,
        verifier,
        reading: measured.reading,
        n: measured.n,
        unscored: measured.unscored,
        clusters: measured.clusters,
        accuracy: shown(measured.accuracy),
        balanced_accuracy: shown(measured.balancedAccuracy),
        low: shown(measured.low),
        high: shown(measured.high),
        macro_f1: shown(measured.macroF1),
        calibration_error: shown(measured.calibrationError),
        brier: shown(measured.brier),
      })),
    ),
  );
}
