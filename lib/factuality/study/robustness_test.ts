import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { AnswerRow } from "../evaluate/ask_components.ts";
import { detectionOutcomes, kindFigures } from "../robustness/detection.ts";
import { overallTable } from "../robustness/report.ts";
import type { OrderRow, RepetitionRow, SwapRow } from "../robustness/tables.ts";
import { detectionRows, noticedByJudges, steadinessTable } from "./robustness.ts";

const scored = (score: number) => ({ status: "scored" as const, score, settings_sha256: "s" });

/** A judge that sees every error; of each country all pairs of two texts in both orders. */
const ordersOf = (component: string): readonly OrderRow[] =>
  ["A", "B", "C"].flatMap((country) =>
    [[0, 1], [0, 2], [1, 2]].flatMap(([errors_a, errors_b]) =>
      (["a", "b"] as const).map((first): OrderRow => ({
        country,
        errors_a: errors_a!,
        errors_b: errors_b!,
        first,
        component,
        run: 0,
        temperature: 0,
        status: "scored",
        winner: first === "a" ? "first" : "second",
        score_a: 90 - errors_a!,
        score_b: 90 - errors_b!,
        settings_sha256: "s",
      }))
    )
  );

const repetitionsOf = (component: string): readonly RepetitionRow[] =>
  ["A", "B"].flatMap((country, at) =>
    [1, 2].map((repetition) => (
      { country, errors: 0, repetition, component, ...scored(50 + at * repetition) }
    ))
  );

const swapsOf = (component: string): readonly SwapRow[] =>
  ["p01", "p02"].flatMap((portrait, at) =>
    (["right", "wrong"] as const).map((claim) => {
      const change = { change: "none" as const, from: "", to: "" };
      return { portrait, claim, ...change, component, ...scored(claim === "right" ? 80 + at : 20) };
    })
  );

Deno.test("steadinessTable() has a row for whoever was asked anything, and a dash for what it was not asked", () => {
  const experiments = {
    orders: ordersOf("orders alone"),
    repetitions: repetitionsOf("repetitions alone"),
    swaps: swapsOf("swaps alone"),
  };
  const [, , ...rows] = steadinessTable(experiments).split("\n");
  const cells = rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(cells.map(([name, ...rest]) => [name, rest.map((cell) => cell === "–")]), [
    ["orders alone", [true, true, true, true, true]],
    ["repetitions alone", [true, true, false, true, true]],
    ["swaps alone", [true, true, true, false, false]],
  ]);
});

Deno.test("a component with some answers only has what figures there can be of them, and reasons for the others", () => {
  const answer = (case_id: string, supported: number): AnswerRow => ({
    set: "robustness",
    case_id,
    case_sha256: "0",
    cluster: "",
    claim_kind: "factual",
    label: "",
    component: "begun",
    status: "scored",
    supported,
    reason: "so",
    milliseconds: 1,
    settings_sha256: "0",
  });
  const cases = ["A", "B"].map((country) => (
    { id: `${country}/date`, base: country, country, kind: "date" as const }
  ));
  const figuresOf = (...rows: readonly AnswerRow[]) =>
    kindFigures(detectionOutcomes(cases, rows), randomSource(1));
  assert.deepEqual(figuresOf(answer("A", 0.9)), []);
  const begun = figuresOf(answer("A", 0.9), answer("A/date", 0.1));
  const row = overallTable(begun).split("\n")[2]!;
  assert.match(row, /^\| begun \| 1 \|/);
  assert.doesNotMatch(row, /NaN|undefined|\| 0 \|/);
  assert.match(noticedByJudges(begun, new Set(["begun"])), /^ begun notices .* of 1 and flags /);
  assert.equal(noticedByJudges(begun, new Set()), "");
  assert.equal(detectionRows(begun, "trained verifier").length, 1);
});
