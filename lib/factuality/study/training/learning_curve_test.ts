import assert from "node:assert/strict";
import { join } from "node:path";
import { randomSource } from "../../../stats/random.ts";
import {
  CURVE_POINTS,
  type CurveFit,
  curveRows,
  learningCurveCsv,
  readLearningCurve,
  shareOfCountries,
} from "./learning_curve.ts";

const COUNTRIES = Array.from({ length: 20 }, (_, i) => `country ${i}`);

Deno.test("shareOfCountries() is nested within a seed, another with another, never empty", () => {
  const [small, large] = [0.1, 0.4].map((share) => shareOfCountries(COUNTRIES, share, 1));
  assert.deepEqual([small!.size, large!.size], [2, 8]);
  assert.ok([...small!].every((country) => large!.has(country)));
  assert.notDeepEqual(shareOfCountries(COUNTRIES, 0.4, 2), large);
  assert.deepEqual(shareOfCountries(COUNTRIES.toReversed(), 0.4, 1), large);
  assert.equal(shareOfCountries(COUNTRIES, 0.01, 1).size, 1);
});

Deno.test("CURVE_POINTS: every head with every share and seed, once", () => {
  const keys = CURVE_POINTS.map((point) => JSON.stringify(point));
  assert.equal(new Set(keys).size, 3 * 2 * 6 * 5);
});

/** All right in one country, half right in the other. */
function fit(seed: number, right: number): CurveFit {
  const two = (n: number) => [[n, 4 - n], [4 - n, n]];
  const three = (n: number) => [[n, 4 - n, 0], [4 - n, n, 0], [0, 4 - n, n]];
  return {
    ...{
      features: "readable",
      head: "logistic",
      share: 0.1,
      seed,
      countries: 2,
      claims: 50 + seed,
    },
    tables: {
      binary: [{ cluster: "a", counts: two(4) }, { cluster: "b", counts: two(right) }],
      "three-way": [{ cluster: "a", counts: three(4) }, { cluster: "b", counts: three(right) }],
    },
  };
}

Deno.test("Requirement 12.4: curveRows() tell every seed and the mean; the file reads as written", async () => {
  const rows = curveRows([fit(1, 4), fit(2, 0)], randomSource(1));
  assert.deepEqual(rows.map(({ seed, reading }) => `${reading} ${seed}`), [
    ...["three-way 1", "three-way 2", "three-way mean", "binary 1", "binary 2", "binary mean"],
  ]);
  const [three, binary] = [rows[2]!, rows[5]!];
  assert.deepEqual([three.balanced_accuracy, binary.balanced_accuracy], [0.75, 0.75]);
  assert.deepEqual([three.claims, three.n, three.clusters], [51.5, 24, 2]);
  const path = join(await Deno.makeTempDir(), "curve.csv");
  await Deno.writeTextFile(path, learningCurveCsv(rows));
  assert.deepEqual(readLearningCurve(path), rows);
});
