/** Measures the effect of small changes of a text on verifier and judges (requirement 14). */
import { basename, join } from "node:path";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { robustnessCsv, robustnessJson } from "../../lib/factuality/own/variants/report.ts";
import { REPORT_ROWS } from "../../lib/factuality/own/variants/tables.ts";
import { FACTUALITY_PATHS, userFolder } from "../../lib/factuality/paths.ts";
import * as experiments from "../../lib/studies/factuality/robustness/experiments.ts";
import { type ExperimentRun, largerJudges } from "../../lib/studies/factuality/robustness/panel.ts";
import { REPORT_JSON } from "../../lib/studies/factuality/robustness/tables.ts";
import { shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";

const NAMES = experiments.EXPERIMENTS.map(({ name }) => name);

const MORE = `
Answers are kept as they come, in data/factuality; a further run asks what is missing. The report
robustness_report.json, .csv is of everything that is kept by then; notebook 44 reads all of it. With a
configuration of your own the tables go to --out or below .cache/robustness/, and nothing in data/
changes. --large asks the judge of
data/factuality/larger_judge.yaml what its rows lack (1.1 GB once, seconds a question) and no other component;
without it that judge is not asked, and its rows stay.`;

export const TASK = command(
  "study robustness",
  "What do small changes of a text do to what is said of it?",
  (c) =>
    c.option("--only <part>", `one of ${NAMES.join(", ")}`, choiceOf(...NAMES))
      .option("--config <file>", "verifier, judges, who writes", FACTUALITY_PATHS.configuration)
      .option("--large", "the larger judge alone, in the study's tables; downloads 1.1 GB once")
      .option("--threads <number>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--out <folder>", "of what comes of a configuration of yours")
      .addHelpText("after", MORE),
  async (
    { only, config, large = false, threads, out },
    { signal },
  ) => {
    const isStudy = config === FACTUALITY_PATHS.configuration;
    if (large && !isStudy) {
      throw new RangeError("Cannot run: --large goes with the study's own experiments alone.");
    }
    if (out !== undefined && isStudy) {
      throw new RangeError("Cannot run: --out goes with a --config of yours.");
    }
    // A configuration that cannot be read is reported before anything is fetched.
    if (!isStudy) readConfiguration(config);
    using status = openStatusLine();
    const report = (words: string) => status.show(words);
    const larger = largerJudges();
    const run: ExperimentRun = {
      configuration: large ? FACTUALITY_PATHS.largerJudge : config,
      place: placeOf({ config, out }),
      isOfRun: (component) => !isStudy || larger.includes(component) === large,
      threads,
      signal,
      tell: report,
    };
    const chosen = experiments.EXPERIMENTS
      .filter(({ name }) => only === undefined || name === only);
    const isDone = await experiments.askExperiments(chosen, run);
    return tellReport(run, isDone ? EXIT.done : EXIT.incomplete);
  },
);

/** Maps the study's paths to a folder for the user's configuration, out of the study's tables. */
export function placeOf({ config, out }: {
  readonly config: string;
  readonly out?: string | undefined;
}): ExperimentRun["place"] {
  if (config === FACTUALITY_PATHS.configuration) return (path) => path;
  const folder = out ?? userFolder("robustness", config);
  return (path) => {
    Deno.mkdirSync(folder, { recursive: true });
    return join(folder, basename(path));
  };
}

function tellReport({ place }: ExperimentRun, code: number): number {
  const report = experiments.keptReport(place);
  writeTextAtomic(place(REPORT_JSON), robustnessJson(report));
  writeTextAtomic(place(REPORT_ROWS.path), robustnessCsv(report));
  console.log(`Report of what is kept by now: ${shownPath(place(REPORT_JSON))}, .csv`);
  return code;
}
