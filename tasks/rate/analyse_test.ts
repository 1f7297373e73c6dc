import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { systemMeans, TRANSLATION_PATHS as DEMO } from "../../lib/translation/tables.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { ANALYSE } from "./analyse.ts";

Deno.test("rate analyse writes a study into a separate folder, by document, and refuses an unrated workbook or is there twice", () =>
  inFolder(async (folder) => {
    const rated = ["strict", "tired"].map((name) => join(DEMO.data, `simulated_${name}.xlsx`));
    const out = join(folder, "study");
    const given = ["--config", DEMO.demoRun, "--key", DEMO.demoKey, "--out", out];
    const shown = ["--title", "Two raters", "--note", "simulated"];
    assert.equal(await exitCodeOf(ANALYSE, [...rated, ...given, ...shown]), EXIT.done);
    const [first, ...others] = systemMeans().at(join(out, "system_means.csv")).read();
    assert.deepEqual([others.length, first!.system, first!.ratings], [11, "cedar", 40]);
    assert.deepEqual([first!.unit, first!.units], ["document", 5]);
    assert.match(Deno.readTextFileSync(join(out, "report.html")), /<h1>Two raters<\/h1>/);
    const blank = [...rated, DEMO.demoWorkbook, ...given];
    assert.equal(await exitCodeOf(ANALYSE, blank), EXIT.failed);
    assert.equal(await exitCodeOf(ANALYSE, [...blank, "--partial"]), EXIT.failed);
    const copy = join(folder, "copy.xlsx");
    Deno.copyFileSync(rated[0]!, copy);
    assert.equal(await exitCodeOf(ANALYSE, [...rated, copy, ...given]), EXIT.failed);
  }));
