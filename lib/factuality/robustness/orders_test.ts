import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { OrderedChoice, PairwiseJudge } from "../pairwise/comparison.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { orderSummaries } from "./orders_analysis.ts";
import { askComparing, askScoring, uncompared, unscoredLadders, winnerOf } from "./orders_ask.ts";
import { orderFigures } from "./orders_figures.ts";
import { orderedPairs, type TextLadder } from "./orders_ladder.ts";
import { orderStability } from "./orders_stability.ts";
import { openOrderRows, type OrderRow, type OrderTable, readOrderRows } from "./orders_rows.ts";
import { MEAN_PROBABILITY } from "./panel/panel_scores.ts";
import { fakePanel } from "./panel/testdata/fake_panel.ts";

const NEVER = new AbortController().signal;

/** Four sentences, the first k of them wrong. */
function ladderOf(country: string): TextLadder {
  const passages = [sourcePassage("s")];
  const texts = [0, 1, 2, 3].map((errors) => {
    const claims = [0, 1, 2, 3].map((at) => `${country} ${at}${at < errors ? " wrong" : ""}.`);
    return { errors, claims, text: claims.join(" "), passages };
  });
  return { country, texts };
}

const LADDERS = ["A", "B", "C"].map(ladderOf);
const errorsIn = (text: string) => text.split("wrong").length - 1;

function inTable(work: (table: OrderTable, path: string) => Promise<void>) {
  return async () => {
    const folder = Deno.makeTempDirSync();
    try {
      const path = join(folder, "orders.csv");
      using table = openOrderRows(path);
      await work(table, path);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

function judgeOf(choose: (first: string, second: string) => OrderedChoice): PairwiseJudge {
  return {
    ...{ name: "judge", settings: {}, concurrency: 1 },
    compare: ({ first, second }) =>
      Promise.resolve({
        ...{ kind: "answer", winner: choose(first, second), reasoning: "", parse: "complete" },
        provenance: { producedBy: "judge", modelSha256: undefined, promptSha256: undefined },
      }),
  };
}

const asking = (table: OrderTable, signal = NEVER) => ({
  ...{ table, settingsSha256: "s", signal, onAnswer: () => {} },
});
const run = (choose: (first: string, second: string) => OrderedChoice) => ({
  ...{ judge: judgeOf(choose), component: "judge", run: 0, temperature: 0 },
});

const better = (first: string, second: string): OrderedChoice =>
  errorsIn(first) < errorsIn(second) ? "first" : "second";

test("orderedPairs() gives every two texts of a ladder in both orders", () => {
  const pairs = orderedPairs(LADDERS[0]!).map(({ a, b, first }) => [a.errors, b.errors, first]);
  assert.equal(pairs.length, 12);
  assert.deepEqual(pairs.slice(0, 3), [[0, 1, "a"], [0, 1, "b"], [0, 2, "a"]]);
});

test(
  "askComparing() keeps both orders, and a further run asks nothing again",
  inTable(async (table, path) => {
    const pairs = LADDERS.flatMap(orderedPairs);
    assert.equal(await askComparing(pairs, run(better), asking(table)), true);
    const rows = readOrderRows(path);
    assert.equal(rows.length, 36);
    assert.deepEqual(rows.slice(0, 2).map(({ first, winner }) => [first, winner]), [
      ["a", "first"],
      ["b", "second"],
    ]);
    assert.equal(uncompared(pairs, run(better), rows).length, 0);
    assert.equal(uncompared(pairs, { ...run(better), run: 1 }, rows).length, 36);
    assert.equal(await askComparing(pairs, run(better), asking(table, AbortSignal.abort())), false);
  }),
);

test(
  "orderSummaries() of a judge that is right in both orders: all consistent, τ-b 1",
  inTable(async (table, path) => {
    await askComparing(LADDERS.flatMap(orderedPairs), run(better), asking(table));
    const [summary] = orderSummaries(readOrderRows(path));
    assert.deepEqual([summary!.pairs, summary!.unscored, summary!.countries], [18, 0, 3]);
    for (const figure of ["consistency", "decided", "accuracy", "kendall", "spearman"] as const) {
      const { [figure]: value } = summary!;
      assert.ok(value.kind === "interval" && Math.abs(value.estimate - 1) < 1e-12, figure);
    }
  }),
);

test(
  "Requirement 14.3: a judge that always names the first text is inconsistent on every pair",
  inTable(async (table, path) => {
    await askComparing(LADDERS.flatMap(orderedPairs), run(() => "first"), asking(table));
    const [summary] = orderSummaries(readOrderRows(path));
    const { consistency, preferenceFairness, accuracy, kendall, unordered } = summary!;
    assert.ok(consistency.kind === "interval" && consistency.estimate === 0);
    assert.ok(preferenceFairness.kind === "interval" && preferenceFairness.estimate === -1);
    assert.deepEqual([accuracy.kind, kendall.kind, unordered], ["unavailable", "unavailable", 3]);
  }),
);

test(
  "askScoring() scores a ladder forwards and backwards; the ranks are those of the scores",
  inTable(async (table, path) => {
    const panel = fakePanel([(text) => 80 - 10 * errorsIn(text), (text) => 20 + errorsIn(text)]);
    for (const ladder of LADDERS) await askScoring(ladder, panel, asking(table));
    assert.deepEqual(panel.asked.slice(0, 8).map(errorsIn), [0, 1, 2, 3, 3, 2, 1, 0]);
    const rows = readOrderRows(path);
    assert.equal(unscoredLadders(LADDERS, MEAN_PROBABILITY, rows).length, 0);
    assert.equal(unscoredLadders([ladderOf("D")], MEAN_PROBABILITY, rows).length, 1);
    const tau = new Map(orderSummaries(rows).map(({ component, kendall }) => [component, kendall]));
    const right = tau.get("judge 1 (next word)")!;
    const wrong = tau.get("judge 2 (next word)")!;
    assert.ok(right.kind === "interval" && Math.abs(right.estimate - 1) < 1e-12);
    assert.ok(wrong.kind === "interval" && Math.abs(wrong.estimate + 1) < 1e-12);
  }),
);

test("Requirement 10.2: scores compared in either order name the same text", () => {
  const points = fc.double({ min: 0, max: 100, noNaN: true });
  const other = { first: "second", second: "first", tie: "tie" } as const;
  fc.assert(
    fc.property(points, points, (a, b) => other[winnerOf(a, b, "a")] === winnerOf(a, b, "b")),
    { numRuns: 200 },
  );
});

test("orderStability() is the mean share of the most frequent choice: worked by hand", () => {
  const row = (country: string, seed: number, winner: OrderedChoice): OrderRow => ({
    ...{ country, errors_a: 0, errors_b: 2, first: "a", component: "judge", run: seed, winner },
    ...{ temperature: 0.7, status: "scored", score_a: "", score_b: "", settings_sha256: "s" },
  });
  const rows = [
    ...["first", "first", "tie"].map((winner, at) => row("A", at + 1, winner as OrderedChoice)),
    ...["second", "second", "second"].map((winner, at) =>
      row("B", at + 1, winner as OrderedChoice)
    ),
  ];
  const [summary] = orderStability(rows);
  assert.deepEqual([summary!.queries, summary!.repetitions], [2, 3]);
  assert.ok(summary!.stability.kind === "interval");
  assert.ok(Math.abs(summary!.stability.estimate - 5 / 6) < 1e-12);
  assert.ok(orderFigures(rows).every(({ group }) => group === "3 seeds"));
});
