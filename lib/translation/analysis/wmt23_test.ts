import assert from "node:assert/strict";
import { mean } from "simple-statistics";
import { readTextIfThere } from "../../files/atomic.ts";
import { TRANSLATION_PATHS, WMT23_PAIRS, WMT23_RANK_AGREEMENT, WMT23_SYSTEMS } from "../tables.ts";
import { compareMeasure, parseScores, wmt23Rows } from "./wmt23.ts";

const HEADING = "seg\tdoc\tsystem\tsource\ttranslation\tda_sqm\tmqm\tesa1\tesa2\n";

Deno.test("parseScores() keeps quotation marks as text, and every measure as a number", () => {
  const text = `${HEADING}11\td1\tA\t"Hi"\t„Hallo"\t62.5\t-20.0\t47.0\t44.0\n`;
  assert.deepEqual(parseScores(text, "x.tsv"), [{
    segment: "11",
    document: "d1",
    system: "A",
    source: '"Hi"',
    translation: '„Hallo"',
    scores: { esa1: 47, esa2: 44, da_sqm: 62.5, mqm: -20 },
  }]);
});

Deno.test("parseScores() names the line of a score that is none, and of a field too many", () => {
  const row = "11\td1\tA\tHi\tHallo\t62.5\t\t47.0\t44.0\n";
  assert.throws(() => parseScores(HEADING + row, "x.tsv"), /x\.tsv, line 2: mqm is ""/);
  assert.throws(() => parseScores(`${HEADING}${row.trim()}\tmore\n`, "x.tsv"), /10 cells/);
});

Deno.test("parseScores() names the columns that are not there", () => {
  assert.throws(() => parseScores("seg\tdoc\n", "x.tsv"), /no column system, source/);
});

const OPTIONS = { seed: 1, resamples: 100, cluster: "document" } as const;

/** Six documents of one segment each; B's differences from A are given, A always has 80. */
function scores(differences: readonly number[]) {
  return differences.flatMap((difference, index) => {
    const place = { segment: `s${index}`, document: `d${index}` };
    return [{ ...place, system: "A", value: 80 }, {
      ...place,
      system: "B",
      value: 80 - difference,
    }];
  });
}

Deno.test("compareMeasure() ranks, tests and clusters the systems by one measure, by hand", () => {
  // All six of one sign: 2 of 64 arrangements are as extreme, p = 1/32.
  const { systems, pairs } = compareMeasure("mqm", scores([1, 2, 3, 4, 5, 6]), OPTIONS);
  assert.deepEqual(
    systems.map(({ system, rank, mean, cluster, documents }) => [
      ...[system, rank, mean, cluster, documents],
    ]),
    [["A", 1, 80, 1, 6], ["B", 2, 76.5, 2, 6]],
  );
  assert.deepEqual(pairs, [{
    measure: "mqm",
    first: "A",
    second: "B",
    difference: 3.5,
    p: 1 / 32,
    adjusted_p: 1 / 32,
    different: true,
  }]);
});

Deno.test("compareMeasure() keeps clusters with and without adjustment apart", () => {
  // Three pairs of p = 1/32: adjusted 3/32, above 0.05.
  const third = scores([1, 2, 3, 4, 5, 6])
    .filter(({ system }) => system === "B")
    .map((score, index) => ({ ...score, system: "C", value: score.value - 7 - index }));
  const { systems } = compareMeasure(
    "mqm",
    [...scores([1, 2, 3, 4, 5, 6]), ...third],
    OPTIONS,
  );
  assert.deepEqual(systems.map((row) => row.cluster), [1, 1, 1]);
  assert.deepEqual(systems.map((row) => row.cluster_unadjusted), [1, 2, 3]);
});

const file = readTextIfThere(TRANSLATION_PATHS.wmt23);

Deno.test({
  name:
    "wmt23Rows() gives the committed data/translation/wmt23_*.csv through workbook and analysis",
  ignore: file === undefined,
  fn: async () => {
    const rows = await wmt23Rows(file!, "wmt23_ende_scores.tsv");
    const committed = (path: string) => Deno.readTextFileSync(path);
    assert.equal(WMT23_SYSTEMS.format(rows.systems), committed(WMT23_SYSTEMS.path));
    assert.equal(WMT23_PAIRS.format(rows.pairs), committed(WMT23_PAIRS.path));
    const agreement = WMT23_RANK_AGREEMENT.format(rows.rankAgreement);
    assert.equal(agreement, committed(WMT23_RANK_AGREEMENT.path));
  },
});

Deno.test({
  name:
    "the committed WMT23 means are the file's own to 1e-6, in their order, whatever way they went",
  ignore: file === undefined,
  fn: () => {
    const scored = parseScores(file!, "x").filter(({ system }) => system !== "refA");
    for (const [measure, rows] of Map.groupBy(WMT23_SYSTEMS.read(), ({ measure }) => measure)) {
      const own = rows.map(({ system }) =>
        mean(scored.filter((it) => it.system === system).map(({ scores }) => scores[measure]))
      );
      assert.deepEqual(own, own.toSorted((a, b) => b - a));
      rows.forEach((row, place) => assert.ok(Math.abs(row.mean - own[place]!) < 1e-6, row.system));
    }
  },
});
