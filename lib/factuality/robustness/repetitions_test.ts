import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { sourcePassage } from "../types.ts";
import { ENSEMBLE_WITH_WRITER } from "./panel.ts";
import { repeatedTexts, repeatScores, repetitionSummaries } from "./repetitions.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";
import { fakeJudge, fakePanel } from "./testdata/fake_panel.ts";

const rows = (country: string, ...scores: readonly (number | "")[]) =>
  scores.map((score, at): RepetitionRow => {
    const status = score === "" ? "malformed answer" : "scored";
    const known = { country, errors: 0, repetition: at + 1, component: "judge" };
    return { ...known, status, score, settings_sha256: "s" };
  });

Deno.test("repetitionSummaries() gives variances in points² and shares under the bar: by hand", () => {
  const [one] = repetitionSummaries(
    [rows("A", 50, 52, 54), rows("B", 50, 60, ""), rows("C", 50, "")].flat(),
  );
  assert.deepEqual([one!.texts, one!.unscored, one!.failures, one!.evaluations], [2, 1, 2, 8]);
  assert.deepEqual([one!.largestVariance, one!.largestRange], [50, 10]);
  // 4 and 50 points².
  const shares = [one!.variance, one!.underBar, one!.deviationUnderBar]
    .map((measure) => measure.kind === "interval" && measure.estimate);
  assert.deepEqual(shares, [27, 0.5, 0.5]);
});

const TEXTS = repeatedTexts(["A", "B", "C", "D", "E"].map((country) => ({
  country,
  texts: [0, 1, 2, 3].map((errors) => {
    const text = `${country} ${errors}`;
    return { errors, text, claims: [`${country}.`], passages: [sourcePassage("s")] };
  }),
})));

Deno.test("Requirement 10.1: components without chance have variance 0, in whatever order they are asked", () =>
  inFolder(async (folder) => {
    assert.deepEqual(TEXTS.map(({ text }) => text.errors), [0, 1, 2, 3, 0]);
    const table = REPETITIONS.at(join(folder, "repetitions.csv"));
    const keeping = { table, settings: "s", signal: new AbortController().signal };
    const panel = fakePanel([(text) => text.length, () => 30]);
    for (const [index, score] of [10, 40, 70].entries()) {
      const writer = fakeJudge("writer", () => score, { readout: "generation" });
      assert.equal(await repeatScores(TEXTS, panel, writer, index + 1, keeping), true);
      assert.equal(await repeatScores(TEXTS, panel, writer, index + 1, keeping), true);
    }
    // Each text once a repetition, and not in the same order each time.
    assert.equal(panel.asked.length, 15);
    const orders = [0, 1, 2].map((round) => panel.asked.slice(5 * round, 5 * round + 5).join());
    assert.ok(new Set(orders).size > 1);
    const summaries = repetitionSummaries(table.read());
    const largest = new Map(summaries.map((one) => [one.component, one.largestVariance]));
    assert.equal(largest.get("judge 1 (next word)"), 0);
    assert.equal(largest.get("ensemble of judges"), 0);
    assert.equal(largest.get("writer (written score)"), 900);
    // Of three judges with the same weight, one varies: 900 / 9.
    assert.ok(Math.abs(largest.get(ENSEMBLE_WITH_WRITER)! - 100) < 1e-9);
  }));
