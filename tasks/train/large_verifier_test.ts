import assert from "node:assert/strict";
import { evidencePassage } from "../../lib/factuality/labelled_case.ts";
import { verdictProbabilities } from "../../lib/factuality/verifiers/large.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { drawnPairs, fitCalibration } from "./large_verifier.ts";

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

Deno.test("fitCalibration() puts 0.5 half-way between the sides, and fits the second scaling to known labels alone", () => {
  // Supported about 3, the rest about 1; refuted about 0, silent about -2.
  const near = (at: number, label: typeof LABELS[number], refuted: number) =>
    [-1.5, -0.5, 0, 0.5, 1.5].map((by) => (
      { label, odds: { supported: at + by, refuted: refuted + by } }
    ));
  const scored = [
    ...near(3, "supported", 9),
    ...near(3, "supported", 9),
    ...near(1, "refuted", 0),
    ...near(1, "not enough info", -2),
  ];
  const fitted = fitCalibration(scored);
  const at = (supported: number, refuted: number) =>
    verdictProbabilities({ supported, refuted }, fitted);
  assert.ok(Math.abs(at(2, 0).supported - 0.5) < 0.01);
  assert.ok(at(4, 0).supported > 0.8 && at(0, 0).supported < 0.2);
  const { refuted, "not enough info": silent } = at(0, -1);
  assert.ok(Math.abs(refuted - silent) < 0.01);
  const more = [...scored, ...near(1, "not supported", 50)];
  assert.deepEqual(fitCalibration(more).refuted, fitted.refuted);
});
