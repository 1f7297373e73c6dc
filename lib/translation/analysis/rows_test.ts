import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { PAIRWISE_TESTS, RELIABILITY, SYSTEM_RATINGS, systemMeans } from "../tables.ts";
import { madeRun } from "../testdata/runs.ts";
import { readArchive } from "../workbook/archive.ts";
import { readSheets } from "../workbook/sheets.ts";
import { interRater } from "./agreement.ts";
import { unblind } from "./ratings.ts";
import { raterReliability } from "./reliability.ts";
import {
  writePairwiseTests,
  writeReliability,
  writeSystemMeans,
  writeSystemRatings,
} from "./rows.ts";
import { compareSystems } from "./systems.ts";
import { axisAround, pairCells, positionCells } from "./views.ts";

const OPTIONS = { seed: 1, resamples: 100, permutations: 100 };
const RUN = unblind(madeRun("=rater", [
  { da: [90, 10], comment: '=HYPERLINK("x")\nsecond, line' },
  { da: [50, 30] },
  { da: [80, 60], segment: "s1", role: { kind: "repeat", of: 1 } },
  { da: [50, 30], segment: "s2", role: { kind: "repeat", of: 2 } },
]));

Deno.test("writeSystemRatings() writes a row a rating, texts inert in CSV and as they are in XLSX", () =>
  inFolder(async (folder) => {
    const paths = { csv: join(folder, "ratings.csv"), workbook: join(folder, "ratings.xlsx") };
    assert.equal(await writeSystemRatings([RUN], paths), 8);
    const rows = SYSTEM_RATINGS.at(paths.csv).read();
    const { rater, comment } = rows[0]!;
    assert.deepEqual([rater, comment], ["'=rater", `'=HYPERLINK("x") second, line`]);
    const first = rows.slice(0, 2).map(({ system, da }) => `${system} ${da}`).sort();
    assert.deepEqual(first, ["A 90", "B 10"]);
    assert.deepEqual([rows[4]!.role, rows[4]!.role_of], ["repeat", 1]);
    const [sheet] = await readSheets(readArchive(Deno.readFileSync(paths.workbook)));
    const [headings, row] = sheet!.rows.map(({ cells }) => cells.map(({ value }) => value));
    assert.deepEqual(headings, SYSTEM_RATINGS.columns);
    assert.deepEqual([row![0], row!.at(-1)], ["=rater", '=HYPERLINK("x")\nsecond, line']);
  }));

Deno.test("tables of systems and raters leave cells empty where there is no figure, and say why", () =>
  inFolder((folder) => {
    const [means, pairs, path] = ["m.csv", "p.csv", "r.csv"]
      .map((name) => join(folder, name)) as [string, string, string];
    const constant = unblind(madeRun("one score", [{ da: [50, 50] }, { da: [50, 50] }]));
    writeSystemMeans(compareSystems([constant], OPTIONS), RUN.config, means);
    const [first] = systemMeans(RUN.config.buckets).at(means).read();
    assert.deepEqual([first!.mean_da, first!.mean_z, first!.share_good], [50, "", 1]);
    writePairwiseTests(compareSystems([RUN], OPTIONS), pairs);
    const [pair] = PAIRWISE_TESTS.at(pairs).read();
    // Differences 80 and 20: both signs of both are as extreme.
    assert.deepEqual([pair!.difference, pair!.p, pair!.different], [50, 0.5, false]);
    writeReliability([raterReliability(RUN, OPTIONS)], interRater([RUN], OPTIONS), path);
    const rows = new Map(RELIABILITY.at(path).read().map((row) => [row.measure, row]));
    assert.equal(rows.get("alpha_da")!.unavailable, "no item has two raters");
    assert.deepEqual([rows.get("mean_da")!.estimate, rows.get("mean_da")!.rater], [45, "'=rater"]);
    // 10, 50, 0 and 0 points off: no interval from two items.
    const repeats = rows.get("repeat_mean_absolute_difference")!;
    assert.deepEqual([repeats.estimate, repeats.low, repeats.n], [15, "", 4]);
  }));

Deno.test("figures: p above the diagonal, colours centred on zero, axes around every interval", () => {
  const { rows, columns, cells, scale } = pairCells(compareSystems([RUN], OPTIONS));
  assert.deepEqual([rows, columns, scale.edge], [["1 A", "2 B"], ["1", "2"], 0.05]);
  assert.deepEqual(cells[0]![1], { kind: "value", estimate: 0.5 });
  assert.deepEqual(cells[1]!.map(({ kind }) => kind), ["unavailable", "unavailable"]);
  const at = (estimate: number) => {
    const positions = [{ position: 1, deviation: { kind: "value", estimate } as never }];
    return { rater: "r", position: { positions } as never };
  };
  assert.deepEqual(positionCells([at(-1.2)]).scale, { domain: [-2, 2], centre: 0 });
  const measure = { kind: "interval", estimate: 5, low: -1, high: 12 } as const;
  assert.deepEqual(axisAround([{ label: "a", measure }], 10), [-10, 20]);
});
