import assert from "node:assert/strict";
import fc from "fast-check";
import { krippendorffAlpha, type MeasurementLevel } from "./krippendorff.ts";

const o = undefined;

/** Krippendorff 2011: four observers, twelve units, nine values missing. */
const PUBLISHED = [
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
    const result = alpha(unitsOf(PUBLISHED), level);
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
