import { basename, join } from "node:path";
import { interRater } from "../../lib/translation/analysis/agreement.ts";
import { readRatedRuns, unblind } from "../../lib/translation/analysis/ratings.ts";
import { raterReliability } from "../../lib/translation/analysis/reliability.ts";
import {
  writePairwiseTests,
  writeReliability,
  writeSystemMeans,
  writeSystemRatings,
} from "../../lib/translation/analysis/rows.ts";
import { compareSystems } from "../../lib/translation/analysis/systems.ts";
import { shown, shownTable } from "../../lib/translation/analysis/views.ts";
import { readRunConfig } from "../../lib/translation/preparation/run_files.ts";
import { command, EXIT, int } from "../command.ts";

/** Notebook 32 in one command: the tables, without figures. */
export const ANALYSE = command(
  "rate analyse",
  "Reads rated workbooks, refuses any that was changed outside the page, and writes " +
    "system_ratings.csv and .xlsx, system_means.csv, pairwise_tests.csv and reliability.csv.",
  (c) =>
    c.argument("<workbook...>", "rated workbooks, one a rater")
      .requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .requiredOption("--key <file...>", "the sealed key, or one a workbook in their order")
      .option("--partial", "leave unfinished items out instead of refusing the workbook")
      .option("--documents", "resample whole documents, not sentences")
      .option("--seed <number>", "of the resamples", int(), 1)
      .option("--out <folder>", "where to", "."),
  async ({ key: keys, partial, documents, seed, out, ...options }, { args: workbooks }) => {
    if (keys.length !== 1 && keys.length !== workbooks.length) {
      throw new Error(`Cannot analyse: ${keys.length} keys for ${workbooks.length} workbooks.`);
    }
    const config = readRunConfig(options.config);
    const files = workbooks.map((path, index) => ({
      rater: basename(path, ".xlsx"),
      path,
      key: keys[index] ?? keys[0]!,
    }));
    const runs = (await readRatedRuns(files, config)).map((run) => unblind(run, { partial }));
    const analysis = { seed, cluster: documents ? "document" : "segment" } as const;
    const comparison = compareSystems(runs, analysis);
    const raters = runs.map((run) => raterReliability(run, analysis));
    Deno.mkdirSync(out, { recursive: true });
    const at = (file: string) => join(out, file);
    const ratings = { csv: at("system_ratings.csv"), workbook: at("system_ratings.xlsx") };
    await writeSystemRatings(runs, ratings);
    writeSystemMeans(comparison, config, at("system_means.csv"));
    writePairwiseTests(comparison, at("pairwise_tests.csv"));
    writeReliability(raters, interRater(runs, analysis), at("reliability.csv"));
    for (const { rater, leftOut } of runs) {
      if (leftOut.length > 0) console.log(`${rater}: ${leftOut.length} items left out.`);
    }
    console.log(shownTable(comparison.systems, {
      system: ({ system }) => system,
      "mean score": ({ meanDa }) => shown(meanDa),
      cluster: ({ cluster }) => cluster,
    }));
    return EXIT.done;
  },
);
