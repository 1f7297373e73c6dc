/** Experiments of requirement 14, the loop that runs them, and the report. */
import { existsSync } from "node:fs";
import { askRound } from "../../../factuality/own/ask_round.ts";
import { openPanel } from "../../../factuality/own/component_groups.ts";
import {
  type RobustnessReport,
  robustnessReport,
  sectionOf,
} from "../../../factuality/own/variants/report.ts";
import { PERTURBATIONS } from "./changes.ts";
import type { Experiment, ExperimentRun, ReadKept } from "./panel.ts";
import { PAIRWISE_ORDERS } from "./orders.ts";
import { REPEATED_SCORES } from "./repetitions.ts";
import { SWAPPED_PEOPLE } from "./swaps.ts";

/** Experiments of the study, in the order of asking. */
export const EXPERIMENTS: readonly Experiment[] = [
  PERTURBATIONS,
  PAIRWISE_ORDERS,
  REPEATED_SCORES,
  SWAPPED_PEOPLE,
];

/** Asks for the experiments' missing answers. @returns true where everything is answered. */
export async function askExperiments(
  experiments: readonly Experiment[],
  run: ExperimentRun,
): Promise<boolean> {
  await using panel = await openPanel(run);
  for (const experiment of experiments) {
    const table = experiment.table.at(run.place(experiment.table.path));
    for await (const round of experiment.rounds(panel, run)) {
      if (run.signal.aborted || !await askRound(round, { ...run, table })) return false;
    }
  }
  return true;
}

/** Reports on the stored rows. @throws {SyntaxError} naming a damaged file and line. */
export function keptReport(place: ExperimentRun["place"] = (path) => path): RobustnessReport {
  const stored: ReadKept = (table) =>
    existsSync(place(table.path)) ? table.at(place(table.path)).read() : [];
  const sections = EXPERIMENTS.flatMap(({ name, figures }) => {
    const missing = `nothing is kept yet; run deno task study robustness --only ${name}`;
    return Object.entries(figures(stored))
      .map(([section, rows]) => [section, sectionOf<unknown>(rows, missing)]);
  });
  return robustnessReport(Object.fromEntries(sections));
}
