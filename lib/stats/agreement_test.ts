import assert from "node:assert/strict";
import fc from "fast-check";
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
  assert.throws(() => cohenKappa(["A"], []), RangeError);
});

Deno.test("cohenKappa() is 1 for oneself, symmetric and never above 1", () => {
  const pairOfLabels = fc.tuple(fc.constantFrom("A", "B", "-"), fc.constantFrom("A", "B", "-"));
  fc.assert(fc.property(fc.array(pairOfLabels, { minLength: 1, maxLength: 40 }), (rows) => {
    const [first, second] = [rows.map((row) => row[0]), rows.map((row) => row[1])];
    const kappa = cohenKappa(first, second);
    assert.deepEqual(kappa, cohenKappa(second, first));
    if (kappa.kind === "kappa") assert.ok(kappa.kappa <= 1 && kappa.kappa >= -1);
    const own = cohenKappa(first, first);
    if (own.kind === "kappa") assert.equal(own.kappa, 1);
    else assert.equal(new Set(first).size, 1);
  }));
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
  assert.throws(() => weightedKappa([1.5], [1], "linear"), RangeError);
});

Deno.test("weightedKappa() is Cohen's κ for two labels, and 1 for oneself", () => {
  const weights = fc.constantFrom("linear" as const, "quadratic" as const);
  const pairs = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(1, 2)), { minLength: 1 });
  fc.assert(fc.property(pairs, weights, (rows, weight) => {
    const [first, second] = [rows.map((row) => row[0]), rows.map((row) => row[1])];
    const [found, plain] = [weightedKappa(first, second, weight), cohenKappa(first, second)];
    if (found.kind === "unavailable" || plain.kind === "unavailable") {
      assert.deepEqual(found, plain);
    } else assert.ok(Math.abs(found.kappa - plain.kappa) < 1e-12);
    const own = weightedKappa(first, first, weight);
    if (own.kind === "kappa") assert.equal(own.kappa, 1);
  }));
});
