import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { shownPath } from "../../files/atomic.ts";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { TRANSLATION_PATHS } from "../tables.ts";
import { canonicalText } from "../text.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { LONG_FORM, readOutputs } from "./outputs.ts";
import { DEMO_OPTIONS, prepareRun } from "./prepare_run.ts";
import { checkKey, readRunConfig, readSealedKey } from "./run_files.ts";

const config = readRunConfig(TRANSLATION_PATHS.demoRun);

Deno.test("demo: the committed workbook and key are what notebook 31 makes of the outputs", async () => {
  const outputs = await readOutputs(TRANSLATION_PATHS.demoOutputs);
  const { workbook, key } = prepareRun(outputs, { ...DEMO_OPTIONS, config });
  const bytes = Deno.readFileSync(TRANSLATION_PATHS.demoWorkbook);
  const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  assert.deepEqual(read, { kind: "workbook", workbook });
  assert.deepEqual(readSealedKey(TRANSLATION_PATHS.demoKey), key);
  assert.deepEqual(await checkpoint(workbook, config), bytes);
});

Deno.test("demo: its secret says that it is none", () => {
  const text = new TextDecoder().decode(Uint8Array.fromHex(DEMO_OPTIONS.secret));
  assert.equal(text, "demonstration, so not a secret");
});

const NOTEBOOK = new URL("../../../notebooks/31_translation_workbook.ipynb", import.meta.url);

/** The blocks of one language in the notebook's section on a reader's own file. */
function blocksOf(language: string): readonly string[] {
  const { cells }: { cells: readonly { readonly source: readonly string[] }[] } = JSON.parse(
    Deno.readTextFileSync(NOTEBOOK),
  );
  const text = cells.map(({ source }) => source.join(""))
    .find((source) => source.startsWith("## With your own file"))!;
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))]
    .map(([, block]) => block!);
}

/** The file as the notebook shows it, with eight sentences instead of one. */
function outputsOf(csv: string): string {
  const [heading, row] = csv.trim().split("\n") as [string, string];
  const rows = Array.from(
    { length: 8 },
    (_, n) => row.replace(/^d1,1/, `d${n >> 2},${n}`).replaceAll(".", ` ${n}.`),
  );
  return [heading, ...rows, ""].join("\n");
}

Deno.test("notebook 31: what it tells a reader to write for a file of their own runs as it stands", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const [csv, yaml, script] = ["csv", "yaml", "ts"].map((language) => blocksOf(language)[0]!);
    Deno.writeTextFileSync(join(folder, "my_outputs.csv"), outputsOf(csv!));
    Deno.writeTextFileSync(join(folder, "my_run.yaml"), yaml!);
    const here = script!.replaceAll('"../lib/', `"${new URL("../lib/", NOTEBOOK)}`)
      .replace(/"(my_|rater_1\.|sealed\/)/g, (_, path) => `"${join(folder, path)}`);
    Deno.writeTextFileSync(join(folder, "prepare.ts"), here);
    await import(pathToFileURL(join(folder, "prepare.ts")).href);
    const key = readSealedKey(join(folder, "sealed", "rater_1_key.json"));
    const config = readRunConfig(join(folder, "my_run.yaml"));
    const bytes = Deno.readFileSync(join(folder, "rater_1.xlsx"));
    const read = await readWorkbook(bytes, { config, runId: key.runId });
    assert.ok(read.kind === "workbook");
    checkKey(key, read.workbook);
    assert.deepEqual([read.workbook.items.length, key.systems.length], [10, 3]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

const LAYOUT = { ...LONG_FORM, segment: "seg", document: "doc" };
const ignore = !existsSync(TRANSLATION_PATHS.wmt23);

Deno.test({
  name: "WMT23: the key gives every translation of 12 systems back as it stands in the file",
  ignore,
  async fn() {
    const options = { layout: LAYOUT, quotes: false, exclude: ["refA"] };
    const outputs = await readOutputs(TRANSLATION_PATHS.wmt23, options);
    assert.deepEqual([outputs.systems.length, outputs.segments.length], [12, 110]);
    const { workbook, key, report } = prepareRun(outputs, {
      runId: "3b1f7c7e-5a0d-4a52-8f6e-2f7f1d0c9b8a",
      secret: "0123456789abcdef".repeat(2),
      seed: 23,
      config: DEFAULT_RUN_CONFIG,
      repeats: { share: 0.05 },
      attentionChecks: 5,
    });
    assert.equal(workbook.items.length, 110 + 6 + 5);
    assert.equal(report.partialDocuments, 0);
    checkKey(key, workbook);
    const inFile = linesOf(TRANSLATION_PATHS.wmt23);
    let compared = 0;
    for (const [index, { segment, systems, role }] of key.items.entries()) {
      for (const [t, text] of workbook.items[index]!.input.translations.entries()) {
        const isSpoiled = role.kind === "attention" && role.translation === t;
        const wanted = inFile.get(`${segment}\t${systems[t]}`)!;
        assert.equal(text === canonicalText(wanted), !isSpoiled);
        compared++;
      }
    }
    assert.equal(compared, 121 * 12);
  },
});

Deno.test({
  name: "WMT23: read with quoting, the file is refused with the way to read it",
  ignore,
  async fn() {
    await assert.rejects(
      readOutputs(TRANSLATION_PATHS.wmt23, { layout: LAYOUT }),
      new RegExp(
        `Cannot read ${RegExp.escape(shownPath(TRANSLATION_PATHS.wmt23))}.*quotes: false`,
        "s",
      ),
    );
  },
});

/** Translations by segment and system, read without the code under test. */
function linesOf(path: string): ReadonlyMap<string, string> {
  const lines = Deno.readTextFileSync(path).trimEnd().split("\n").slice(1);
  return new Map(lines.map((line) => {
    const [seg, , , system, , , translation] = line.split("\t");
    return [`${seg}\t${system}`, translation!];
  }));
}
