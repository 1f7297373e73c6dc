import { basename, dirname, join } from "node:path";
import { planRuns, sealWorkbook, writePlan } from "../../lib/translation/preparation/prepare.ts";
import { readConfiguration, writeRun } from "../../lib/translation/preparation/run_files.ts";
import { RATER_NAME } from "../../lib/translation/configuration.ts";
import { command, EXIT } from "../command.ts";

/** Notebook 31 for a run of one's own. */
export const PREPARE = command(
  "rate prepare",
  "Draws a blind workbook for each rater from systems' outputs and seals the keys to them. The " +
    "configuration's part `preparation` says what is drawn (data/translation/README.md). A key names the systems: " +
    "keep it where no rater can read it.",
  (c) =>
    c.requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .option("--outputs <file>", "systems' outputs, .csv, .tsv or .xlsx, not those it names")
      .requiredOption("--out <folder>", "where to: a folder that is empty or not there")
      .option(
        "--add <rater...>",
        "only for these raters, who come later, into the folder of those before them",
      )
      .option("--dry-run", "only says what it would write"),
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
    }  sealed: the keys, for nobody but you
Next:
  deno task rate build --config ${at("run.yaml")} --out ${at("rate.html")}
Send each rater this page, the instructions and the workbook of that name, which has the name inside,
too. When they are back in ${at("rated")}, under whatever names:
  deno task rate analyse ${at("rated", "*.xlsx")} --config ${at("run.yaml")} \\
    --key ${at("sealed", "*.json")} --out ${at("results")}`);
    return EXIT.done;
  },
);

/** Names that can be a file's, each once. Throws RangeError. */
function raterNames(names: readonly string[]): readonly string[] {
  const wrong = names.find((name, index) =>
    !RATER_NAME.safeParse(name).success || names.indexOf(name) !== index
  );
  if (wrong === undefined) return names;
  throw new RangeError(
    `Cannot take ${wrong} for a rater's name: it stands twice, or has more than letters, digits, _ . -. ` +
      "Take another name.",
  );
}

/** For who has a workbook already. */
export const SEAL = command(
  "rate seal",
  "Makes a workbook for the rating page of one that was written by hand or by a program: a sheet " +
    "`inputs` with item_id, source and t1 … tN, or with a column a system, which is then drawn to " +
    "t1 … tN and sealed in a key.",
  (c) =>
    c.argument("<workbook>", "the workbook, .xlsx")
      .requiredOption("--config <file>", "the run configuration, YAML or JSON")
      .requiredOption("--out <file>", "where to, .xlsx; a key goes into sealed/ beside it")
      .option("--rater <name>", "who will rate it, where it is for one only"),
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
