import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { readSealedWorkbook } from "../../lib/translation/analysis/ratings.ts";
import { readRunConfig, readSealedKey } from "../../lib/translation/preparation/run_files.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { PREPARE } from "./workbook.ts";

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
