import assert from "node:assert/strict";
import { evidencePassage } from "../../lib/factuality/labelled_case.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { drawnPairs } from "./large_verifier.ts";

const LABELS = ["supported", "refuted", "not enough info", "not supported"] as const;

Deno.test("drawnPairs() draws no pair twice, half of them supported, and of each label short, middling and long ones alike", () => {
  const pairs = LABELS.flatMap((label) =>
    Array.from({ length: 90 }, (_, i) => {
      const passages = [evidencePassage("made", `${label}${i}`, "x".repeat(i + 1))];
      return { id: `${label}${i}`, claim: "c", passages, label, cluster: `${i}`, set: "made" };
    })
  );
  const draws = drawnPairs(pairs, [60, 30], randomSource(1));
  assert.deepEqual(draws.map(({ length }) => length), [60, 30]);
  assert.equal(new Set(draws.flat().map(({ id }) => id)).size, 90);
  const counts = LABELS.map((label) => draws[0]!.filter((one) => one.label === label).length);
  assert.deepEqual(counts, [30, 12, 12, 6]);
  for (const draw of draws) {
    const third = ({ passages }: typeof draw[number]) =>
      Math.floor((passages[0]!.text.length - 1) / 30);
    const thirds = [0, 1, 2].map((at) => draw.filter((one) => third(one) === at).length);
    assert.deepEqual(new Set(thirds), new Set([draw.length / 3]));
  }
  assert.deepEqual(drawnPairs(pairs, [60, 30], randomSource(1)), draws);
});
