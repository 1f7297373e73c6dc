/**
 * What small changes of a text do to what verifier and judges say of it (requirement 14).
 *
 *     deno task robustness                         every part
 *     deno task robustness --only perturbations    one of them
 *     deno task robustness --bbq FILE              the bias benchmark BBQ, from a file of yours
 *     deno task robustness --candidate FILE --source FILE    variants of a text of yours
 *
 * Each part keeps its answers as they come, in data/factuality; the report robustness_report.json, .csv
 * is of everything that is kept by then. Notebook 44 reads them.
 */
import { basename, join } from "node:path";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { openStatusLine } from "../lib/files/status_line.ts";
import { runCommand } from "./command.ts";
import { type RobustnessOptions, robustnessOptions, USAGE } from "./robustness/options.ts";
import { runOwnText } from "./robustness/own_text.ts";
import type { PartName, PartRun } from "./robustness/part.ts";
import { PARTS, runBbq } from "./robustness/parts.ts";
import { runPerturbations } from "./robustness/perturbations.ts";
import { writeRobustnessReport } from "./robustness/write_report.ts";
import { stopSignal } from "./stop_signal.ts";

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;

/** Only answers of the study's own configuration belong into its tables. */
function placeOf(configuration: string): PartRun["place"] {
  if (configuration === FACTUALITY_PATHS.configuration) return (path) => path;
  const folder = join(FACTUALITY_PATHS.cache, "robustness", basename(configuration));
  Deno.mkdirSync(folder, { recursive: true });
  return (path) => join(folder, basename(path));
}

async function runParts(names: readonly PartName[], run: PartRun): Promise<boolean> {
  if (names.includes("perturbations") && !await runPerturbations(run)) return false;
  for (const part of PARTS.filter(({ name }) => names.includes(name))) {
    if (run.signal.aborted || !await part.run(run)) return false;
  }
  return true;
}

async function runTask(options: RobustnessOptions, run: PartRun): Promise<boolean> {
  switch (options.kind) {
    case "parts": {
      const done = await runParts(options.parts, run);
      writeRobustnessReport(run.place);
      const report = run.place(`${FACTUALITY_PATHS.robustnessReport}.json`);
      console.log(`Report of what is kept by now: ${shownPath(report)}, .csv`);
      return done;
    }
    case "bbq":
      return await runBbq(options.file, run);
    case "own text":
      return await runOwnText(options, run);
  }
}

async function main(): Promise<number> {
  const options = robustnessOptions(Deno.args);
  const { configuration, threads } = options;
  const signal = stopSignal("answers are kept, and a further run goes on.");
  using status = openStatusLine();
  const tell = (words: string) => status.show(words);
  const run = { configuration, place: placeOf(configuration), threads, signal, tell };
  return await runTask(options, run) ? 0 : INCOMPLETE;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
