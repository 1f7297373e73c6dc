import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sourcePassage } from "../retrieval/passage.ts";
import { repetitionSummaries } from "./repetition_analysis.ts";
import { ENSEMBLE_WITH_WRITER, repeatedTexts, repeatScores, unrepeated } from "./repetition_ask.ts";
import { repetitionFigures } from "./repetition_figures.ts";
import {
  openRepetitionRows,
  readRepetitionRows,
  type RepetitionRow,
  type RepetitionTable,
} from "./repetition_rows.ts";
import { fakeJudge, fakePanel } from "./panel/testdata/fake_panel.ts";

const LADDERS = ["A", "B", "C", "D", "E"].map((country) => ({
  country,
  texts: [0, 1, 2, 3].map((errors) => ({
    ...{ errors, text: `${country} ${errors}`, claims: [`${country}.`] },
    passages: [sourcePassage("s")],
  })),
}));

test("repeatedTexts() takes one text of each ladder, with 0, 1, 2, 3, 0 errors", () => {
  const texts = repeatedTexts(LADDERS);
  assert.deepEqual(texts.map(({ text }) => text.errors), [0, 1, 2, 3, 0]);
});

const row = (country: string, repetition: number, score: number | ""): RepetitionRow => ({
  ...{ country, errors: 0, repetition, component: "judge", score, settings_sha256: "s" },
  status: score === "" ? "malformed answer" : "scored",
});

test("repetitionSummaries() gives variances in points² and the share under the bar: by hand", () => {
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

async function withTable(work: (table: RepetitionTable, path: string) => Promise<void>) {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "repetitions.csv");
    using table = openRepetitionRows(path);
    await work(table, path);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

test("Requirement 10.1: components without chance have variance 0, in whatever order they are asked", () =>
  withTable(async (table, path) => {
    const texts = repeatedTexts(LADDERS);
    const panel = fakePanel([(text) => text.length, () => 30]);
    const rounds = [10, 40, 70];
    for (const [index, score] of rounds.entries()) {
      const writer = fakeJudge("writer", () => score, { readout: "generation" });
      const repetition = index + 1;
      const kept = { table, settingsSha256: "s", onAnswer: () => {} };
      const signal = new AbortController().signal;
      const repeating = { panel, writer, repetition, ...kept, signal };
      assert.equal(await repeatScores(texts, repeating), true);
      assert.equal(unrepeated(texts, repetition, readRepetitionRows(path)).length, 0);
    }
    const orders = [0, 1, 2].map((round) => panel.asked.slice(5 * round, 5 * round + 5).join());
    assert.ok(new Set(orders).size > 1);
    const summaries = repetitionSummaries(readRepetitionRows(path));
    const largest = new Map(summaries.map((one) => [one.component, one.largestVariance]));
    assert.equal(largest.get("judge 1 (next word)"), 0);
    assert.equal(largest.get("ensemble of judges"), 0);
    assert.equal(largest.get("writer (written score)"), 900);
    // Of three judges with the same weight, one varies: 900 / 9.
    assert.ok(Math.abs(largest.get(ENSEMBLE_WITH_WRITER)! - 100) < 1e-9);
    assert.equal(repetitionFigures(readRepetitionRows(path)).length, 2 * summaries.length);
  }));
