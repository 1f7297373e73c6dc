import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { PAIRWISE_TESTS, RELIABILITY, SYSTEM_RATINGS, systemMeans } from "../tables.ts";
import { madeRun, TWO_SYSTEMS, UNKNOWN } from "../testdata/runs.ts";
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
import {
  axisAround,
  pairCells,
  positionCells,
  shown,
  shownNumber,
  shownP,
  shownPercent,
} from "./views.ts";

const RUN = unblind(madeRun("=rater", [
  { da: [90, 10], comment: '=HYPERLINK("x")\nsecond, line' },
  { da: [80, 60], segment: "s1", role: { kind: "repeat", of: 1 } },
]));

Deno.test("writeSystemRatings() writes a row a rating, texts inert in CSV and as they are in XLSX", () =>
  inFolder(async (folder) => {
    const paths = { csv: join(folder, "ratings.csv"), workbook: join(folder, "ratings.xlsx") };
    assert.equal(await writeSystemRatings([RUN], paths), 4);
    const rows = SYSTEM_RATINGS.at(paths.csv).read();
    assert.equal(rows[0]!.rater, "'=rater");
    assert.equal(rows[0]!.comment, `'=HYPERLINK("x") second, line`);
    assert.deepEqual(rows.map(({ system, da }) => `${system} ${da}`).sort(), [
      "A 80",
      "A 90",
      "B 10",
      "B 60",
    ]);
    assert.deepEqual([rows[2]!.role, rows[2]!.role_of], ["repeat", 1]);
    const [sheet] = await readSheets(readArchive(Deno.readFileSync(paths.workbook)));
    const [headings, first] = sheet!.rows.map(({ cells }) => cells.map(({ value }) => value));
    assert.deepEqual(headings, SYSTEM_RATINGS.columns);
    assert.deepEqual([first![0], first!.at(-1)], ["=rater", '=HYPERLINK("x")\nsecond, line']);
  }));

Deno.test("writeSystemMeans() and writePairwiseTests() leave cells empty where there is no figure", () =>
  inFolder((folder) => {
    const [means, pairs] = [join(folder, "means.csv"), join(folder, "pairs.csv")];
    const buckets = [{ key: "best", label: "Best" }, { key: "poor", label: "Poor" }];
    writeSystemMeans(TWO_SYSTEMS, { ...RUN.config, buckets }, means);
    const [, second] = systemMeans(buckets).at(means).read();
    assert.deepEqual([second!.mean_da, second!.mean_z, second!.share_poor], [60.123457, "", 0.3]);
    writePairwiseTests(TWO_SYSTEMS, pairs);
    const [pair] = PAIRWISE_TESTS.at(pairs).read();
    assert.deepEqual([pair!.difference, pair!.p, pair!.different], [19.876543, 0.001953125, true]);
  }));

Deno.test("writeReliability() says why a figure is missing, of each rater and of all together", () =>
  inFolder((folder) => {
    const path = join(folder, "reliability.csv");
    const options = { seed: 1, resamples: 100, permutations: 100 };
    const run = unblind(madeRun("=rater", [
      { da: [90, 10] },
      { da: [50, 30] },
      { da: [80, 60], segment: "s1", role: { kind: "repeat", of: 1 } },
      { da: [50, 30], segment: "s2", role: { kind: "repeat", of: 2 } },
    ]));
    writeReliability([raterReliability(run, options)], interRater([run], options), path);
    const rows = new Map(RELIABILITY.at(path).read().map((row) => [row.measure, row]));
    assert.equal(rows.get("alpha_da")!.unavailable, "no item has two raters");
    assert.equal(rows.get("attention_passed")!.estimate, "");
    assert.deepEqual([rows.get("mean_da")!.estimate, rows.get("mean_da")!.rater], [45, "'=rater"]);
    // 10, 50, 0 and 0 points off: no interval from two items.
    const repeats = rows.get("repeat_mean_absolute_difference")!;
    assert.deepEqual([repeats.estimate, repeats.low, repeats.n], [15, "", 4]);
    const { low, estimate, high } = rows.get("active_seconds_median")!;
    assert.deepEqual([low, estimate, high], [40, 40, 40]);
  }));

Deno.test("shown() writes a figure with its interval, a true minus sign, and a reason for none", () => {
  const interval = { kind: "interval", estimate: -0.04, low: -1.25, high: 0.5 } as const;
  assert.equal(shown({ ...interval, confidence: 0.95, n: 3 }), "0.0 [−1.3, 0.5]");
  assert.equal(shown({ kind: "unavailable", reason: "none" }), "– (none)");
  assert.equal(shown({ kind: "correlation", coefficient: 0.5, n: 3 }, 2), "0.50");
  const point = { kind: "point", estimate: 0.5, n: 3, reason: "few" } as const;
  assert.equal(shownPercent(point), "50.0 (few)");
  assert.deepEqual([shownNumber(-2.25, 1), shownP(0.00001), shownP(0.5)], [
    "−2.3",
    "< 0.0001",
    "0.5000",
  ]);
});

Deno.test("pairCells() has a p above the diagonal and nothing on the other side", () => {
  const { rows, columns, cells, scale } = pairCells(TWO_SYSTEMS);
  assert.deepEqual([rows, columns, scale.edge], [["1 alder", "2 birch"], ["1", "2"], 0.05]);
  assert.deepEqual(cells[0]![1], { kind: "value", estimate: 0.001953125 });
  assert.deepEqual(cells[1]!.map(({ kind }) => kind), ["unavailable", "unavailable"]);
});

Deno.test("positionCells() centres its colours on zero and rounds their ends outwards", () => {
  const at = (estimate: number) => ({
    ...UNKNOWN,
    position: {
      ...UNKNOWN.position,
      positions: [{ position: 1, deviation: { kind: "value", estimate } as never }],
    },
  });
  assert.deepEqual(positionCells([at(-1.2)]).scale, { domain: [-2, 2], centre: 0 });
  assert.deepEqual(positionCells([at(7), at(3)]).format, "count");
});

Deno.test("axisAround() holds every interval between multiples of its step", () => {
  const measure = { kind: "interval", estimate: 5, low: -1, high: 12 } as const;
  assert.deepEqual(axisAround([{ label: "a", measure }], 10), [-10, 20]);
  assert.deepEqual(axisAround([], 10), [0, 10]);
});
