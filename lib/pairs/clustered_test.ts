import assert from "node:assert/strict";
import fc from "fast-check";
import { clusterBootstrap } from "../stats/intervals.ts";
import { randomSource } from "../stats/random.ts";
import {
  clusteredStatistics,
  lookUp,
  type Measure,
  percentWithInterval,
  pValue,
  type Statistic,
  type Tally,
} from "./clustered.ts";
import { share } from "./measures.ts";

const ROW = { model: "m", measure: "accuracy", clusters: 200 };
const VALUE = { kind: "interval", estimate: 0.5125, low: 0.48, high: 0.546 } as const;
const ROWS: readonly Statistic[] = [
  { ...ROW, phenomenon: "ALL", value: VALUE, n: 1000, method: "correct / answers" },
  { ...ROW, phenomenon: "UMLAUT", value: { kind: "unavailable" }, n: 0, method: "no answers" },
];

Deno.test("lookUp() finds a row and turns its value into what figures draw", () => {
  const found = lookUp(ROWS);
  assert.equal(found.row("m", "accuracy").n, 1000);
  assert.equal(percentWithInterval(found.measure("m", "accuracy")), "51.2 [48.0, 54.6]");
  const reason = "no answers";
  assert.deepEqual(found.measure("m", "accuracy", "UMLAUT"), { kind: "unavailable", reason });
  assert.throws(() => found.row("other", "accuracy"), /Cannot find accuracy of other/);
  assert.equal(percentWithInterval(found.measure("other", "accuracy")), "–");
});

Deno.test("pValue() never says that a p-value is nought", () => {
  const written = [0.5604, 0.0005, 0.00049, 0].map((estimate) =>
    pValue({ kind: "value", estimate })
  );
  assert.deepEqual(written, ["0.560", "0.001", "< 0.001", "< 0.001"]);
  assert.equal(pValue({ kind: "unavailable", reason: "no pair" }), "–");
});

const RATIO: Measure<Tally<"right" | "asked">> = {
  name: "share",
  method: "right / asked",
  of: ({ right, asked }) => share(right, asked),
  n: ({ asked }) => asked,
};

/** The value of a ratio of items, and how it was found. */
const statistic = (
  items: readonly { readonly lemma: string; readonly counts: Tally<"right" | "asked"> }[],
  { isShare = false, confidence = 0.95 } = {},
) => {
  const settings = { seed: 1, resamples: 100, confidence };
  const place = { model: "m", phenomenon: "ALL" };
  return clusteredStatistics(place, items, [{ ...RATIO, isShare }], settings)[0]!;
};

const item = fc.record({
  lemma: fc.constantFrom("líka", "þykkja", "dreyma", "maðr", "ǫnd"),
  counts: fc.record({ right: fc.nat(2), asked: fc.constant(2) }),
});

Deno.test("clusteredStatistics() has the interval that clusterBootstrap() gives", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), (items) => {
      const reference = clusterBootstrap({
        items: items.map(({ lemma, counts }) => ({ cluster: lemma, value: counts })),
        statistic: (counts) =>
          counts.reduce((sum, { right }) => sum + right, 0) / (2 * counts.length),
        resamples: 100,
        confidence: 0.9,
        random: randomSource("1|m|ALL"),
      });
      const { value } = statistic(items, { confidence: 0.9 });
      if (reference.kind === "unavailable") return assert.equal(value.kind, "point");
      const { estimate, low, high } = reference;
      assert.deepEqual(value, { kind: "interval", estimate, low, high });
    }),
    { numRuns: 100 },
  );
});

Deno.test("clusteredStatistics() has no interval where many resamples leave the measure undefined", () => {
  const items = ["a", "b"].map((lemma, asked) => ({ lemma, counts: { right: 0, asked } }));
  const { value, method } = statistic(items);
  assert.deepEqual(value, { kind: "point", estimate: 0 });
  assert.match(method, /no interval: undefined on \d\d of 100 resamples/);
});

Deno.test("clusteredStatistics() gives a share of 0 or 1 a width, and others their percentiles", () => {
  const items = (lemmas: number, right: number) =>
    Array.from({ length: 3 * lemmas }, (_, i) => {
      return { lemma: `${i % lemmas}`, counts: { right, asked: 1 } };
    });
  // Newcombe 1998, table I, method 3: 0 of 20; the lemmas are the trials.
  const none = statistic(items(20, 0), { isShare: true });
  assert.ok(none.value.kind === "interval" && none.value.low === 0);
  assert.equal(none.value.high.toFixed(4), "0.1611");
  assert.equal(none.method, "right / asked; Wilson interval on lemmas");
  const every = statistic(items(20, 1), { isShare: true });
  assert.ok(every.value.kind === "interval" && every.value.low.toFixed(4) === "0.8389");
  const mixed = statistic([...items(4, 1), ...items(1, 0)], { isShare: true });
  assert.match(mixed.method, /cluster bootstrap by lemma/);
  const other = statistic(items(4, 1));
  assert.ok(other.value.kind === "interval" && other.value.low === 1);
});
