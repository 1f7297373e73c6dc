import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { systemMeans, TRANSLATION_PATHS as DEMO } from "../../lib/translation/tables.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { ANALYSE } from "./analyse.ts";

Deno.test("rate analyse writes the tables of the demo's raters, and refuses what nobody rated", () =>
  inFolder(async (folder) => {
    const rated = ["strict", "tired"].map((name) => join(DEMO.data, `simulated_${name}.xlsx`));
    const given = ["--config", DEMO.demoRun, "--key", DEMO.demoKey, "--out", folder];
    assert.equal(await exitCodeOf(ANALYSE, [...rated, ...given]), EXIT.done);
    const means = systemMeans().at(join(folder, "system_means.csv")).read();
    assert.deepEqual([means.length, means[0]!.system, means[0]!.ratings], [12, "cedar", 40]);
    assert.equal(await exitCodeOf(ANALYSE, [DEMO.demoWorkbook, ...given]), EXIT.failed);
  }));
