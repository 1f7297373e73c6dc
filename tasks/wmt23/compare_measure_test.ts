import assert from "node:assert/strict";
import { compareMeasure } from "./compare_measure.ts";

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
  const { systems, pairs } = compareMeasure("mqm", scores([1, 2, 3, 4, 5, 6]), OPTIONS, 0.05);
  assert.deepEqual(
    systems.map(({ system, rank, mean, cluster, documents }) => [
      ...[system, rank, mean, cluster, documents],
    ]),
    [["A", 1, 80, 1, 6], ["B", 2, 76.5, 2, 6]],
  );
  assert.deepEqual(pairs, [{
    ...{ measure: "mqm", first: "A", second: "B", difference: 3.5 },
    ...{ p: 1 / 32, adjusted_p: 1 / 32, different: true },
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
    0.05,
  );
  assert.deepEqual(systems.map((row) => row.cluster), [1, 1, 1]);
  assert.deepEqual(systems.map((row) => row.cluster_unadjusted), [1, 2, 3]);
});
