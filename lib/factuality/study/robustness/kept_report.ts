import { existsSync } from "node:fs";
import { randomSource } from "../../../stats/random.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";
import { readRobustnessCases } from "../../robustness/case_table.ts";
import type { ConsistencyFigure } from "../../robustness/consistency_figure.ts";
import { kindFigures } from "../../robustness/detection_figures.ts";
import {
  contradictionOutcomes,
  type DetectionOutcome,
  detectionOutcomes,
} from "../../robustness/detection_outcome.ts";
import { orderFigures } from "../../robustness/orders_figures.ts";
import { readOrderRows } from "../../robustness/orders_rows.ts";
import { repetitionFigures } from "../../robustness/repetition_figures.ts";
import { readRepetitionRows } from "../../robustness/repetition_rows.ts";
import {
  type RobustnessReport,
  robustnessReport,
  type Section,
  sectionOf,
} from "../../robustness/report.ts";
import { swapFigures } from "../../robustness/swap_figures.ts";
import { readSwapRows } from "../../robustness/swap_rows.ts";
import { readComponentAnswers } from "../evaluation/component_answers.ts";

/** Where a run keeps what belongs to a file of the study. */
export type Place = (path: string) => string;

const STUDY: Place = (path) => path;

const missing = (part: string) => `nothing is kept yet; run deno task robustness --only ${part}`;

/** The rows of a file of the study; none where it is not there. */
export function keptRows<Row>(
  path: string,
  read: (path: string) => readonly Row[],
): readonly Row[] {
  return existsSync(path) ? read(path) : [];
}

function perturbationSections(place: Place): Pick<
  RobustnessReport,
  "perturbations" | "contradictions"
> {
  const cases = keptRows(place(FACTUALITY_PATHS.robustnessCases), readRobustnessCases);
  const rows = keptRows(place(FACTUALITY_PATHS.robustnessAnswers), readComponentAnswers);
  const figures = (what: string, outcomes: readonly DetectionOutcome[]) =>
    sectionOf(kindFigures(outcomes, randomSource(`robustness/${what}`)), missing("perturbations"));
  return {
    perturbations: figures("perturbations", detectionOutcomes(cases, rows)),
    contradictions: figures("contradictions", contradictionOutcomes(cases, rows)),
  };
}

/**
 * The report of everything that is kept by now; what is not there says how to make it.
 *
 * @throws {SyntaxError} naming a damaged file and line.
 */
export function keptReport(place: Place = STUDY): RobustnessReport {
  const { pairwiseOrders, repeatedScores, swapScores } = FACTUALITY_PATHS;
  const [orders, repetitions, swaps]: readonly (readonly ConsistencyFigure[])[] = [
    orderFigures(keptRows(place(pairwiseOrders), readOrderRows)),
    repetitionFigures(keptRows(place(repeatedScores), readRepetitionRows)),
    swapFigures(keptRows(place(swapScores), readSwapRows)),
  ];
  return robustnessReport({
    ...perturbationSections(place),
    orders: sectionOf(orders!, missing("orders")),
    repetitions: sectionOf(repetitions!, missing("repetitions")),
    swaps: sectionOf(swaps!, missing("swaps")),
  });
}

/** What a section holds; none where it is unavailable. */
export function sectionRows<Row>(section: Section<Row>): readonly Row[] {
  return section.kind === "rows" ? section.rows : [];
}
