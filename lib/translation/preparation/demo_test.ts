import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readTextIfThere } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { TRANSLATION_PATHS as PATHS } from "../tables.ts";
import { canonicalText } from "../text.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { LONG_FORM, readOutputs } from "./outputs.ts";
import { DEMO_OPTIONS, prepareRun } from "./prepare_run.ts";
import { checkKey, readRunConfig, readSealedKey } from "./run_files.ts";

Deno.test("demo: the committed workbook and key are what notebook 31 makes of the outputs", async () => {
  const config = readRunConfig(PATHS.demoRun);
  const { workbook, key } = prepareRun(await readOutputs(PATHS.demoOutputs), {
    ...DEMO_OPTIONS,
    config,
  });
  const bytes = Deno.readFileSync(PATHS.demoWorkbook);
  const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  assert.deepEqual(read, { kind: "workbook", workbook });
  assert.deepEqual(readSealedKey(PATHS.demoKey), key);
  assert.deepEqual(await checkpoint(workbook, config), bytes);
  const secret = new TextDecoder().decode(Uint8Array.fromHex(DEMO_OPTIONS.secret));
  assert.equal(secret, "demonstration, so not a secret");
});

const NOTEBOOK = new URL("../../../notebooks/31_translation_workbook.ipynb", import.meta.url);

/** The first block of a language in the notebook's section on a reader's own file. */
function blockOf(language: string): string {
  const { cells } = JSON.parse(Deno.readTextFileSync(NOTEBOOK));
  const text = cells.map(({ source }: { source: readonly string[] }) => source.join(""))
    .find((source: string) => source.startsWith("## With your own file"));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(text)![1]!;
}

Deno.test("notebook 31: what it tells a reader to write for a file of their own runs as it stands", () =>
  inFolder(async (folder) => {
    const at = (...names: readonly string[]) => join(folder, ...names);
    const [heading, row] = blockOf("csv").trim().split("\n") as [string, string];
    // Eight sentences instead of one.
    const rows = Array.from(
      { length: 8 },
      (_, n) => row.replace(/^d1,1/, `d${n >> 2},${n}`).replaceAll(".", ` ${n}.`),
    );
    Deno.writeTextFileSync(at("my_outputs.csv"), [heading, ...rows, ""].join("\n"));
    Deno.writeTextFileSync(at("my_run.yaml"), blockOf("yaml"));
    const script = blockOf("ts").replaceAll('"../lib/', `"${new URL("../lib/", NOTEBOOK)}`)
      .replace(/"(my_|rater_1\.|sealed\/)/g, (_, path) => `"${at(path)}`);
    Deno.writeTextFileSync(at("prepare.ts"), script);
    await import(pathToFileURL(at("prepare.ts")).href);
    const key = readSealedKey(at("sealed", "rater_1_key.json"));
    const config = readRunConfig(at("my_run.yaml"));
    const bytes = Deno.readFileSync(at("rater_1.xlsx"));
    const read = await readWorkbook(bytes, { config, runId: key.runId });
    assert.ok(read.kind === "workbook");
    checkKey(key, read.workbook);
    assert.deepEqual([read.workbook.items.length, key.systems.length], [10, 3]);
  }));

const wmt23 = readTextIfThere(PATHS.wmt23);

Deno.test({
  name: "WMT23: the key gives every translation of 12 systems back as it stands in the file",
  ignore: wmt23 === undefined,
  async fn() {
    const layout = { ...LONG_FORM, segment: "seg", document: "doc" };
    await assert.rejects(readOutputs(PATHS.wmt23, { layout }), /Cannot read .*quotes: false/s);
    const outputs = await readOutputs(PATHS.wmt23, { layout, quotes: false, exclude: ["refA"] });
    assert.deepEqual([outputs.systems.length, outputs.segments.length], [12, 110]);
    const { workbook, key, report } = prepareRun(outputs, {
      runId: "3b1f7c7e-5a0d-4a52-8f6e-2f7f1d0c9b8a",
      secret: "0123456789abcdef".repeat(2),
      seed: 23,
      config: DEFAULT_RUN_CONFIG,
      repeats: { share: 0.05 },
      attentionChecks: 5,
    });
    assert.deepEqual([workbook.items.length, report.partialDocuments], [110 + 6 + 5, 0]);
    checkKey(key, workbook);
    // Read without the code under test.
    const inFile = new Map(
      wmt23!.trimEnd().split("\n").slice(1).map((line) => {
        const [seg, , , system, , , translation] = line.split("\t");
        return [`${seg}\t${system}`, translation!];
      }),
    );
    for (const [index, { segment, systems, role }] of key.items.entries()) {
      for (const [t, text] of workbook.items[index]!.input.translations.entries()) {
        const isSpoiled = role.kind === "attention" && role.translation === t;
        const wanted = canonicalText(inFile.get(`${segment}\t${systems[t]}`)!);
        assert.equal(text === wanted, !isSpoiled);
      }
    }
  },
});
