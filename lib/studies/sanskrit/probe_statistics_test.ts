import assert from "node:assert/strict";
import type { PairLikelihood } from "../../pairs/answers.ts";
import { lookUp } from "../../pairs/clustered.ts";
import { PROBE_SETS, probeItems, probeStatistics } from "./probe_statistics.ts";

import { madeContrast, scored } from "./testdata/fixtures.ts";

const MAIN = [
  madeContrast({}),
  madeContrast({ id: "morph_0002", stem: "nara", cells: ["gen.sg", "loc.sg"] }),
];

const rename = (id: string, index = 0) => ({ ...MAIN[index]!.record, id });

const SETS = probeItems({
  main: MAIN,
  controls: [rename("control_0001"), rename("control_0002", 1)],
  bare: [],
});

const ROWS = [
  scored("m", "morph_0001", [-10, -12], { bytes: 20 }),
  scored("m", "morph_0002", [-10, -12], { bytes: 30 }),
  scored("m", "control_0001", [-30, -29], { bytes: 20 }),
  scored("m", "control_0002", [-20, -20], { bytes: 20 }),
  scored("m", "iast_0001", [-10, -9]),
  scored("m", "iast_0002", [-8, -9]),
];

const compute = (rows: readonly PairLikelihood[]) =>
  lookUp(probeStatistics({ sets: SETS, likelihoods: rows, models: ["m"] }));

const estimate = (rows: readonly PairLikelihood[], measure: string, phenomenon: string) => {
  const { value } = compute(rows).row("m", measure, phenomenon);
  return value.kind === "unavailable" ? undefined : value.estimate;
};

Deno.test("probeStatistics() gives hand-worked accuracies, ties separately, and none for empty groups", () => {
  const of = (measure: string, set: string) => estimate(ROWS, measure, set);
  const accuracies = PROBE_SETS.map((set) => of("likelihood_accuracy_total", set));
  assert.deepEqual(accuracies, [1, 0, 0.5]);
  assert.equal(of("likelihood_ties_total", "control"), 0.5);
  assert.equal(of("likelihood_accuracy_total", "control.case"), 0);
  assert.equal(of("likelihood_accuracy_total", "control.number"), undefined);
});

Deno.test("probeStatistics() gives nats a byte over all bytes, and the text less other sets", () => {
  // 20 nats of 50 bytes; 50 nats of 40 bytes.
  assert.equal(estimate(ROWS, "logprob_per_byte", "text"), -0.4);
  assert.equal(estimate(ROWS, "logprob_per_byte", "control"), -1.25);
  assert.equal(estimate(ROWS, "logprob_per_byte_difference", "text-control"), -0.4 + 1.25);
  assert.equal(estimate(ROWS, "accuracy_difference", "text-control"), 1);
  assert.equal(estimate(ROWS, "accuracy_difference", "text-iast"), 0.5);
  const row = compute(ROWS).row("m", "accuracy_difference", "text-control");
  assert.deepEqual([row.n, row.clusters], [4, 2]);
});

Deno.test("probeStatistics() compares sets over the changes that both have", () => {
  const sets = { ...SETS, control: SETS.control.map((item) => ({ ...item, change: "another" })) };
  const rows = probeStatistics({ sets, likelihoods: ROWS, models: ["m"] });
  const { value } = lookUp(rows).row("m", "accuracy_difference", "text-control");
  assert.equal(value.kind, "unavailable");
  const oneOfTwo = { ...SETS, control: SETS.control.slice(0, 1) };
  const row = lookUp(
    probeStatistics({ sets: oneOfTwo, likelihoods: ROWS, models: ["m"] }),
  ).row("m", "accuracy_difference", "text-control");
  assert.equal(row.n, 2);
});

Deno.test("probeStatistics() takes pairs of one frame for as like as pairs of one noun", () => {
  // Twelve nouns in two frames: right in the one and wrong in the other.
  const control = Array.from({ length: 12 }, (_, i) => ({
    ...SETS.control[0]!,
    id: `control_${i}`,
    stem: `stem ${i}`,
    sentence: `frame ${i % 2}`,
  }));
  const likelihoods = control.map(({ id }, i) => scored("m", id, i % 2 ? [-9, -8] : [-8, -9]));
  const width = (sets: typeof SETS) => {
    const rows = probeStatistics({
      sets,
      likelihoods: [...ROWS, ...likelihoods],
      models: ["m"],
    });
    const { value } = lookUp(rows).row("m", "likelihood_accuracy_total", "control");
    assert.ok(value.kind === "interval");
    return value.high - value.low;
  };
  const apart = control.map((item) => ({ ...item, sentence: item.stem }));
  assert.ok(width({ ...SETS, control }) > 0.99);
  assert.ok(width({ ...SETS, control: apart }) < 0.7);
});
