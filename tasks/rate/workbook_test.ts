import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { readSealedWorkbook } from "../../lib/translation/analysis/ratings.ts";
import { readRunConfig, readSealedKey } from "../../lib/translation/preparation/run_files.ts";
import { systemMeans, TRANSLATION_PATHS as DEMO } from "../../lib/translation/tables.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { ANALYSE, PREPARE } from "./workbook.ts";

Deno.test("rate prepare makes a workbook and the key that it was sealed with", () =>
  inFolder(async (folder) => {
    const at = (name: string) => join(folder, name);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `d${n >> 2},${n},Source ${n},Eins,Zwei ${n}`);
    Deno.writeTextFileSync(at("o.csv"), ["document,segment,source,a,b", ...rows, ""].join("\n"));
    Deno.writeTextFileSync(at("run.yaml"), "num_translations: 2\n");
    const files = ["--workbook", at("w.xlsx"), "--key", at("k.json")];
    const given = ["--outputs", at("o.csv"), "--config", at("run.yaml"), ...files];
    const code = await exitCodeOf(PREPARE, [...given, "--repeats", "1", "--distance", "3"]);
    assert.equal(code, EXIT.done);
    const [key, config] = [readSealedKey(at("k.json")), readRunConfig(at("run.yaml"))];
    const read = await readSealedWorkbook(Deno.readFileSync(at("w.xlsx")), "w", { key, config });
    assert.deepEqual([read.items.length, key.systems], [9, ["a", "b"]]);
  }));

Deno.test("rate analyse writes the tables of the demo's raters, and refuses what nobody rated", () =>
  inFolder(async (folder) => {
    const rated = ["strict", "tired"].map((name) => join(DEMO.data, `simulated_${name}.xlsx`));
    const given = ["--config", DEMO.demoRun, "--key", DEMO.demoKey, "--out", folder];
    assert.equal(await exitCodeOf(ANALYSE, [...rated, ...given]), EXIT.done);
    const means = systemMeans().at(join(folder, "system_means.csv")).read();
    assert.deepEqual([means.length, means[0]!.system, means[0]!.ratings], [12, "cedar", 40]);
    assert.equal(await exitCodeOf(ANALYSE, [DEMO.demoWorkbook, ...given]), EXIT.failed);
  }));
