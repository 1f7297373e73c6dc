import assert from "node:assert/strict";
import fc from "fast-check";
import { agreementBand, type RatedItem } from "./agreement.ts";
import {
  fleissKappa,
  fleissKappaInterval,
  gwetAc1,
  gwetAc1Interval,
  krippendorffAlpha,
  type MeasurementLevel,
} from "./multirater.ts";
import { randomSource } from "./random.ts";

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

/** Gwet 2014, Handbook of Inter-Rater Reliability: twelve units, four raters, some ratings missing. */
const PUBLISHED_GWET_AC1 = [
  "111",
  "2232",
  "3333",
  "3333",
  "2222",
  "1234",
  "4444",
  "1121",
  "2222",
  "555",
]
  .concat(["11", "3"])
  .map((labels, i) => ({ id: `u${i + 1}`, labels: [...labels] }));

function pairs(...rows: readonly (readonly [string, number])[]): readonly RatedItem<string>[] {
  return rows.flatMap(([labels, count]) =>
    Array.from({ length: count }, (_, i) => ({ id: `${labels}${i}`, labels: [...labels] }))
  );
}

Deno.test("gwetAc1() gives the published AC1 where ratings are missing", () => {
  const found = gwetAc1(PUBLISHED_GWET_AC1, ["1", "2", "3", "4", "5"]);
  assert.ok(found.kind === "ac1");
  assert.equal(found.ac1.toFixed(5), "0.77544");
  assert.equal(found.items, 11);
});

Deno.test("gwetAc1() gives the published AC1 where nearly all ratings are one label", () => {
  // Gwet 2002: 118, 5, 2 and 0 of 125; Cohen's κ is −0.0234.
  const found = gwetAc1(pairs(["++", 118], ["+-", 5], ["-+", 2]), ["+", "-"]);
  assert.ok(found.kind === "ac1" && found.ac1.toFixed(4) === "0.9408");
});

Deno.test("gwetAc1() gives AC1 worked by hand", () => {
  // aa ab bb bb: Pa = 3/4; shares 3/8 and 5/8; Pe = 2 · (3/8 · 5/8) = 30/64; (48 − 30)/(64 − 30).
  const found = gwetAc1(pairs(["aa", 1], ["ab", 1], ["bb", 2]), ["a", "b"]);
  assert.ok(found.kind === "ac1" && Math.abs(found.ac1 - 18 / 34) < 1e-15);
  // Three labels, one unused: Pe = (30/64) / 2.
  const three = gwetAc1(pairs(["aa", 1], ["ab", 1], ["bb", 2]), ["a", "b", "c"]);
  assert.ok(three.kind === "ac1" && Math.abs(three.ac1 - (48 - 15) / (64 - 15)) < 1e-15);
});

Deno.test("gwetAc1() is 1 for one label only, where κ is 0 / 0", () => {
  const items = pairs(["aa", 3]);
  const found = gwetAc1(items, ["a", "b"]);
  assert.ok(found.kind === "ac1" && found.ac1 === 1 && found.expected === 0);
  assert.equal(fleissKappa(items, ["a", "b"]).kind, "unavailable");
});

Deno.test("gwetAc1() is unavailable without an item that two raters rated", () => {
  assert.equal(gwetAc1([], ["a", "b"]).kind, "unavailable");
  assert.equal(gwetAc1(pairs(["a", 3]), ["a", "b"]).kind, "unavailable");
  assert.throws(() => gwetAc1([{ id: "u1", labels: ["x"] }], ["a", "b"]), /item u1 is "x"/);
});

Deno.test("Requirement 17.1: AC1 is at most 1, and chance agreement at most 1 / K", () => {
  const labels = ["a", "b", "c"];
  const row = fc.array(fc.constantFrom(...labels), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
      const found = gwetAc1(rows.map((given, i) => ({ id: `${i}`, labels: given })), labels);
      if (found.kind === "unavailable") return assert.ok(rows.every(({ length }) => length < 2));
      assert.ok(found.ac1 <= 1 + 1e-12 && found.expected <= 1 / 3 + 1e-12);
      assert.ok(found.observed >= 0 && found.observed <= 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("gwetAc1Interval() holds the estimate", () => {
  const found = gwetAc1Interval(PUBLISHED_GWET_AC1, ["1", "2", "3", "4", "5"], randomSource(1));
  assert.ok(found.kind === "interval");
  assert.ok(found.low < 0.77 && found.high > 0.78 && found.clusters === 12);
});

const o = undefined;

/** Krippendorff 2011: four observers, twelve units, nine values missing. */
const PUBLISHED_KRIPPENDORFF = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, o, o, o],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, o, 3],
  [o, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, o],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, o],
];

function unitsOf(observers: readonly (readonly (number | undefined)[])[]) {
  return observers[0]!.map((_, unit) => observers.map((values) => values[unit]));
}

function alpha(units: readonly (readonly (number | undefined)[])[], level: MeasurementLevel) {
  const result = krippendorffAlpha(units, level);
  assert.ok(result.kind === "alpha");
  return result;
}

/** α from the matrix of coincidences, as Krippendorff defines it. */
function byCoincidences(
  units: readonly (readonly number[])[],
  difference: (a: number, b: number, counts: ReadonlyMap<number, number>) => number,
): number {
  const pairable = units.filter((unit) => unit.length > 1);
  const values = pairable.flat();
  const counts = new Map(
    Map.groupBy(values, (value) => value).entries().map(([value, all]) => [value, all.length]),
  );
  const delta = (a: number, b: number) => difference(a, b, counts) ** 2;
  const within = pairable.map((unit) =>
    unit.flatMap((a, i) =>
      unit.filter((_, j) => j !== i).map((b) => delta(a, b) / (unit.length - 1))
    )
  );
  const observed = within.flat().reduce((sum, d) => sum + d, 0) / values.length;
  const every = values.flatMap((a, i) => values.filter((_, j) => j !== i).map((b) => delta(a, b)));
  return 1 - observed / (every.reduce((sum, d) => sum + d, 0) / every.length);
}

/** Krippendorff's ordinal metric: the values from a to b, half of those at the ends. */
function between(a: number, b: number, counts: ReadonlyMap<number, number>): number {
  const inside = [...counts].filter(([value]) =>
    value >= Math.min(a, b) && value <= Math.max(a, b)
  );
  return inside.reduce((sum, [, count]) => sum + count, 0) -
    (counts.get(a)! + counts.get(b)!) / 2;
}

Deno.test("krippendorffAlpha() gives the published α of each level", () => {
  const levels: [MeasurementLevel, string][] = [
    ["nominal", "0.743"],
    ["ordinal", "0.815"],
    ["interval", "0.849"],
  ];
  for (const [level, published] of levels) {
    const result = alpha(unitsOf(PUBLISHED_KRIPPENDORFF), level);
    assert.equal(result.alpha.toFixed(3), published);
    assert.deepEqual([result.units, result.n, result.level], [11, 40, level]);
  }
});

Deno.test("krippendorffAlpha() gives α worked by hand", () => {
  // Values 0 0 | 0 1: observed 2/4; expected over 4 · 3 ordered pairs 6/12; α = 0.
  assert.ok(Math.abs(alpha([[0, 0], [0, 1]], "nominal").alpha) < 1e-12);
  // 0 1 | 1 0: observed 1, expected 8/12; α = −1/2: worse than chance.
  assert.ok(Math.abs(alpha([[0, 1], [1, 0]], "interval").alpha + 0.5) < 1e-12);
  assert.equal(alpha([[1, 1], [2, 2], [5, o]], "interval").alpha, 1);
});

Deno.test("krippendorffAlpha() agrees with the matrix of coincidences at every level", () => {
  const unit = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (units) => {
      const differences: Record<MeasurementLevel, Parameters<typeof byCoincidences>[1]> = {
        nominal: (a, b) => a === b ? 0 : 1,
        ordinal: (a, b, counts) => a === b ? 0 : between(a, b, counts),
        interval: (a, b) => a - b,
      };
      for (const level of ["nominal", "ordinal", "interval"] as const) {
        const result = krippendorffAlpha(units, level);
        if (result.kind === "unavailable") continue;
        const expected = byCoincidences(units, differences[level]);
        assert.ok(
          Math.abs(result.alpha - expected) < 1e-9,
          `${level}: ${result.alpha} ${expected}`,
        );
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("krippendorffAlpha() says unavailable rather than 0 / 0, and refuses NaN", () => {
  assert.equal(krippendorffAlpha([], "nominal").kind, "unavailable");
  assert.equal(krippendorffAlpha([[1, o], [o, 2]], "interval").kind, "unavailable");
  assert.equal(krippendorffAlpha([[3, 3], [3, 3]], "ordinal").kind, "unavailable");
  assert.throws(() => krippendorffAlpha([[1, NaN]], "interval"), RangeError);
});
