import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { sourcePassage } from "../types.ts";
import {
  ENSEMBLE_WITH_WRITER,
  repeatedTexts,
  repeatScores,
  repetitionFigures,
  repetitionSummaries,
} from "./repetitions.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";
import { fakeJudge, fakePanel } from "./testdata/fake_panel.ts";

const row = (country: string, repetition: number, score: number | ""): RepetitionRow => ({
  country,
  errors: 0,
  repetition,
  component: "judge",
  status: score === "" ? "malformed answer" : "scored",
  score,
  settings_sha256: "s",
});

Deno.test("repetitionSummaries() gives variances in points² and shares under the bar: by hand", () => {
  const [summary] = repetitionSummaries([
    ...[row("A", 1, 50), row("A", 2, 52), row("A", 3, 54)],
    ...[row("B", 1, 50), row("B", 2, 60), row("B", 3, "")],
    ...[row("C", 1, 50), row("C", 2, "")],
  ]);
  const { texts, unscored, failures, evaluations, variance, underBar } = summary!;
  assert.deepEqual([texts, unscored, failures, evaluations], [2, 1, 2, 8]);
  // 4 and 50 points².
  assert.ok(variance.kind === "interval" && variance.estimate === 27);
  assert.deepEqual([summary!.largestVariance, summary!.largestRange], [50, 10]);
  assert.ok(underBar.kind === "interval" && underBar.estimate === 0.5);
  const { deviationUnderBar } = summary!;
  assert.ok(deviationUnderBar.kind === "interval" && deviationUnderBar.estimate === 0.5);
});

const TEXTS = repeatedTexts(["A", "B", "C", "D", "E"].map((country) => ({
  country,
  texts: [0, 1, 2, 3].map((errors) => ({
    errors,
    text: `${country} ${errors}`,
    claims: [`${country}.`],
    passages: [sourcePassage("s")],
  })),
})));

Deno.test("Requirement 10.1: components without chance have variance 0, in whatever order they are asked", () =>
  inFolder(async (folder) => {
    assert.deepEqual(TEXTS.map(({ text }) => text.errors), [0, 1, 2, 3, 0]);
    const table = REPETITIONS.at(join(folder, "repetitions.csv"));
    const panel = fakePanel([(text) => text.length, () => 30]);
    const { signal } = new AbortController();
    for (const [index, score] of [10, 40, 70].entries()) {
      const writer = fakeJudge("writer", () => score, { readout: "generation" });
      const repeating = { panel, writer, repetition: index + 1, table, settings: "s", signal };
      assert.equal(await repeatScores(TEXTS, repeating), true);
      assert.equal(await repeatScores(TEXTS, repeating), true);
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
    assert.equal(repetitionFigures(table.read()).length, 2 * summaries.length);
  }));
