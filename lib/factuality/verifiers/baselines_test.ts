import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { fakeEncoder } from "./testdata/tiny_models.ts";
import { fitScoreCalibration } from "../own/training/measures.ts";
import { sourcePassage, VERDICT_LABELS } from "../types.ts";
import { cosineVerifier, majorityVerifier, overlapVerifier } from "./baselines.ts";
import { readBaselineSettings, scoreProbabilities } from "./baselines.ts";

const CALIBRATION = { threshold: 0.5, slope: 8, refutedShare: 0.25 };
const SOURCE = [sourcePassage("The fox is red. The old dog sleeps in Oslo.")];

/** An encoder with one direction for foxes and another for dogs. */
const encoder = fakeEncoder((text) => [/fox/u.test(text) ? 1 : 0, /dog/u.test(text) ? 1 : 0]);

Deno.test("overlapVerifier() measures the share of content words and names the sentence", async () => {
  const [all, half] = await overlapVerifier(CALIBRATION)
    .verify(["A dog slept in Oslo.", "The dog barks."], SOURCE);
  assert.ok(all?.kind === "scored" && half?.kind === "scored");
  assert.equal(all.label, "supported");
  assert.equal(all.evidence[0]?.text, "The old dog sleeps in Oslo.");
  assert.equal(half.probabilities.supported, 0.5);
});

Deno.test("Requirement 9.2: cosineVerifier() takes the nearest sentence, and hands the signal on", async () => {
  const { signal } = new AbortController();
  const scriptedEncoder: SentenceEncoder = {
    ...encoder,
    encode(texts, options) {
      assert.equal(options?.signal, signal);
      return encoder.encode(texts);
    },
  };
  const [dog, cat] = await cosineVerifier(scriptedEncoder, CALIBRATION)
    .verify(["A dog.", "A cat."], SOURCE, { signal });
  assert.ok(dog?.kind === "scored" && cat?.kind === "scored");
  assert.equal(dog.evidence[0]?.text, "The old dog sleeps in Oslo.");
  assert.deepEqual([dog.label, cat.label], ["supported", "not enough info"]);
  for (const verifier of [overlapVerifier(CALIBRATION), cosineVerifier(encoder, CALIBRATION)]) {
    const [verdict] = await verifier.verify(["A fox."], []);
    assert.ok(verdict?.kind === "unscored" && verdict.reason === "no evidence");
  }
  const shares = { supported: 0.2, refuted: 0.5, "not enough info": 0.3 };
  const [verdict] = await majorityVerifier(shares).verify(["A fox."], []);
  assert.ok(verdict?.kind === "scored" && verdict.label === "refuted");
});

Deno.test("fitScoreCalibration() puts the threshold between supported claims and the rest", () => {
  const [yes, no, silent] = VERDICT_LABELS;
  const scored = [yes, yes, no, silent, silent]
    .map((label, i) => ({ score: [0.9, 0.7, 0.5, 0.3, 0.1][i]!, label }));
  const { threshold, slope, refutedShare } = fitScoreCalibration(scored);
  assert.ok(Math.abs(threshold - 0.6) < 1e-12 && slope > 0);
  assert.equal(refutedShare, 1 / 3);
  assert.throws(() => fitScoreCalibration(scored.slice(0, 1)), RangeError);
});

Deno.test("Requirement 2.2: a baseline's three probabilities are a distribution", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const real = fc.double({ min: -50, max: 50, noNaN: true });
  fc.assert(
    fc.property(real, real, real, share, (score, threshold, slope, refutedShare) => {
      const shares = scoreProbabilities(score, { threshold, slope, refutedShare });
      const sum = VERDICT_LABELS.reduce((total, label) => total + shares[label], 0);
      assert.ok(Math.abs(sum - 1) < 1e-9);
      assert.ok(VERDICT_LABELS.every((label) => shares[label] >= 0 && shares[label] <= 1));
    }),
  );
});

Deno.test("the baselines' thresholds that ship load, and others are refused", () =>
  inFolder((folder) => {
    const shipped = readBaselineSettings();
    const total = VERDICT_LABELS.reduce((sum, label) => sum + shipped.majority[label], 0);
    assert.ok(Math.abs(total - 1) < 1e-9 && shipped.overlap.slope > 0);
    const path = join(folder, "baselines.json");
    const own = { ...shipped, overlap: CALIBRATION };
    Deno.writeTextFileSync(path, JSON.stringify(own));
    assert.deepEqual(readBaselineSettings(path), own);
    Deno.writeTextFileSync(path, "{");
    assert.throws(() => readBaselineSettings(path), /baselines\.json is no file of them/);
  }));
