import assert from "node:assert/strict";
import fc from "fast-check";
import { agreementBand, type RatedItem } from "./agreement.ts";
import { fleissKappa, gwetAc1, krippendorffAlpha, type MeasurementLevel } from "./multirater.ts";
import { randomSource } from "./random.ts";

const LABELS = ["1", "2", "3", "4", "5"];

/** The field's usual worked example: ten subjects, fourteen raters, how often each label. */
const PUBLISHED =
  "0,0,0,0,14 0,2,6,4,2 0,0,3,5,6 0,3,9,2,0 2,2,8,1,1 7,7,0,0,0 3,2,6,3,0 2,5,3,2,2 " +
  "6,5,2,1,0 0,2,2,3,7";

const PUBLISHED_ITEMS = PUBLISHED.split(" ").map((counts, i) => ({
  id: `s${i + 1}`,
  labels: counts.split(",").flatMap((n, k) => new Array<string>(Number(n)).fill(LABELS[k]!)),
}));

const item = (id: string, ...labels: readonly string[]): RatedItem<string> => ({ id, labels });

function pairs(...rows: readonly (readonly [string, number])[]): readonly RatedItem<string>[] {
  return rows.flatMap(([labels, count]) =>
    Array.from({ length: count }, (_, i) => ({ id: `${labels}${i}`, labels: [...labels] }))
  );
}

Deno.test("fleissKappa() gives the published κ, Po and Pe", () => {
  const found = fleissKappa(PUBLISHED_ITEMS, LABELS);
  assert.ok(found.kind === "fleiss");
  const three = (values: readonly number[]) => values.map((value) => value.toFixed(3)).join(" ");
  assert.equal(three([found.kappa, found.observed, found.expected]), "0.210 0.378 0.213");
  assert.deepEqual([found.items, found.raters, found.band], [10, 14, "fair"]);
});

Deno.test("fleissKappa() gives κ worked by hand, and is undefined for one label, with what was observed", () => {
  // aa ab bb bb: Po = 3/4; shares 3/8 and 5/8, Pe = 34/64; κ = (48 − 34)/(64 − 34) = 14/30.
  const found = fleissKappa(pairs(["aa", 1], ["ab", 1], ["bb", 2]), ["a", "b"]);
  assert.ok(found.kind === "fleiss");
  assert.deepEqual([found.kappa, found.observed, found.expected], [14 / 30, 3 / 4, 34 / 64]);
  assert.deepEqual(fleissKappa(pairs(["aa", 2]), ["a", "b"]), {
    kind: "unavailable",
    reason: "all ratings are one label",
    observed: 1,
    expected: 1,
  });
  const none = fleissKappa([], ["a", "b"]);
  assert.ok(none.kind === "unavailable" && none.observed === undefined);
});

Deno.test("Requirement 17.4: fewer than two raters, or a label that is none, are an error that names the item", () => {
  const cases: readonly (readonly [readonly (readonly string[])[], RegExp])[] = [
    [[["a"]], /item c1 was rated by 1; two raters/],
    [[["a", "b"], ["a", "b", "a"]], /item c2 has 3 raters, item c1 2/],
    [[["a", "b"], ["a", "yes"]], /rating 2 of item c2 is "yes", none of a, b/],
  ];
  for (const [rows, why] of cases) {
    const items = rows.map((labels, i) => item(`c${i + 1}`, ...labels));
    assert.throws(() => fleissKappa(items, ["a", "b"]), why);
  }
  for (const labels of [["a"], ["a", "a"]]) {
    assert.throws(() => fleissKappa([], labels), RangeError);
  }
});

Deno.test("agreementBand() has the bands of the specification, ends included", () => {
  const bands = [-0.4, 0.199, 0.2, 0.399, 0.4, 0.599, 0.6, 0.8, 0.801, 1].map(agreementBand);
  assert.deepEqual(bands, [
    "poor",
    "poor",
    "fair",
    "fair",
    "moderate",
    "moderate",
    "substantial",
    "substantial",
    "almost perfect",
    "almost perfect",
  ]);
  assert.throws(() => agreementBand(NaN), RangeError);
  assert.throws(() => agreementBand(1.1), RangeError);
});

const ratings = fc.integer({ min: 2, max: 5 }).chain((raters) => {
  const row = fc.array(fc.constantFrom("a", "b", "c"), { minLength: raters, maxLength: raters });
  return fc.array(row, { minLength: 1, maxLength: 12 });
});

Deno.test("Requirement 17.1: κ is (Po − Pe) / (1 − Pe), from −1/(n − 1) to 1", () => {
  fc.assert(fc.property(ratings, (rows) => {
    const found = fleissKappa(rows.map((row, i) => item(`${i}`, ...row)), ["a", "b", "c"]);
    if (found.kind === "unavailable") return assert.equal(new Set(rows.flat()).size, 1);
    const { kappa, observed, expected, raters } = found;
    assert.ok(Math.abs(kappa - (observed - expected) / (1 - expected)) < 1e-12);
    assert.ok(kappa <= 1 && kappa >= -1 / (raters - 1) - 1e-12, `${kappa}`);
  }));
});

Deno.test("Requirement 17.2: neither the order of items and raters nor unused labels matter", () => {
  fc.assert(fc.property(ratings, fc.integer(), (rows, seed) => {
    const random = randomSource(seed);
    const shuffled = random.shuffle(rows).map((row) => random.shuffle(row));
    const kappa = (table: readonly (readonly string[])[], labels: readonly string[]) => {
      const found = fleissKappa(table.map((row, i) => item(`${i}`, ...row)), labels);
      return found.kind === "fleiss" ? found.kappa : found.reason;
    };
    assert.equal(kappa(rows, ["a", "b", "c"]), kappa(shuffled, ["d", "c", "b", "a"]));
  }));
});

/** Gwet 2014, Handbook of Inter-Rater Reliability: twelve units, four raters, some ratings missing. */
const PUBLISHED_GWET_AC1 = "111 2232 3333 3333 2222 1234 4444 1121 2222 555 11 3".split(" ")
  .map((labels, i) => item(`u${i + 1}`, ...labels));

Deno.test("gwetAc1() gives the published AC1, and AC1 worked by hand", () => {
  const ac1 = (items: readonly RatedItem<string>[], labels: readonly string[]) => {
    const found = gwetAc1(items, labels);
    assert.ok(found.kind === "ac1");
    return found;
  };
  const missing = ac1(PUBLISHED_GWET_AC1, LABELS);
  assert.deepEqual([missing.ac1.toFixed(5), missing.items], ["0.77544", 11]);
  // Gwet 2002: 118, 5, 2 and 0 of 125; Cohen's κ is −0.0234.
  const lopsided = pairs(["++", 118], ["+-", 5], ["-+", 2]);
  assert.equal(ac1(lopsided, ["+", "-"]).ac1.toFixed(4), "0.9408");
  // aa ab bb bb: Pa = 3/4; shares 3/8 and 5/8; Pe = 2 · (3/8 · 5/8) = 30/64; (48 − 30)/(64 − 30).
  const items = pairs(["aa", 1], ["ab", 1], ["bb", 2]);
  assert.ok(Math.abs(ac1(items, ["a", "b"]).ac1 - 18 / 34) < 1e-15);
  // Three labels, one unused: Pe = (30/64) / 2.
  assert.ok(Math.abs(ac1(items, ["a", "b", "c"]).ac1 - (48 - 15) / (64 - 15)) < 1e-15);
  // One label only, where κ is 0 / 0.
  assert.equal(ac1(pairs(["aa", 3]), ["a", "b"]).ac1, 1);
  for (const few of [[], pairs(["a", 3])]) {
    assert.equal(gwetAc1(few, ["a", "b"]).kind, "unavailable");
  }
});

Deno.test("Requirement 17.1: AC1 is at most 1, or there is none", () => {
  const labels = ["a", "b", "c"];
  const row = fc.array(fc.constantFrom(...labels), { maxLength: 4 });
  fc.assert(fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
    const found = gwetAc1(rows.map((given, i) => ({ id: `${i}`, labels: given })), labels);
    if (found.kind === "unavailable") return assert.ok(rows.every(({ length }) => length < 2));
    assert.ok(found.ac1 <= 1 + 1e-12);
  }));
});

const o = undefined;

/** Krippendorff 2011: four observers, twelve units, nine values missing. */
const PUBLISHED_KRIPPENDORFF = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, o, o, o],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, o, 3],
  [o, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, o],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, o],
];

function alpha(units: readonly (readonly (number | undefined)[])[], level: MeasurementLevel) {
  const result = krippendorffAlpha(units, level);
  assert.ok(result.kind === "alpha");
  return result;
}

Deno.test("krippendorffAlpha() gives the published α of each level, and α worked by hand", () => {
  const units = PUBLISHED_KRIPPENDORFF[0]!.map((_, unit) =>
    PUBLISHED_KRIPPENDORFF.map((values) => values[unit])
  );
  const published = { nominal: "0.743", ordinal: "0.815", interval: "0.849" } as const;
  for (const level of ["nominal", "ordinal", "interval"] as const) {
    const result = alpha(units, level);
    assert.equal(result.alpha.toFixed(3), published[level]);
    assert.equal(result.units, 11);
  }
  // Values 0 0 | 0 1: observed 2/4; expected over 4 · 3 ordered pairs 6/12; α = 0.
  assert.ok(Math.abs(alpha([[0, 0], [0, 1]], "nominal").alpha) < 1e-12);
  // 0 1 | 1 0: observed 1, expected 8/12; α = −1/2: worse than chance.
  assert.ok(Math.abs(alpha([[0, 1], [1, 0]], "interval").alpha + 0.5) < 1e-12);
  assert.equal(alpha([[1, 1], [2, 2], [5, o]], "interval").alpha, 1);
});

Deno.test("krippendorffAlpha() says unavailable rather than 0 / 0, and refuses NaN", () => {
  assert.equal(krippendorffAlpha([], "nominal").kind, "unavailable");
  assert.equal(krippendorffAlpha([[1, o], [o, 2]], "interval").kind, "unavailable");
  assert.equal(krippendorffAlpha([[3, 3], [3, 3]], "ordinal").kind, "unavailable");
  assert.throws(() => krippendorffAlpha([[1, NaN]], "interval"), RangeError);
});
