/** Requirement 14's report: every experiment of the study as one value. */
import { existsSync } from "node:fs";
import type { Table } from "../../../files/table.ts";
import { type DetectionOutcome, kindFigures } from "../../../factuality/own/variants/detection.ts";
import {
  type RobustnessReport,
  robustnessReport,
  sectionOf,
} from "../../../factuality/own/variants/report.ts";
import { CONTRADICTIONS, detectionOutcomes } from "./changes.ts";
import { orderFigures } from "./orders.ts";
import type { ExperimentRun } from "./panel.ts";
import { repetitionFigures } from "./repetitions.ts";
import { swapFigures } from "./swaps.ts";
import { CASES, ORDERS, REPETITIONS, ROBUSTNESS_ANSWERS, SWAPS } from "./tables.ts";

/** The report of what is kept by now. @throws {SyntaxError} naming a damaged file and line. */
export function keptReport(place: ExperimentRun["place"] = (path) => path): RobustnessReport {
  const kept = <Row>(table: Table<Row>) =>
    existsSync(place(table.path)) ? table.at(place(table.path)).read() : [];
  const missing = (part: string) =>
    `nothing is kept yet; run deno task study robustness --only ${part}`;
  const [cases, answers] = [kept(CASES), kept(ROBUSTNESS_ANSWERS)];
  const detected = (outcomes: readonly DetectionOutcome[]) =>
    sectionOf(kindFigures(outcomes), missing("perturbations"));
  return robustnessReport({
    perturbations: detected(detectionOutcomes(cases, answers)),
    contradictions: detected(detectionOutcomes(cases, answers, CONTRADICTIONS)),
    orders: sectionOf(orderFigures(kept(ORDERS)), missing("orders")),
    repetitions: sectionOf(repetitionFigures(kept(REPETITIONS)), missing("repetitions")),
    swaps: sectionOf(swapFigures(kept(SWAPS)), missing("swaps")),
  });
}
