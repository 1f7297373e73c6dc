import assert from "node:assert/strict";
import fc from "fast-check";
import { agreementBand } from "./agreement_band.ts";
import { fleissKappa, fleissKappaInterval } from "./fleiss_kappa.ts";
import { randomSource } from "./random.ts";
import type { RatedItem } from "./rated_items.ts";

const LABELS = ["1", "2", "3", "4", "5"];

/** The field's usual worked example: ten subjects, fourteen raters, five categories. */
const PUBLISHED = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

function itemsOf(table: readonly (readonly number[])[]): readonly RatedItem<string>[] {
  return table.map((counts, i) => ({
    id: `s${i + 1}`,
    labels: counts.flatMap((count, k) => new Array<string>(count).fill(LABELS[k]!)),
  }));
}

function item(id: string, ...labels: readonly string[]): RatedItem<string> {
  return { id, labels };
}

Deno.test("fleissKappa() gives the published κ, Po, Pe and agreement of each item", () => {
  const found = fleissKappa(itemsOf(PUBLISHED), LABELS);
  assert.ok(found.kind === "fleiss");
  assert.equal(found.kappa.toFixed(3), "0.210");
  assert.equal(found.observed.toFixed(3), "0.378");
  assert.equal(found.expected.toFixed(3), "0.213");
  assert.deepEqual([found.items, found.raters, found.band], [10, 14, "fair"]);
  assert.deepEqual(
    found.itemAgreement.map(({ agreement }) => agreement.toFixed(3)),
    ["1.000", "0.253", "0.308", "0.440", "0.330", "0.462", "0.242", "0.176", "0.286", "0.286"],
  );
});

Deno.test("fleissKappa() gives κ worked by hand for two raters", () => {
  // aa ab bb bb: Po = 3/4; shares 3/8 and 5/8, Pe = 34/64; κ = (48 − 34)/(64 − 34) = 14/30.
  const items = [
    item("1", "a", "a"),
    item("2", "a", "b"),
    item("3", "b", "b"),
    item("4", "b", "b"),
  ];
  const found = fleissKappa(items, ["a", "b"]);
  assert.ok(found.kind === "fleiss");
  assert.equal(found.kappa, 14 / 30);
  assert.deepEqual([found.observed, found.expected], [3 / 4, 34 / 64]);
});

Deno.test("fleissKappa() of one label only is undefined, with what was observed", () => {
  assert.deepEqual(fleissKappa([item("1", "a", "a"), item("2", "a", "a")], ["a", "b"]), {
    ...{ kind: "unavailable", reason: "all ratings are one label" },
    ...{ observed: 1, expected: 1 },
  });
  const none = fleissKappa([], ["a", "b"]);
  assert.ok(none.kind === "unavailable" && none.observed === undefined);
});

Deno.test("Requirement 17.4: fewer than two raters are an error that names the item", () => {
  assert.throws(
    () => fleissKappa([item("c7", "a")], ["a", "b"]),
    /item c7 was rated by 1; two raters/,
  );
  assert.throws(
    () => fleissKappa([item("c1", "a", "b"), item("c2", "a", "b", "a")], ["a", "b"]),
    /item c2 has 3 raters, item c1 2/,
  );
});

Deno.test("fleissKappa() refuses a label that is none, naming item and rater", () => {
  assert.throws(
    () => fleissKappa([item("c1", "a", "b"), item("c2", "a", "yes")], ["a", "b"]),
    /rating 2 of item c2 is "yes", none of a, b/,
  );
  assert.throws(() => fleissKappa([], ["a"]), RangeError);
  assert.throws(() => fleissKappa([], ["a", "a"]), RangeError);
});

Deno.test("agreementBand() has the bands of the specification, ends included", () => {
  const bands = [-0.4, 0.199, 0.2, 0.399, 0.4, 0.599, 0.6, 0.8, 0.801, 1].map(agreementBand);
  assert.deepEqual(bands, [
    ...["poor", "poor", "fair", "fair", "moderate", "moderate"],
    ...["substantial", "substantial", "almost perfect", "almost perfect"],
  ]);
  assert.throws(() => agreementBand(NaN), RangeError);
  assert.throws(() => agreementBand(1.1), RangeError);
});

const ratings = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 12 })).chain(
  ([raters, items]) =>
    fc.array(fc.array(fc.constantFrom("a", "b", "c"), { minLength: raters, maxLength: raters }), {
      minLength: items,
      maxLength: items,
    }),
);

Deno.test("Requirement 17.1: κ is (Po − Pe) / (1 − Pe), from −1/(n − 1) to 1", () => {
  fc.assert(
    fc.property(ratings, (rows) => {
      const found = fleissKappa(rows.map((row, i) => item(`${i}`, ...row)), ["a", "b", "c"]);
      if (found.kind === "unavailable") return assert.equal(new Set(rows.flat()).size, 1);
      const { kappa, observed, expected, raters } = found;
      assert.ok(Math.abs(kappa - (observed - expected) / (1 - expected)) < 1e-12);
      assert.ok(kappa <= 1 && kappa >= -1 / (raters - 1) - 1e-12, `${kappa}`);
      const mean = found.itemAgreement.reduce((sum, one) => sum + one.agreement, 0) / found.items;
      assert.ok(Math.abs(mean - observed) < 1e-12);
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 17.2: neither the order of items and raters nor unused labels matter", () => {
  fc.assert(
    fc.property(ratings, fc.integer(), (rows, seed) => {
      const random = randomSource(seed);
      const shuffled = random.shuffle(rows).map((row) => random.shuffle(row));
      const kappa = (table: readonly (readonly string[])[], labels: readonly string[]) => {
        const found = fleissKappa(table.map((row, i) => item(`${i}`, ...row)), labels);
        return found.kind === "fleiss" ? found.kappa : found.reason;
      };
      assert.equal(kappa(rows, ["a", "b", "c"]), kappa(shuffled, ["d", "c", "b", "a"]));
    }),
    { numRuns: 200 },
  );
});

Deno.test("fleissKappaInterval() holds the estimate, and is undefined where κ mostly is", () => {
  const interval = fleissKappaInterval(itemsOf(PUBLISHED), LABELS, randomSource(1));
  assert.ok(interval.kind === "interval");
  assert.equal(interval.estimate.toFixed(3), "0.210");
  assert.ok(interval.low < 0.21 && interval.high > 0.21 && interval.clusters === 10);
  const same = [item("1", "a", "a"), item("2", "a", "a")];
  assert.equal(fleissKappaInterval(same, ["a", "b"], randomSource(1)).kind, "unavailable");
});

Deno.test("fleissKappaInterval() resamples the clusters that items name", () => {
  const clustered = itemsOf(PUBLISHED).map((one, i) => ({ ...one, cluster: `r${i % 5}` }));
  const interval = fleissKappaInterval(clustered, LABELS, randomSource(1));
  assert.ok(interval.kind === "interval" && interval.clusters === 5 && interval.n === 10);
});
