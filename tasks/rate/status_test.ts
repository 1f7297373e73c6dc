import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { readSealedWorkbook } from "../../lib/translation/analysis/ratings.ts";
import { raterStatuses, statusTable } from "../../lib/translation/analysis/status.ts";
import { readRunConfig, readSealedKey } from "../../lib/translation/preparation/run_files.ts";
import { TRANSLATION_PATHS as PATHS } from "../../lib/translation/tables.ts";
import { checkpoint } from "../../lib/translation/workbook/write_workbook.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { STATUS } from "./status.ts";

Deno.test("rate status says of each rater what is done, how fast, which checks were passed, and what cannot be read", () =>
  inFolder(async (folder) => {
    const at = (...names: readonly string[]) => join(folder, ...names);
    const config = readRunConfig(PATHS.demoRun);
    const key = readSealedKey(PATHS.demoKey);
    const sealed = { key, config };
    const finished = Deno.readFileSync(join(PATHS.data, "simulated_strict.xlsx"));
    const [all, blank] = await Promise.all([
      readSealedWorkbook(finished, "strict", sealed),
      readSealedWorkbook(Deno.readFileSync(PATHS.demoWorkbook), "blank", sealed),
    ]);
    // Half of it, the second item with a score off the scale.
    const items = all.items.map((item, index) => {
      if (index >= 15) return blank.items[index]!;
      if (index !== 1) return item;
      const { ratings } = item.evaluation;
      const off = ratings.with(0, { ...ratings[0]!, da: 101 });
      return { ...item, evaluation: { ...item.evaluation, ratings: off } };
    });
    for (const name of ["rated", "sealed"]) Deno.mkdirSync(at(name));
    Deno.copyFileSync(PATHS.demoKey, at("sealed", "demo.json"));
    Deno.copyFileSync(PATHS.demoRun, at("run.yaml"));
    Deno.writeFileSync(at("rated", "half.xlsx"), await checkpoint({ ...all, items }, config));
    Deno.writeFileSync(at("rated", "whole.xlsx"), finished);
    Deno.writeFileSync(at("rated", "blank.xlsx"), Deno.readFileSync(PATHS.demoWorkbook));
    Deno.writeTextFileSync(at("rated", "broken.xlsx"), "no workbook");
    const names = ["half", "whole", "blank", "broken"];
    const files = names.map((rater) => ({ rater, path: at("rated", `${rater}.xlsx`) }));
    const statuses = await raterStatuses(files, [at("sealed", "demo.json")], config);
    const rated = key.items.filter(({ role }) => role.kind === "rated").map(({ itemId }) => itemId);
    const half = rated.filter((itemId) => itemId <= 15 && itemId !== 2).length;
    const { rows } = statusTable(statuses);
    assert.deepEqual(rows.map((row) => [row[0], row[1], row[5]]), [
      ["half", `${half} of 20`, "2"],
      ["whole", "20 of 20", "none"],
      ["blank", "0 of 20", "none"],
    ]);
    assert.match(String(rows[1]![4]), /^3 of 3/);
    assert.match(String(rows[2]![4]), /^0 of 0/);
    assert.ok("problem" in statuses[3]! && /broken\.xlsx/.test(statuses[3].problem));

    const { log, error } = console;
    const lines: unknown[] = [];
    console.log = console.error = (line: unknown) => void lines.push(line);
    try {
      const paths = files.map(({ path }) => path);
      assert.equal(await exitCodeOf(STATUS, paths), EXIT.incomplete);
      assert.equal(await exitCodeOf(STATUS, paths.slice(0, 2)), EXIT.done);
      assert.equal(await exitCodeOf(STATUS, [join(PATHS.data, "demo_workbook.xlsx")]), EXIT.failed);
    } finally {
      [console.log, console.error] = [log, error];
    }
    assert.match(
      lines.join("\n"),
      /whole \| 20 of 20 .*broken\.xlsx.*there is no folder .*sealed/s,
    );
  }));
