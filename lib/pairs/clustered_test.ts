import assert from "node:assert/strict";
import fc from "fast-check";
import { cohenKappa } from "../stats/agreement.ts";
import { clusterBootstrap } from "../stats/intervals.ts";
import { randomSource } from "../stats/random.ts";
import {
  clusteredStatistics,
  countTable,
  extremeInterval,
  lookUp,
  percentileInterval,
  percentWithInterval,
  pValue,
  resampleSums,
  type Statistic,
  sumRows,
} from "./clustered.ts";
import { countAgreement, kappaOfCounts, share } from "./measures.ts";

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

const item = fc.record({
  lemma: fc.constantFrom("líka", "þykkja", "dreyma", "maðr", "ǫnd"),
  counts: fc.record({ right: fc.nat(2), asked: fc.constant(2) }),
});

Deno.test("percentileInterval() over resampleSums() is what clusterBootstrap() gives", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), fc.integer(), (items, seed) => {
      const reference = clusterBootstrap({
        items: items.map(({ lemma, counts }) => ({ cluster: lemma, value: counts })),
        statistic: (counts) =>
          counts.reduce((sum, { right }) => sum + right, 0) / (2 * counts.length),
        resamples: 100,
        confidence: 0.9,
        random: randomSource(seed),
      });
      const table = countTable(items)!;
      const sums = resampleSums(table, 100, randomSource(seed));
      const measure = (counts: (typeof sums)[number]) => share(counts.right, counts.asked);
      const own = percentileInterval(sums, table.lemmas.length, measure, 0.9);
      if (reference.kind === "unavailable") assert.deepEqual(own, reference);
      else assert.deepEqual(own, { kind: "interval", low: reference.low, high: reference.high });
    }),
    { numRuns: 100 },
  );
});

Deno.test("percentileInterval() is unavailable where many resamples leave the measure undefined", () => {
  const sums = Array.from({ length: 100 }, (_, i) => ({ right: 1, asked: i < 6 ? 0 : 1 }));
  const measure = ({ right, asked }: (typeof sums)[number]) => share(right, asked);
  assert.deepEqual(percentileInterval(sums, 5, measure, 0.95), {
    kind: "unavailable",
    reason: "undefined on 6 of 100 resamples",
  });
  assert.equal(percentileInterval(sums.slice(1), 5, measure, 0.95).kind, "unavailable");
  assert.equal(percentileInterval(sums.slice(2), 5, measure, 0.95).kind, "interval");
});

Deno.test("extremeInterval() is Wilson's with the lemmas as trials, and none of a single one", () => {
  // Newcombe 1998, table I, method 3: 0 of 20.
  const none = extremeInterval(0, 20, 0.95);
  assert.ok(none.kind === "interval" && none.low === 0);
  assert.equal(none.high.toFixed(4), "0.1611");
  const every = extremeInterval(1, 20, 0.95);
  assert.ok(every.kind === "interval" && every.high === 1);
  assert.equal(every.low.toFixed(4), "0.8389");
  assert.equal(extremeInterval(1, 1, 0.95).kind, "unavailable");
});

Deno.test("clusteredStatistics() gives a share of 0 or 1 a width, and others their percentiles", () => {
  const isRight = (right: boolean) => ({ right: Number(right), asked: 1 });
  const rows = (rights: readonly boolean[], isShare = true) =>
    clusteredStatistics(
      { model: "m", phenomenon: "ALL" },
      rights.map((right, i) => ({ lemma: `${i % 4}`, counts: isRight(right) })),
      [{
        ...{ name: "share", method: "right / asked", isShare },
        ...{ of: ({ right, asked }) => share(right, asked), n: ({ asked }) => asked },
      }],
      { seed: 1, resamples: 100 },
    );
  const all = Array.from({ length: 12 }, () => true);
  // Twelve items of four lemmas: z² / (4 + z²) below 1, not of twelve.
  const [sure] = rows(all);
  assert.ok(sure?.value.kind === "interval" && sure.value.high === 1);
  assert.ok(Math.abs(sure.value.low - 4 / 7.841459) < 1e-6);
  assert.equal(sure.method, "right / asked; Wilson interval on lemmas");
  const [mixed] = rows([false, ...all]);
  assert.match(mixed?.method ?? "", /cluster bootstrap by lemma/);
  const [other] = rows(all, false);
  assert.ok(other?.value.kind === "interval" && other.value.low === 1);
});

Deno.test("kappaOfCounts() is what cohenKappa() gives on the labels", () => {
  const labels = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(labels, (labels) => {
      const items = labels.map(([a, b]) => ({ lemma: "x", counts: countAgreement(a, b) }));
      const own = kappaOfCounts(sumRows(countTable(items)!, [0]));
      const reference = cohenKappa(labels.map(([a]) => a), labels.map(([, b]) => b));
      if (reference.kind === "unavailable") assert.equal(own, undefined);
      else assert.equal(own, reference.kappa);
    }),
    { numRuns: 200 },
  );
});
