import { existsSync } from "node:fs";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { readRobustnessCases } from "../../lib/factuality/robustness/case_table.ts";
import type { ConsistencyFigure } from "../../lib/factuality/robustness/consistency_figure.ts";
import { kindFigures } from "../../lib/factuality/robustness/detection_figures.ts";
import {
  contradictionOutcomes,
  detectionOutcomes,
} from "../../lib/factuality/robustness/detection_outcome.ts";
import {
  robustnessJson,
  type RobustnessReport,
  robustnessReport,
  type Section,
  sectionOf,
} from "../../lib/factuality/robustness/report.ts";
import { robustnessCsv } from "../../lib/factuality/robustness/report_tables.ts";
import { readComponentAnswers } from "../../lib/factuality/study/evaluation/component_answers.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { randomSource } from "../../lib/stats/random.ts";
import type { PartRun, RobustnessPart } from "./part.ts";
import { PARTS } from "./parts.ts";

type Place = PartRun["place"];

const missing = (part: string) => `nothing is kept yet; run deno task robustness --only ${part}`;

function perturbationSections(place: Place): Pick<
  RobustnessReport,
  "perturbations" | "contradictions"
> {
  const [cases, answers] = [
    place(FACTUALITY_PATHS.robustnessCases),
    place(FACTUALITY_PATHS.robustnessAnswers),
  ];
  const isThere = existsSync(cases) && existsSync(answers);
  const varied = isThere ? readRobustnessCases(cases) : [];
  const rows = isThere ? readComponentAnswers(answers) : [];
  const figures = (what: string, outcomes: ReturnType<typeof detectionOutcomes>) =>
    sectionOf(kindFigures(outcomes, randomSource(`robustness/${what}`)), missing("perturbations"));
  return {
    perturbations: figures("perturbations", detectionOutcomes(varied, rows)),
    contradictions: figures("contradictions", contradictionOutcomes(varied, rows)),
  };
}

function partSection(name: RobustnessPart["name"], place: Place): Section<ConsistencyFigure> {
  const part = PARTS.find((one) => one.name === name)!;
  return sectionOf(part.figures({ place }), missing(name));
}

/** Writes the report of everything that is kept by now, as JSON and CSV. @returns the report. */
export function writeRobustnessReport(place: Place): RobustnessReport {
  const report = robustnessReport({
    ...perturbationSections(place),
    orders: partSection("orders", place),
    repetitions: partSection("repetitions", place),
    swaps: partSection("swaps", place),
  });
  const path = FACTUALITY_PATHS.robustnessReport;
  writeTextAtomic(place(`${path}.json`), robustnessJson(report));
  writeTextAtomic(place(`${path}.csv`), robustnessCsv(report));
  return report;
}
