import assert from "node:assert/strict";
import { join } from "node:path";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import { readSealedKey } from "./key_files.ts";
import type { PreparationOptions } from "./preparation_options.ts";
import { prepareRun } from "./prepare_run.ts";
import { readRunConfig, writeItemReports, writeRun } from "./run_files.ts";

const OUTPUTS = {
  systems: ["x", "y"],
  segments: [{ segment: "1", document: "d", source: "One", translations: ["Eins", ""] }],
};
const CONFIG = { ...DEFAULT_RUN_CONFIG, numTranslations: 2 };
const OPTIONS: PreparationOptions = {
  ...{ runId: "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11", seed: 1, config: CONFIG },
  secret: "00112233445566778899aabbccddeeff",
};

async function inFolder(act: (folder: string) => Promise<void>) {
  const folder = Deno.makeTempDirSync();
  try {
    await act(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("writeRun() never writes over the key of another run", async () => {
  await inFolder(async (folder) => {
    const paths = { workbook: join(folder, "w.xlsx"), key: join(folder, "sealed", "k.json") };
    const run = prepareRun(OUTPUTS, OPTIONS);
    await writeRun(run, CONFIG, paths);
    await writeRun(run, CONFIG, paths);
    const before = Deno.readFileSync(paths.workbook);
    const other = prepareRun(OUTPUTS, { ...OPTIONS, secret: "f".repeat(32) });
    await assert.rejects(
      writeRun(other, CONFIG, paths),
      /k\.json: the key of another run is there/,
    );
    assert.deepEqual(readSealedKey(paths.key), run.key);
    assert.deepEqual(Deno.readFileSync(paths.workbook), before);
  });
});

Deno.test("writeRun() never writes over a rater's work, nor over what it cannot read", async () => {
  await inFolder(async (folder) => {
    const paths = { workbook: join(folder, "w.xlsx"), key: join(folder, "k.json") };
    const run = prepareRun(OUTPUTS, OPTIONS);
    const items = run.workbook.items.map(({ input, evaluation }) => ({
      input,
      evaluation: { ...evaluation, comment: "zu frei" },
    }));
    const begun = await writeWorkbook({ ...run.workbook, items }, CONFIG);
    const standing = [
      [begun, /w\.xlsx: a workbook that a rater has begun is there/],
      [new Uint8Array([1]), /w\.xlsx: a file that is no unrated workbook/],
    ] as const;
    for (const [bytes, message] of standing) {
      Deno.writeFileSync(paths.workbook, bytes);
      await assert.rejects(writeRun(run, CONFIG, paths), message);
      assert.deepEqual(Deno.readFileSync(paths.workbook), bytes);
    }
  });
});

Deno.test("writeItemReports() names neither system nor role", async () => {
  await inFolder((folder) => {
    const path = join(folder, "items.csv");
    writeItemReports(path, prepareRun(OUTPUTS, OPTIONS).report.items);
    assert.equal(
      Deno.readTextFileSync(path),
      "item_id,source_characters,shortest_characters,median_characters,longest_characters," +
        "distinct,empty,script,other_script\n1,3,0,2,4,2,1,Latin,0\n",
    );
    return Promise.resolve();
  });
});

Deno.test("readRunConfig() names the file in its errors", async () => {
  await inFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "run.yaml"), "da_maximum: 7\n");
    assert.throws(
      () => readRunConfig(join(folder, "run.yaml")),
      /run\.yaml: unknown key da_maximum/,
    );
    return Promise.resolve();
  });
});
