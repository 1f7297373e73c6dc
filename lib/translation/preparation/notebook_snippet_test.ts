import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkKey } from "./check_key.ts";
import { readSealedKey } from "./key_files.ts";
import { readRunConfig } from "./run_files.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";

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
