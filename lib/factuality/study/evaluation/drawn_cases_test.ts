import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { drawCases } from "./drawn_cases.ts";
import { caseOf } from "./testdata/cases.ts";

const many = (count: number, label: Parameters<typeof caseOf>[1]) =>
  Array.from({ length: count }, (_, i) => caseOf(`${label} ${i}`, label));

test("drawCases() takes half of the cases supported, and refuted and unsaid ones in turn", () => {
  const cases = [
    ...many(20, "supported"),
    ...many(20, "refuted"),
    ...many(20, "not enough info"),
  ];
  const labels = drawCases(cases, 8, randomSource(1)).map(({ label }) => label);
  assert.deepEqual(labels.filter((_, i) => i % 2 === 0), Array(4).fill("supported"));
  assert.deepEqual(labels.filter((_, i) => i % 2 === 1).toSorted(), [
    ...["not enough info", "not enough info", "refuted", "refuted"],
  ]);
});

test("drawCases() stays balanced where one side has too few", () => {
  const cases = [...many(3, "supported"), ...many(30, "refuted")];
  assert.equal(drawCases(cases, 20, randomSource(1)).length, 6);
});

test("Requirement 13.1: any even beginning of a draw is balanced and has no case twice", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(30), fc.nat(30), fc.nat(40), (seed, yes, no, count) => {
      const cases = [...many(yes, "supported"), ...many(no, "refuted")];
      const drawn = drawCases(cases, 2 * count, randomSource(seed));
      assert.equal(new Set(drawn.map(({ id }) => id)).size, drawn.length);
      const supported = drawn.filter(({ label }) => label === "supported").length;
      assert.equal(2 * supported, drawn.length);
    }),
  );
});
