import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { robustnessJson, type RobustnessReport } from "../../lib/factuality/robustness/report.ts";
import { robustnessCsv } from "../../lib/factuality/robustness/report_tables.ts";
import { keptReport } from "../../lib/factuality/study/robustness/kept_report.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import type { PartRun } from "./part.ts";

/** Writes the report of everything that is kept by now, as JSON and CSV. @returns the report. */
export function writeRobustnessReport(place: PartRun["place"]): RobustnessReport {
  const report = keptReport(place);
  const path = FACTUALITY_PATHS.robustnessReport;
  writeTextAtomic(place(`${path}.json`), robustnessJson(report));
  writeTextAtomic(place(`${path}.csv`), robustnessCsv(report));
  return report;
}
