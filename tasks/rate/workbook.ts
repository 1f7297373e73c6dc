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
import { newSecret } from "../../lib/translation/preparation/draw.ts";
import { LONG_FORM, readOutputs, WIDE_FORM } from "../../lib/translation/preparation/outputs.ts";
import { prepareRun } from "../../lib/translation/preparation/prepare_run.ts";
import { readRunConfig, writeRun } from "../../lib/translation/preparation/run_files.ts";
import { command, EXIT, int } from "../command.ts";

/** Notebook 31 in one command, for a run of one's own: a new run id and a new secret each time. */
export const PREPARE = command(
  "rate prepare",
  "Draws a blind workbook from systems' outputs and seals the key to it. The key names the systems: " +
    "keep it where no rater can read it.",
  (c) =>
    c.requiredOption("--outputs <file>", "systems' outputs, .csv, .tsv or .xlsx")
      .requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .option("--long", "a row a sentence and system, not a row a sentence and a column a system")
      .option("--no-quotes", "quotation marks are text, as in WMT's files")
      .option("--exclude <system...>", "systems that take no part")
      .option("--items <number>", "how many sentences are drawn (all unless told)", int({ min: 1 }))
      .option("--seed <number>", "public: which sentences are drawn", int(), 1)
      .option("--repeats <number>", "sentences shown twice", int({ min: 0 }), 0)
      .option("--checks <number>", "attention checks", int({ min: 0 }), 0)
      .option("--distance <number>", "items from a sentence to its repeat", int({ min: 1 }), 10)
      .option("--workbook <file>", "for the rater", "rater.xlsx")
      .option("--key <file>", "for nobody but you", "sealed/rater_key.json"),
  async ({ outputs, long, quotes, exclude, ...options }) => {
    const config = readRunConfig(options.config);
    const layout = long === true ? LONG_FORM : WIDE_FORM;
    const systems = await readOutputs(outputs, { layout, exclude: exclude ?? [], quotes });
    const run = prepareRun(systems, {
      config,
      runId: crypto.randomUUID(),
      secret: newSecret(),
      seed: options.seed,
      items: options.items,
      repeats: options.repeats,
      attentionChecks: options.checks,
      minDistance: options.distance,
    });
    await writeRun(run, config, { workbook: options.workbook, key: options.key });
    const { rated, repeats, attentionChecks } = run.report;
    console.log(
      `${options.workbook}: ${rated} sentences, ${repeats} repeats, ${attentionChecks} checks.`,
    );
    console.log(`${options.key}: the sealed key. No rater may see it.`);
    return EXIT.done;
  },
);

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
