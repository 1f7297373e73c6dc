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
  orderFigures,
  orderStability,
  orderSummaries,
  type TextLadder,
  textLadders,
  winnerOf,
} from "./orders.ts";
import { type OrderRow, ORDERS } from "./tables.ts";
import { fakePanel } from "./testdata/fake_panel.ts";

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
const PAIRS = LADDERS.flatMap(orderedPairs);
const errorsIn = (text: string) => text.split("wrong").length - 1;
const better = (first: string, second: string): OrderedChoice =>
  errorsIn(first) < errorsIn(second) ? "first" : "second";

/** Has a judge compare all pairs, in a table of a folder of its own. */
const inTable = (
  work: (
    compare: (
      choose: typeof better,
      more?: { readonly run?: number; readonly signal?: AbortSignal },
    ) => Promise<boolean>,
    asking: Parameters<typeof askComparing>[2],
  ) => Promise<void>,
) =>
() =>
  inFolder((folder) => {
    const signal = new AbortController().signal;
    const asking = { table: ORDERS.at(join(folder, "orders.csv")), settings: "s", signal };
    return work((choose, more = {}) => {
      const judge: PairwiseJudge = {
        name: "judge",
        settings: {},
        concurrency: 1,
        compare: ({ first, second }) =>
          Promise.resolve({
            kind: "answer",
            winner: choose(first, second),
            reasoning: "",
            parse: "complete",
            provenance: { producedBy: "judge", modelSha256: undefined, promptSha256: undefined },
          }),
      };
      const asked = { judge, component: "judge", run: more.run ?? 0, temperature: 0 };
      return askComparing(PAIRS, asked, { ...asking, signal: more.signal ?? signal });
    }, asking);
  });

Deno.test(
  "askComparing() keeps both orders, and a further run asks nothing again",
  inTable(async (compare, { table }) => {
    assert.equal(await compare(better), true);
    const before = Deno.readTextFileSync(table.path);
    assert.deepEqual(table.read().slice(0, 2).map(({ first, winner }) => [first, winner]), [
      ["a", "first"],
      ["b", "second"],
    ]);
    const never = () => assert.fail("asked again");
    assert.equal(await compare(never), true);
    assert.equal(Deno.readTextFileSync(table.path), before);
    assert.equal(await compare(better, { run: 1, signal: AbortSignal.abort() }), false);
    await compare(better, { run: 1 });
    assert.equal(table.read().length, 72);
  }),
);

Deno.test(
  "orderSummaries() of a judge that is right in both orders: all consistent, τ-b 1",
  inTable(async (compare, { table }) => {
    await compare(better);
    const [summary] = orderSummaries(table.read());
    assert.deepEqual([summary!.pairs, summary!.unscored, summary!.countries], [18, 0, 3]);
    for (const figure of ["consistency", "decided", "accuracy", "kendall", "spearman"] as const) {
      const { [figure]: value } = summary!;
      assert.ok(value.kind === "interval" && Math.abs(value.estimate - 1) < 1e-12, figure);
    }
  }),
);

Deno.test(
  "Requirement 14.3: a judge that always names the first text is inconsistent on every pair",
  inTable(async (compare, { table }) => {
    await compare(() => "first");
    const [summary] = orderSummaries(table.read());
    const { consistency, preferenceFairness, accuracy, kendall, unordered } = summary!;
    assert.ok(consistency.kind === "interval" && consistency.estimate === 0);
    assert.ok(preferenceFairness.kind === "interval" && preferenceFairness.estimate === -1);
    assert.deepEqual([accuracy.kind, kendall.kind, unordered], ["unavailable", "unavailable", 3]);
  }),
);

Deno.test(
  "askScoring() scores a ladder forwards and backwards; the ranks are those of the scores",
  inTable(async (_compare, asking) => {
    const panel = fakePanel([(text) => 80 - 10 * errorsIn(text), (text) => 20 + errorsIn(text)]);
    await askScoring(LADDERS, panel, asking);
    assert.deepEqual(panel.asked.slice(0, 8).map(errorsIn), [0, 1, 2, 3, 3, 2, 1, 0]);
    const [rows, count] = [asking.table.read(), panel.asked.length];
    await askScoring(LADDERS, panel, asking);
    assert.equal(panel.asked.length, count);
    const tau = new Map(orderSummaries(rows).map(({ component, kendall }) => [component, kendall]));
    const right = tau.get("judge 1 (next word)")!;
    const wrong = tau.get("judge 2 (next word)")!;
    assert.ok(right.kind === "interval" && Math.abs(right.estimate - 1) < 1e-12);
    assert.ok(wrong.kind === "interval" && Math.abs(wrong.estimate + 1) < 1e-12);
  }),
);

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
    winners.map((winner, at): OrderRow => ({
      country,
      errors_a: 0,
      errors_b: 2,
      first: "a",
      component: "judge",
      run: at + 1,
      temperature: 0.7,
      status: "scored",
      winner,
      score_a: "",
      score_b: "",
      settings_sha256: "s",
    }));
  const all = [
    ...rows("A", ["first", "first", "tie"]),
    ...rows("B", ["second", "second", "second"]),
  ];
  const [summary] = orderStability(all);
  assert.deepEqual([summary!.queries, summary!.repetitions], [2, 3]);
  assert.ok(summary!.stability.kind === "interval");
  assert.ok(Math.abs(summary!.stability.estimate - 5 / 6) < 1e-12);
  assert.ok(orderFigures(all).every(({ group }) => group === "3 seeds"));
});

function field(index: number, name: string, subfield: string, text: string): FactbookField {
  const [country, code] = [`Land ${index}`, `c${index}`];
  return { country, code, region: "europe", section: "People", field: name, subfield, text };
}

/** Countries that do not exist: five numbers, a capital and a coast of none each. */
const FIELDS = Array.from({ length: 16 }, (_, index) => [
  field(index, "Population", "total", `${index + 1},512,806 (2025 est.)`),
  field(index, "Capital", "name", `Town ${"ABCDEFGHIJKLMNOP"[index]}burg`),
  field(index, "Birth rate", "", `${10 + index}.88 births/1,000 population (2025 est.)`),
  field(index, "Death rate", "", `${5 + index}.31 deaths/1,000 population (2025 est.)`),
  field(index, "Coastline", "", "0 km"),
  field(index, "Airports", "", `${20 + index} (2025)`),
]).flat();

Deno.test("textLadders() plants one error more with each text, about held-out countries only", () => {
  const ladders = textLadders(FIELDS, { count: 100, seed: 1 });
  const splits = splitCountries(FIELDS.map(({ code }) => code), KNOWLEDGE_SEED);
  assert.ok(ladders.length > 1);
  for (const { country, texts } of ladders) {
    assert.deepEqual(texts.map(({ errors }) => errors), [0, 1, 2, 3]);
    const [truth, ...others] = texts.map(({ claims }) => claims);
    assert.equal(truth!.length, 4);
    const wrong = others.map((claims) => claims.filter((claim, at) => claim !== truth![at]));
    assert.deepEqual(wrong.map(({ length }) => length), [1, 2, 3]);
    assert.ok(wrong[0]!.every((claim) => wrong[1]!.includes(claim)));
    assert.ok(wrong[1]!.every((claim) => wrong[2]!.includes(claim)));
    assert.equal(splits.get(country.replace("Land ", "c")), "test");
    // A coast of 0 km made one of 1 km is no error that anybody would make.
    assert.doesNotMatch(texts[0]!.text, /coast/i);
  }
});

Deno.test("Requirement 14.3: ladders are the same for the same seed, fewer are the first of more", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(4), (seed, count) => {
      const all = textLadders(FIELDS, { count: 100, seed });
      assert.deepEqual(textLadders(FIELDS, { count, seed }), all.slice(0, count));
    }),
    { numRuns: 100 },
  );
});
