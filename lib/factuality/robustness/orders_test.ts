import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { OrderedChoice, PairwiseJudge } from "../pairwise.ts";
import type { FactbookField } from "../retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { splitCountries } from "../training/splits.ts";
import { sourcePassage } from "../types.ts";
import {
  askComparing,
  askScoring,
  orderedPairs,
  orderStability,
  orderSummaries,
  textLadders,
  winnerOf,
} from "./orders.ts";
import type { Keeping } from "./panel.ts";
import { type OrderRow, ORDERS } from "./tables.ts";
import { estimateOf, fakePanel } from "./testdata/fake_panel.ts";

/** Four sentences each, the first k of them wrong. */
const LADDERS = ["A", "B", "C"].map((country) => ({
  country,
  texts: [0, 1, 2, 3].map((errors) => {
    const claims = [0, 1, 2, 3].map((at) => `${country} ${at}${at < errors ? " wrong" : ""}.`);
    return { errors, claims, text: claims.join(" "), passages: [sourcePassage("s")] };
  }),
}));
const errorsIn = (text: string) => text.split("wrong").length - 1;
const better = (first: string, second: string): OrderedChoice =>
  errorsIn(first) < errorsIn(second) ? "first" : "second";

/** Has a judge compare all pairs, in a table of a folder of its own. */
function inTable(
  work: (
    compare: (choose: typeof better, run?: number, signal?: AbortSignal) => Promise<boolean>,
    keeping: Keeping<OrderRow>,
  ) => Promise<void>,
) {
  const provenance = { producedBy: "judge", modelSha256: undefined, promptSha256: undefined };
  const said = { kind: "answer", reasoning: "", parse: "complete", provenance } as const;
  return inFolder((folder) => {
    const signal = new AbortController().signal;
    const keeping = { table: ORDERS.at(join(folder, "orders.csv")), settings: "s", signal };
    return work((choose, run = 0, signal = keeping.signal) => {
      const compare: PairwiseJudge["compare"] = ({ first, second }) =>
        Promise.resolve({ ...said, winner: choose(first, second) });
      const judge = { name: "judge", settings: {}, concurrency: 1, compare };
      const pairs = LADDERS.flatMap(orderedPairs);
      return askComparing(pairs, judge, { run, temperature: 0 }, { ...keeping, signal });
    }, keeping);
  });
}

Deno.test("askComparing() keeps both orders; a further run asks nothing again; all is right: τ-b 1", () =>
  inTable(async (compare, { table }) => {
    assert.equal(await compare(better), true);
    const before = Deno.readTextFileSync(table.path);
    const [aFirst, bFirst] = table.read();
    assert.deepEqual([aFirst!.first, aFirst!.winner], ["a", "first"]);
    assert.deepEqual([bFirst!.first, bFirst!.winner], ["b", "second"]);
    assert.equal(await compare(() => assert.fail("asked again")), true);
    assert.equal(Deno.readTextFileSync(table.path), before);
    const [summary] = orderSummaries(table.read());
    assert.deepEqual([summary!.pairs, summary!.unscored, summary!.countries], [18, 0, 3]);
    for (const figure of ["consistency", "decided", "accuracy", "kendall", "spearman"] as const) {
      assert.equal(estimateOf(summary![figure]), 1, figure);
    }
    assert.equal(await compare(better, 1, AbortSignal.abort()), false);
    await compare(better, 1);
    assert.equal(table.read().length, 72);
  }));

Deno.test("Requirement 14.3: a judge that always names the first text is inconsistent on every pair", () =>
  inTable(async (compare, { table }) => {
    await compare(() => "first");
    const [one] = orderSummaries(table.read());
    const figures = [one!.consistency, one!.preferenceFairness, one!.accuracy, one!.kendall];
    assert.deepEqual(figures.map(estimateOf), [0, -1, "unavailable", "unavailable"]);
    assert.equal(one!.unordered, 3);
  }));

Deno.test("askScoring() scores a ladder forwards and backwards; the ranks are those of the scores", () =>
  inTable(async (_compare, keeping) => {
    const panel = fakePanel([(text) => 80 - 10 * errorsIn(text), (text) => 20 + errorsIn(text)]);
    await askScoring(LADDERS, panel, keeping);
    assert.deepEqual(panel.asked.slice(0, 8).map(errorsIn), [0, 1, 2, 3, 3, 2, 1, 0]);
    const count = panel.asked.length;
    await askScoring(LADDERS, panel, keeping);
    assert.equal(panel.asked.length, count);
    const summaries = orderSummaries(keeping.table.read());
    const tau = new Map(summaries.map(({ component, kendall }) => [component, kendall]));
    assert.equal(estimateOf(tau.get("judge 1 (next word)")!), 1);
    assert.equal(estimateOf(tau.get("judge 2 (next word)")!), -1);
  }));

Deno.test("Requirement 10.2: scores compared in either order name the same text", () => {
  const points = fc.double({ min: 0, max: 100, noNaN: true });
  const other = { first: "second", second: "first", tie: "tie" } as const;
  fc.assert(
    fc.property(points, points, (a, b) => other[winnerOf(a, b, "a")] === winnerOf(a, b, "b")),
    { numRuns: 200 },
  );
});

Deno.test("orderStability() is the mean share of the most frequent choice: worked by hand", () => {
  const rows = (country: string, winners: readonly OrderedChoice[]) =>
    winners.map((winner, at): OrderRow => {
      const pair = { country, errors_a: 0, errors_b: 2, first: "a", component: "judge" } as const;
      const answer = { status: "scored", winner, score_a: "", score_b: "" } as const;
      return { ...pair, run: at + 1, temperature: 0.7, ...answer, settings_sha256: "s" };
    });
  const [summary] = orderStability([
    ...rows("A", ["first", "first", "tie"]),
    ...rows("B", ["second", "second", "second"]),
  ]);
  assert.deepEqual([summary!.queries, summary!.repetitions], [2, 3]);
  assert.equal(estimateOf(summary!.stability), Number((5 / 6).toFixed(9)));
});

/** Countries that do not exist: five numbers, a capital and a coast of none each. */
const FIELDS = Array.from({ length: 16 }, (_, index) =>
  [
    ["Population", "total", `${index + 1},512,806 (2025 est.)`],
    ["Capital", "name", `Town ${"ABCDEFGHIJKLMNOP"[index]}burg`],
    ["Birth rate", "", `${10 + index}.88 births/1,000 population (2025 est.)`],
    ["Death rate", "", `${5 + index}.31 deaths/1,000 population (2025 est.)`],
    ["Coastline", "", "0 km"],
    ["Airports", "", `${20 + index} (2025)`],
  ].map(([field, subfield, text]) => {
    const [country, code] = [`Land ${index}`, `c${index}`];
    return { country, code, region: "europe", section: "People", field, subfield, text };
  })).flat() as FactbookField[];

Deno.test("Requirement 14.3: a ladder plants one error more with each text, about held-out countries", () => {
  const ladders = textLadders(FIELDS, { count: 100, seed: 1 });
  const splits = splitCountries(FIELDS.map(({ code }) => code), KNOWLEDGE_SEED);
  assert.ok(ladders.length > 1);
  for (const { country, texts } of ladders) {
    const [truth, ...others] = texts.map(({ claims }) => claims);
    assert.equal(truth!.length, 4);
    const wrong = others.map((claims) => claims.filter((claim, at) => claim !== truth![at]));
    assert.deepEqual(wrong.map(({ length }) => length), [1, 2, 3]);
    assert.ok(wrong.slice(1).every((more, k) => wrong[k]!.every((claim) => more.includes(claim))));
    assert.equal(splits.get(country.replace("Land ", "c")), "test");
    // A coast of 0 km made one of 1 km is no error that anybody would make.
    assert.doesNotMatch(texts[0]!.text, /coast/i);
  }
  assert.deepEqual(textLadders(FIELDS, { count: 2, seed: 1 }), ladders.slice(0, 2));
});
