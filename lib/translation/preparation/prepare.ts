import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { marked } from "marked";
import { shownPath, temporaryName, writeTextAtomic } from "../../files/atomic.ts";
import type { RunConfig } from "../configuration.ts";
import { isInvalid } from "../rules/violations.ts";
import { taskWords, textsOf } from "../texts.ts";
import { newSecret } from "./draw.ts";
import { type ReadOutputs, readOutputs } from "./outputs.ts";
import { type PreparedRun, prepareRun } from "./prepare_run.ts";
import { readConfiguration, writeRun } from "./run_files.ts";

/** Runs that are drawn, one a rater, and not yet written. */
interface Plan {
  readonly config: RunConfig;
  /** The configuration as raters may have it. */
  readonly settings: string;
  readonly runs: readonly { readonly rater: string; readonly run: PreparedRun }[];
  /** What was read, and what a rater will have: for the researcher's eyes, it names systems. */
  readonly summary: readonly string[];
}

/**
 * Reads a run configuration and the outputs that its `preparation` names (or `outputsPath`), and
 * draws a run for each rater: all rate the same sentences, each with a run id and a secret of its own,
 * so that columns, order on the screen, repeats and checks differ. Writes nothing.
 *
 * Throws SyntaxError, RangeError and NotFound that name the file and everything wrong in it.
 */
export async function planRuns(configPath: string, outputsPath?: string): Promise<Plan> {
  const file = shownPath(configPath);
  const { config, preparation, asked: settings } = readConfiguration(configPath);
  if (outputsPath === undefined && preparation.outputs === undefined) {
    throw new SyntaxError(
      `Cannot prepare: ${file} names no file of systems' outputs. Write one under ` +
        "preparation.outputs, or say --outputs FILE.",
    );
  }
  const path = outputsPath ?? resolve(dirname(configPath), preparation.outputs!);
  const outputs = await readOutputs(path, preparation);
  const runs = preparation.raters.map((rater) => {
    const drawn = { runId: crypto.randomUUID(), secret: newSecret(), config };
    return { rater, run: prepareRun(outputs, { ...preparation, ...drawn }) };
  });
  const [first] = runs[0]!.run.workbook.items;
  const broken = config.practice.findIndex(({ translations }) =>
    isInvalid({ ...first!.evaluation, ratings: translations }, config)
  );
  if (broken >= 0) {
    throw new SyntaxError(
      `Cannot prepare: the reference ratings of practice.${broken} in ${file} break a rule that the ` +
        "rater must keep, such as the order of buckets.",
    );
  }
  return { config, settings, runs, summary: summaryOf(outputs, runs, config) };
}

function summaryOf({ described }: ReadOutputs, runs: Plan["runs"], config: RunConfig): string[] {
  const { workbook, report } = runs[0]!.run;
  const { low, high } = report.effort.hours;
  const cut = report.partialDocuments > 0 ? `, ${report.partialDocuments} of them in part` : "";
  const lookAt = ([
    ["empty", "empty"],
    ["changed", "with characters that no workbook holds"],
    ["otherScript", "in another script than the others'"],
    ["named", "texts with the system's name"],
    ["shared", "the same as another system's"],
  ] as const).flatMap(([kind, words]) => {
    const counts = report.systems.filter((it) => it[kind] > 0).map((it) =>
      `${it.system} ${it[kind]}`
    );
    return counts.length > 0 ? [`look at: ${words}: ${counts.join(", ")}`] : [];
  });
  return [
    ...described,
    `raters: ${runs.length} (${runs.map(({ rater }) => rater).join(", ")})`,
    `each: ${workbook.items.length} items of ${config.numTranslations} translations: ` +
    `practice ${config.practice.length}, sentences ${report.rated} (documents ` +
    `${report.documents}${cut}), repeats ${report.repeats}, attention checks ` +
    report.attentionChecks,
    `about ${low.toFixed(1)} to ${
      high.toFixed(1)
    } hours a rater, at 28 to 42 s a translation as in WMT's ESA`,
    ...lookAt,
  ];
}

/**
 * Writes a plan into a folder that is not there yet or empty, all of it or nothing: a workbook for
 * each rater, `sealed/` with the key of each under the same name, the pages of instructions, whose
 * names are given, and `run.yaml`, what the rater is asked and nothing that names systems. Throws Error for a folder that holds something.
 */
export async function writePlan({ config, settings, runs }: Plan, out: string): Promise<string[]> {
  const folder = resolve(out);
  if (existsSync(folder) && [...Deno.readDirSync(folder)].length > 0) {
    throw new Error(
      `Cannot prepare into ${shownPath(folder)}: it holds something already, and ratings whose ` +
        "key is overwritten mean nothing. Name a new folder.",
    );
  }
  const temporary = temporaryName(folder);
  try {
    for (const { rater, run } of runs) {
      await writeRun(run, config, {
        workbook: join(temporary, `${rater}.xlsx`),
        key: join(temporary, "sealed", `${rater}.json`),
      });
    }
    const pages = instructionPages(config);
    for (const [name, text] of [...pages, ["run.yaml", settings] as const]) {
      writeTextAtomic(join(temporary, name), text);
    }
    // Fails where somebody has put something there in the meantime.
    if (existsSync(folder)) Deno.removeSync(folder);
    Deno.renameSync(temporary, folder);
    return [...pages.keys()];
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

const STYLE = `
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5;
    font-family: system-ui, sans-serif; color-scheme: light dark; }
  table { border-collapse: collapse; }
  th, td { padding: 0.2rem 0.6rem; border: 1px solid; text-align: start; }
  img { max-width: 100%; }`;

/**
 * What raters are told, a self-contained HTML page for each language: file name → text. Without
 * instructions in the configuration it is what follows from buckets, scale and rules. A page may
 * hold HTML and pictures as `data:`; it fetches nothing and runs no script.
 */
function instructionPages(config: RunConfig): ReadonlyMap<string, string> {
  const [texts, told] = [textsOf(config), Object.entries(config.instructions)];
  const pages = told.length > 0 ? told : [
    [
      config.language,
      `# ${texts("title")}\n\n${taskWords(config)}\n\n${texts("rateInPage")}`,
    ] as const,
  ];
  return new Map(pages.map(([tag, markdown]) => [
    tag === "und" ? "instructions.html" : `instructions_${tag}.html`,
    `<!doctype html>
<html lang="${tag === "und" ? "" : tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${texts("instructions")}</title>
<style>${STYLE}
</style>
</head>
<body dir="auto">
${marked.parse(markdown, { async: false })}</body>
</html>
`,
  ]));
}
