import { basename, dirname, join } from "node:path";
import { analyseRatings } from "../../lib/translation/analysis/analyse.ts";
import { readRatedRuns, unblind } from "../../lib/translation/analysis/ratings.ts";
import {
  ratingAnswers,
  ratingTables,
  ratingWarnings,
} from "../../lib/translation/analysis/report.ts";
import { writeStudy } from "../../lib/translation/analysis/rows.ts";
import { labelOf } from "../../lib/translation/analysis/reliability.ts";
import { shownMarkdown, shownP } from "../../lib/translation/analysis/estimate.ts";
import { keyPaths, readRunConfig } from "../../lib/translation/preparation/run_files.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";

/** All that notebook 32 does with rated workbooks, in one command and in a folder of one's own. */
export const ANALYSE = command(
  "rate analyse",
  "Reads rated workbooks, refuses any that was changed outside the page or is there twice, and " +
    "writes tables (CSV, one XLSX), figures (PNG), report.html, appraise.csv and mt-metrics-eval/.",
  (c) =>
    c.argument(
      "<workbook...>",
      "rated workbooks; a rater is called as the workbook says, or as the file is where it does not",
    )
      .requiredOption("--key <file...>", "the sealed key of every run, or the folder of them")
      .option(
        "--config <file>",
        "the run configuration; run.yaml of the prepared folder unless told",
      )
      .requiredOption("--out <folder>", "where to; what is there under the same names is replaced")
      .option("--partial", "leave unfinished items out instead of refusing the workbook")
      .option(
        "--unit <unit>",
        "segment or document: what intervals cluster by; documents " +
          "unless told, where there are several and one has several sentences",
        choiceOf("segment", "document"),
      )
      .option("--seed <number>", "of the resamples", int({ min: 0 }), 1)
      .option("--title <text>", "over the report")
      .option("--note <text>", "of the raters, under every figure: students, say"),
  async ({ key, out, partial, unit, ...options }, { args: workbooks }) => {
    const keys = key.flatMap(keyPaths);
    const files = workbooks.map((path) => ({ rater: basename(path, ".xlsx"), path }));
    // Keys lie in sealed/ of the folder that was prepared.
    const config = options.config ?? join(dirname(keys[0]!), "..", "run.yaml");
    const read = await readRatedRuns(files, keys, readRunConfig(config));
    const runs = read.map((run) => unblind(run, { partial }));
    const analysis = analyseRatings(runs, { ...options, cluster: unit });
    await writeStudy(analysis, out);
    console.log(ratingAnswers(analysis).join("\n"));
    console.log(shownMarkdown(ratingTables(analysis).systems));
    for (const warning of ratingWarnings(analysis)) console.log(`Warning: ${warning}`);
    for (const { leftOut, ...run } of analysis.runs) {
      if (leftOut.length > 0) console.log(`${labelOf(run)}: ${leftOut.length} items left out.`);
    }
    const { comparison: { alpha }, leastP, units } = analysis;
    if (leastP > alpha) {
      console.log(
        `${units} ${analysis.unit}s are too few: no adjusted p can be below ${shownP(leastP)}.`,
      );
    }
    console.log(`${out}/report.html: everything on one page.`);
    return EXIT.done;
  },
);
