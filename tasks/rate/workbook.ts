import { basename, dirname, join } from "node:path";
import { planRuns, sealWorkbook, writePlan } from "../../lib/translation/preparation/prepare.ts";
import { readConfiguration, writeRun } from "../../lib/translation/preparation/run_files.ts";
import { RATER_NAME } from "../../lib/translation/configuration.ts";
import { command, EXIT } from "../command.ts";

/** Prepares a run like notebook 31, for custom data. */
export const PREPARE = command(
  "rate prepare",
  "Makes a blind workbook for each rater from systems' outputs and seals their keys. The " +
    "configuration's part `preparation` sets what is sampled (data/translation/README.md). A key names the systems: " +
    "keep it where no rater can read it.",
  (c) =>
    c.requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .option(
        "--outputs <file>",
        "systems' outputs, .csv, .tsv or .xlsx, overriding the configuration",
      )
      .requiredOption("--out <folder>", "output folder, empty or new")
      .option(
        "--add <rater...>",
        "only these further raters, into an already prepared folder",
      )
      .option("--dry-run", "only print what would be written"),
  async ({ config, outputs, out, add, dryRun }) => {
    const later = add && { raters: raterNames(add), folder: out };
    const plan = await planRuns(config, { outputs, later });
    for (const line of plan.summary) console.log(line);
    if (dryRun) return EXIT.done;
    const pages = await writePlan(plan, out);
    const at = (...names: readonly string[]) => join(out, ...names);
    console.log(`
${out}: written.
  ${plan.runs.map(({ rater }) => `${rater}.xlsx`).join(", ")}: for the raters
${
      add ? "" : `  ${pages.join(", ")}: instructions for them
  run.yaml: the configuration without what names systems
`
    }  sealed: the keys, for you alone
Next:
  deno task rate build --config ${at("run.yaml")} --out ${at("rate.html")}
Send each rater this page, the instructions and the workbook of that name, which has the name inside,
too. When they are back in ${at("rated")}, under whatever names:
  deno task rate analyse ${at("rated", "*.xlsx")} --config ${at("run.yaml")} \\
    --key ${at("sealed", "*.json")} --out ${at("results")}`);
    return EXIT.done;
  },
);

/** Returns names usable as file names. Throws RangeError for an invalid or repeated one. */
function raterNames(names: readonly string[]): readonly string[] {
  const wrong = names.find((name, index) =>
    !RATER_NAME.safeParse(name).success || names.indexOf(name) !== index
  );
  if (wrong === undefined) return names;
  throw new RangeError(
    `Cannot take ${wrong} for a rater's name: it occurs twice, or has more than letters, digits, _ . -. ` +
      "Take another name.",
  );
}

/** Seals an existing workbook. */
export const SEAL = command(
  "rate seal",
  "Turns a workbook that was written by hand or by a program into one for the rating page: a sheet " +
    "`inputs` with item_id, source and t1 … tN, or with a column per system, which are then assigned to " +
    "t1 … tN at random and sealed in a key.",
  (c) =>
    c.argument("<workbook>", "the workbook, .xlsx")
      .requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .requiredOption("--out <file>", "output file, .xlsx; a key goes into sealed/ next to it")
      .option("--rater <name>", "the rater's name, if it is for one only"),
  async ({ config: configPath, out, rater }, { args: [path] }) => {
    const configuration = readConfiguration(configPath);
    const [named] = raterNames(rater === undefined ? [] : [rater]);
    const sealed = await sealWorkbook(path!, configuration, named);
    const key = join(dirname(out), "sealed", `${basename(out, ".xlsx")}.json`);
    await writeRun(sealed, configuration.config, { workbook: out, key });
    for (const line of sealed.described) console.log(line);
    console.log(`${out}: ${sealed.workbook.items.length} items, sealed.`);
    console.log(
      sealed.key
        ? `${key}: the key to its systems. No rater may see it.`
        : "No key, without which rate analyse cannot tell systems: preparation.systems may name t1 … tN.",
    );
    console.log(`Next: deno task rate build --config ${configPath} --out rate.html`);
    return EXIT.done;
  },
);
