import assert from "node:assert/strict";
import type { Artefact } from "./artefacts.ts";
import { lookUp, ONE_LETTER, type Statistic } from "./clustered.ts";
import { accuracyCells, accuracyRows, bestAgainstBaseline } from "./figure_rows.ts";
import { type Direction, partTable, scoringTable } from "./tables.ts";

const row = (phenomenon: string, measure: string, estimate: number, half = 0.05): Statistic => ({
  model: "m",
  phenomenon,
  measure,
  n: 20,
  clusters: 5,
  method: "made",
  value: half === 0
    ? { kind: "value", estimate, reason: `made; ${ONE_LETTER}` }
    : { kind: "interval", estimate, low: estimate - half, high: estimate + half },
});

const rule = (baseline: string, phenomenon: string, accuracy: number): Artefact => ({
  baseline,
  phenomenon,
  n: 20,
  correct: 10,
  ties: 0,
  accuracy,
  low: accuracy - 0.1,
  high: accuracy + 0.1,
});

const DIRECTIONS: readonly Direction[] = [
  { title: "forward", rowsOf: (group) => group },
  { title: "mean", rowsOf: (group) => group === "ALL" ? "both" : `${group}.both` },
];
const WAYS = [{ way: "choice", measure: "accuracy" }, { way: "scores", measure: "likelihood" }];

/** Cells of the lines below the head. */
const cellsOf = (table: string) =>
  table.split("\n").slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

Deno.test("scoringTable() holds a model against the best baseline of the last direction that was asked", () => {
  const artefacts = [
    rule("random", "both", 0.9),
    rule("always_shorter", "both", 0.5),
    rule("character_5gram", "both", 0.55),
    rule("character_5gram", "ALL", 0.8),
  ];
  const asked = [
    row("ALL", "accuracy", 0.7),
    row("both", "accuracy", 0.6),
    row("both", "accuracy_less_best_rule", 0.05, 0.1),
  ];
  const table = (statistics: readonly Statistic[]) =>
    scoringTable({
      ...{ models: ["m"], ways: WAYS, directions: DIRECTIONS, artefacts },
      found: lookUp(statistics),
    });
  assert.match(
    table(asked),
    /^\| model \| scoring rule \| forward \| mean \| minus character 5-grams/,
  );
  // A coin is no baseline, and a way that was not measured has no row.
  assert.deepEqual(cellsOf(table(asked)), [
    ["m", "choice", "70.0 [65.0, 75.0]", "60.0 [55.0, 65.0]", "5.0 [−5.0, 15.0]"],
    ["grammar-free baseline", "always shorter", "–", "50.0 [40.0, 60.0]", "–"],
    ["grammar-free baseline", "character 5-grams", "80.0 [70.0, 90.0]", "55.0 [45.0, 65.0]", "–"],
  ]);
  const [forward] = cellsOf(table([asked[0]!, row("ALL", "accuracy_less_best_rule", -0.1)]));
  assert.deepEqual(forward?.slice(3), ["–", "−10.0 [−15.0, −5.0]"]);
});

Deno.test("partTable() names what each part is a share of, and leaves other parts alone", () => {
  const statistics = [
    row("ALL", "accuracy", 0.7),
    row("balanced", "accuracy", 0.5),
    row("balanced.UMLAUT", "accuracy", 0.4),
    row("construction.noun_lost_u", "accuracy", 0.3),
    row("letter.a", "accuracy", 0.5, 0),
  ];
  const cells = (prefix: string) => cellsOf(partTable("", prefix, ["m"], "accuracy", statistics));
  assert.deepEqual(cells("letter."), [["a", "–"]]);
  assert.deepEqual(cells("balanced"), [
    ["mean", "50.0 [45.0, 55.0], n = 20"],
    ["UMLAUT", "40.0 [35.0, 45.0], n = 20"],
  ]);
  assert.equal(cells("construction.")[0]?.[0], "noun lost u");
});

const PANEL = { title: "local", models: ["m"], asked: ["m"], design: "both", orders: () => [] };
const [PER_TOKEN, TOTAL] = ["likelihood_accuracy_per_token", "likelihood_accuracy_total"] as const;

Deno.test("accuracyRows() has no row for a coin, nor for who is right on half of whatever is asked", () => {
  const statistics = [row("ALL", "accuracy", 0.5, 0), row("ALL", TOTAL, 0.8, 0.02)];
  const artefacts = [rule("random", "ALL", 0.6), rule("metre", "ALL", 0.6), {
    ...rule("always_a", "ALL", 0.5),
    correct: 0,
    ties: 20,
    low: "" as const,
    high: "" as const,
  }];
  const panels = [PANEL] as unknown as Parameters<typeof accuracyRows>[0]["panels"];
  const rows = accuracyRows({ panels, statistics, artefacts });
  assert.deepEqual(rows.map(({ group, label, n }) => [group, label, n]), [
    ["m", "total", 20],
    ["Grammar-free baselines", "metre", 20],
  ]);
  const verdictAt = (lead: number) =>
    bestAgainstBaseline(accuracyRows({
      ...{ panels, artefacts },
      statistics: [row("ALL", TOTAL, 0.6), row("ALL", `${TOTAL}_less_best_rule`, lead)],
    }))?.verdict;
  assert.deepEqual([0.1, 0.04, -0.1].map(verdictAt), ["better", "level", "worse"]);
  assert.equal(bestAgainstBaseline(rows.slice(0, 1)), undefined);
});

Deno.test("accuracyCells() colours what stays beyond chance after Holm's adjustment", () => {
  const panels = [PANEL] as unknown as Parameters<typeof accuracyCells>[0]["panels"];
  const statistics = [
    row("UMLAUT", TOTAL, 0.6, 0.09),
    row("METRE", TOTAL, 0.2, 0.02),
    row("UMLAUT", PER_TOKEN, 0.5),
  ];
  const parts = { UMLAUT: "u-umlaut", METRE: "metre" };
  const { rows, groups, columns, cells, adjusted, beyond } = accuracyCells(
    { panels, statistics },
    parts,
  );
  assert.deepEqual([rows, groups], [["total", "per token"], ["m", "m"]]);
  assert.deepEqual(columns, ["u-umlaut", "metre"]);
  assert.deepEqual(cells.flat().map(({ kind }) => kind), [
    ...["interval", "interval", "interval", "unavailable"],
  ]);
  assert.deepEqual([...adjusted], [cells[0]![1]]);
  assert.deepEqual([beyond.n, beyond.above.size, beyond.aboveAdjusted.size], [3, 1, 0]);
});
