import assert from "node:assert/strict";
import { mean } from "simple-statistics";
import { outsideFile } from "../../files/table.ts";
import { SETS_FOLDER } from "../../files/testdata/folder.ts";
import { WMT23_PAIRS, WMT23_RANK_AGREEMENT, WMT23_SCORES, WMT23_SYSTEMS } from "./tables.ts";
import { parseScores, wmt23Rows } from "./wmt23.ts";

Deno.test("parseScores() keeps quotation marks as text, and names lines and columns at fault", () => {
  const heading = "seg\tdoc\tsystem\tsource\ttranslation\tda_sqm\tmqm\tesa1\tesa2\n";
  const text = `${heading}11\td1\tA\t"Hi"\t„Hallo"\t62.5\t-20.0\t47.0\t44.0\n`;
  const [{ source, translation, scores } = assert.fail()] = parseScores(text, "x.tsv");
  assert.deepEqual([source, translation], ['"Hi"', '„Hallo"']);
  assert.deepEqual(scores, { esa1: 47, esa2: 44, da_sqm: 62.5, mqm: -20 });
  const row = "11\td1\tA\tHi\tHallo\t62.5\t\t47.0\t44.0\n";
  assert.throws(() => parseScores(heading + row, "x.tsv"), /x\.tsv, line 2: mqm is ""/);
  assert.throws(() => parseScores(`${heading}${row.trim()}\tmore\n`, "x.tsv"), /10 cells/);
  assert.throws(() => parseScores("seg\tdoc\n", "x.tsv"), /no column system, source/);
});

Deno.test({
  name:
    "wmt23Rows() gives the committed wmt23_*.csv through workbook and analysis, the file's own means",
  ignore: SETS_FOLDER === undefined,
  fn: async () => {
    const file = Deno.readTextFileSync(outsideFile(WMT23_SCORES, SETS_FOLDER));
    const rows = await wmt23Rows(file, WMT23_SCORES.file);
    const committed = (path: string) => Deno.readTextFileSync(path);
    assert.equal(WMT23_SYSTEMS.format(rows.systems), committed(WMT23_SYSTEMS.path));
    assert.equal(WMT23_PAIRS.format(rows.pairs), committed(WMT23_PAIRS.path));
    const agreement = WMT23_RANK_AGREEMENT.format(rows.rankAgreement);
    assert.equal(agreement, committed(WMT23_RANK_AGREEMENT.path));
    const scored = parseScores(file, "x");
    for (const { measure, system, mean: systemMean } of rows.systems) {
      const scores = scored.filter((it) => it.system === system).map(({ scores }) =>
        scores[measure]
      );
      assert.ok(Math.abs(systemMean - mean(scores)) < 1e-6, system);
    }
  },
});
