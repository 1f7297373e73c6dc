import assert from "node:assert/strict";
import { cohenKappa, weightedKappa } from "./agreement.ts";

/** Two label lists that have the given table: rows by first judge, columns by second. */
function fromTable(table: readonly (readonly number[])[]): [number[], number[]] {
  const pairs = table.flatMap((counts, row) =>
    counts.flatMap((count, column) => new Array<[number, number]>(count).fill([row, column]))
  );
  return [pairs.map(([row]) => row), pairs.map(([, column]) => column)];
}

Deno.test("cohenKappa() gives Fleiss's published κ, and one worked by hand", () => {
  // Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions, table 18.1: κ = .676.
  const published = cohenKappa(...fromTable([[75, 1, 4], [5, 4, 1], [0, 0, 10]]));
  assert.ok(published.kind === "kappa" && published.kappa.toFixed(3) === "0.676");
  assert.deepEqual([published.observed, published.expected], [0.89, 0.66]);
  // Observed 35/50 = .7; expected (25·30 + 25·20)/2500 = .5; κ = .2/.5 = .4.
  const kappa = cohenKappa(...fromTable([[20, 5], [10, 15]]));
  assert.deepEqual(kappa, { kind: "kappa", kappa: 0.4, observed: 0.7, expected: 0.5, n: 50 });
  assert.equal(cohenKappa([], []).kind, "unavailable");
  assert.equal(cohenKappa(["A", "A"], ["A", "A"]).kind, "unavailable");
  const same = cohenKappa(["A", "B"], ["A", "B"]);
  assert.ok(same.kind === "kappa" && same.kappa === 1);
  assert.throws(() => cohenKappa(["A"], []), RangeError);
});

Deno.test("weightedKappa() gives κ worked by hand for three ordered labels", () => {
  // First 1 1 2 3, second 1 2 2 1. Linear: observed 0 + 1 + 0 + 2 = 3 of 4. Expected, first against
  // all of second (1 2 2 1): 2 + 2 + 2 + 6 = 12 of 16. κ = 1 − (3/4)/(12/16) = 0.
  const judges = [[1, 1, 2, 3], [1, 2, 2, 1]] as const;
  const linear = weightedKappa(...judges, "linear");
  assert.deepEqual(linear, { kind: "kappa", kappa: 0, observed: 0.5, expected: 6 / 16, n: 4 });
  // Quadratic: observed 0 + 1 + 0 + 4 = 5 of 4, expected 2 + 2 + 2 + 10 = 16 of 16; κ = 1 − 5/4.
  const quadratic = weightedKappa(...judges, "quadratic");
  assert.ok(quadratic.kind === "kappa" && quadratic.kappa === -0.25);
  // With two labels it is Cohen's.
  const two = fromTable([[20, 5], [10, 15]]);
  assert.deepEqual(weightedKappa(...two, "quadratic"), cohenKappa(...two));
  assert.throws(() => weightedKappa([1.5], [1], "linear"), RangeError);
});
