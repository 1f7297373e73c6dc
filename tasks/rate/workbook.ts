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
