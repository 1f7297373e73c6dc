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
import { formatCaptionedTable, formatP } from "../../lib/translation/analysis/estimate.ts";
import { keyPaths, readRunConfig } from "../../lib/translation/preparation/run_files.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";

/** Analyses rated workbooks like notebook 32, into a separate folder. */
export const ANALYSE = command(
  "rate analyse",
  "Reads rated workbooks, refuses any that was changed outside the page or is given twice, and " +
    "writes tables (CSV, one XLSX), figures (PNG), report.html, appraise.csv and mt-metrics-eval/.",
  (c) =>
    c.argument(
      "<workbook...>",
      "rated workbooks; a rater's name is the workbook's, else the file's",
    )
      .requiredOption("--key <file...>", "the sealed key of every run, or their folder")
      .option(
        "--config <file>",
        "the run configuration; by default run.yaml of the prepared folder",
      )
      .requiredOption("--out <folder>", "output folder; files of the same names are replaced")
      .option("--partial", "leave unfinished items out instead of refusing the workbook")
      .option(
        "--unit <unit>",
        "cluster of the intervals: segment or document; by default " +
          "document, if there are several and one has several sentences",
        choiceOf("segment", "document"),
      )
      .option("--seed <number>", "seed of the resampling", int({ min: 0 }), 1)
      .option("--title <text>", "title of the report")
      .option("--note <text>", "remark on the raters under every figure, e.g. students"),
  async ({ key, out, partial, unit, ...options }, { args: workbooks }) => {
    const keys = key.flatMap(keyPaths);
    const files = workbooks.map((path) => ({ rater: basename(path, ".xlsx"), path }));
    // Keys are in sealed/ of the prepared folder.
    const config = options.config ?? join(dirname(keys[0]!), "..", "run.yaml");
    const read = await readRatedRuns(files, keys, readRunConfig(config));
    const runs = read.map((run) => unblind(run, { partial }));
    const analysis = analyseRatings(runs, { ...options, cluster: unit });
    await writeStudy(analysis, out);
    console.log(ratingAnswers(analysis).join("\n"));
    console.log(formatCaptionedTable(ratingTables(analysis).systems));
    for (const warning of ratingWarnings(analysis)) console.log(`Warning: ${warning}`);
    for (const { leftOut, ...run } of analysis.runs) {
      if (leftOut.length > 0) console.log(`${labelOf(run)}: ${leftOut.length} items left out.`);
    }
    const { comparison: { alpha }, leastP, units } = analysis;
    if (leastP > alpha) {
      console.log(
        `${units} ${analysis.unit}s are too few: no adjusted p can be below ${formatP(leastP)}.`,
      );
    }
    console.log(`${out}/report.html: everything on one page.`);
    return EXIT.done;
  },
);
