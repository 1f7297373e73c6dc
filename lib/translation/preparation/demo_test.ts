import assert from "node:assert/strict";
import { TRANSLATION_PATHS } from "../paths.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { DEMO_OPTIONS } from "./demo.ts";
import { readSealedKey } from "./key_files.ts";
import { readOutputs } from "./outputs_files.ts";
import { prepareRun } from "./prepare_run.ts";
import { readRunConfig } from "./run_files.ts";

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
