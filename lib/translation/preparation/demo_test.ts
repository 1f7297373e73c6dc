import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inFolder } from "../../files/testdata/folder.ts";
import { TRANSLATION_PATHS as PATHS } from "../tables.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { readOutputs } from "./outputs.ts";
import { DEMO_OPTIONS, prepareRun } from "./prepare_run.ts";
import { readRunConfig, readSealedKey } from "./run_files.ts";

Deno.test("demo: the committed workbook and key are what notebook 31 makes of the outputs", async () => {
  const config = readRunConfig(PATHS.demoRun);
  const outputs = await readOutputs(PATHS.demoOutputs);
  const { workbook, key } = prepareRun(outputs, { ...DEMO_OPTIONS, config });
  const bytes = Deno.readFileSync(PATHS.demoWorkbook);
  const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  assert.deepEqual(read, { kind: "workbook", workbook });
  assert.deepEqual(readSealedKey(PATHS.demoKey), key);
  assert.deepEqual(await checkpoint(workbook, config), bytes);
  const secret = new TextDecoder().decode(Uint8Array.fromHex(DEMO_OPTIONS.secret));
  assert.equal(secret, "demonstration, so not a secret");
});

const NOTEBOOK = new URL("../../../notebooks/31_translation_workbook.ipynb", import.meta.url);

/** Returns the first code block of a language in the notebook's section. */
function blockOf(language: string): string {
  const { cells } = JSON.parse(Deno.readTextFileSync(NOTEBOOK));
  const text = cells.map(({ source }: { source: readonly string[] }) => source.join(""))
    .find((source: string) => source.startsWith("## With your own file"));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(text)![1]!;
}

Deno.test("notebook 31: the instructions for a custom file run unchanged", () =>
  inFolder(async (folder) => {
    const at = (...names: readonly string[]) => join(folder, ...names);
    const [heading, row] = blockOf("csv").trim().split("\n") as [string, string];
    // Eight sentences instead of one.
    const rows = Array(8).fill(row).map((row: string, n) =>
      row.replace(/^d1,1/, `d${n >> 2},${n}`).replaceAll(".", ` ${n}.`)
    );
    Deno.writeTextFileSync(at("my_outputs.csv"), [heading, ...rows, ""].join("\n"));
    Deno.writeTextFileSync(at("my_run.yaml"), blockOf("yaml"));
    const script = blockOf("ts").replaceAll('"../lib/', `"${new URL("../lib/", NOTEBOOK)}`)
      .replace(/"my_/g, `"${at("my_")}`);
    Deno.writeTextFileSync(at("prepare.ts"), script);
    await import(pathToFileURL(at("prepare.ts")).href);
    for (const rater of ["anna", "ben"]) {
      const key = readSealedKey(at("my_raters", "sealed", `${rater}.json`));
      assert.deepEqual([key.items.length, key.systems.length], [10, 3]);
      assert.ok(Deno.statSync(at("my_raters", `${rater}.xlsx`)).size > 0);
    }
  }));
