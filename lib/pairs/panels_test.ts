import assert from "node:assert/strict";
import fc from "fast-check";
import { ORDERS } from "./forced_choice.ts";
import { NEED_BOTH_ORDERS } from "./forced_choice_measures.ts";
import { computeMetrics } from "./metrics.ts";
import { counterbalancedOrders } from "./order_plan.ts";
import { panelStanding } from "./panel_standing.ts";
import type { Response } from "./responses.ts";
import { computeStatistics, formatStatistics } from "./statistics.ts";
import { PHENOMENA } from "./testdata/norse.ts";
import { completeAnswers, responded } from "./testdata/responses.ts";
import { madeItems } from "./testdata/whole_run.ts";

const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);
const SEED = 7;
const HALF = counterbalancedOrders(PAIRS, SEED);
const SETTINGS = { seed: 1, resamples: 100, phenomena: PHENOMENA, items: ITEMS, likelihoods: [] };
const [LOCAL, HOSTED] = [["a", "b"], ["x", "y"]] as const;

const always = (model: string, letter: Response["response"]) =>
  PAIRS.flatMap(({ id }) => ORDERS.map((order) => responded(model, id, order, letter)));
const inHalf = (rows: readonly Response[]) =>
  rows.filter(({ pairId, order }) => HALF(pairId).includes(order));

Deno.test("Feature: hosted models, panels side by side: a second panel changes no row of the first and shares none with it", () => {
  const items = ITEMS.slice(0, 4);
  const answers = completeAnswers([...LOCAL, ...HOSTED], items.map(({ pair }) => pair));
  fc.assert(
    fc.property(answers, fc.boolean(), (responses, counterbalanced) => {
      const local = { models: LOCAL };
      const hosted = { models: HOSTED, ...(counterbalanced ? { orders: HALF } : {}) };
      const text = (panels: readonly (typeof local | typeof hosted)[]) =>
        formatStatistics(computeStatistics({ ...SETTINGS, items, responses, panels })).split("\n");
      const [alone, both] = [text([local]), text([local, hosted])];
      const added = both.filter((line) => !alone.includes(line));
      assert.deepEqual(both.filter((line) => !added.includes(line)), alone);
      assert.ok(added.length > 0 && added.every((line) => /^(x|y|x vs y),/.test(line)));
    }),
    { numRuns: 100 },
  );
});

type Rows = ReturnType<typeof computeStatistics>;

function estimateOf(rows: Rows, measure: string): number {
  const value = rows.find((row) => row.measure === measure)?.value;
  assert.ok(value && value.kind !== "unavailable", measure);
  return value.estimate;
}

Deno.test("computeStatistics() takes d′ of one order a pair from its two halves", () => {
  const responses = PAIRS.flatMap(({ id }) =>
    ORDERS.map((order) => responded("x", id, order, order === "A_gram" ? "A" : "B"))
  );
  const panels = [{ models: ["x"], orders: HALF }];
  const rows = computeStatistics({ ...SETTINGS, responses, panels })
    .filter(({ model, phenomenon }) => model === "x" && phenomenon === "ALL");
  // Always right: hits 6.5 / 7, false alarms 0.5 / 7, so (1.46523 + 1.46523) / √2.
  assert.ok(Math.abs(estimateOf(rows, "d_prime") - 2.0722) < 1e-4);
  assert.ok(Math.abs(estimateOf(rows, "position_bias")) < 1e-12);
});

Deno.test("computeStatistics() gives no figure that needs both orders where one was asked", () => {
  const responses = always("x", "A");
  const of = (panel: { readonly models: readonly string[]; readonly orders?: typeof HALF }) =>
    computeStatistics({ ...SETTINGS, responses, panels: [panel] })
      .filter(({ model, phenomenon }) => model === "x" && phenomenon === "ALL");
  const half = of({ models: ["x"], orders: HALF });
  for (const { measure, value, method, n } of half) {
    assert.equal(value.kind === "unavailable", NEED_BOTH_ORDERS.includes(measure), measure);
    if (value.kind === "unavailable") assert.match(method, /needs every pair in both orders/);
    else assert.equal(n, 12);
  }
  // Always A over twelve pairs, six of them with the good sentence at A.
  const accuracy = half.find(({ measure }) => measure === "accuracy")?.value;
  assert.ok(accuracy?.kind === "interval" && accuracy.estimate === 0.5);
  // Hits 6 of 6 at A, false alarms 6 of 6 at B, both corrected to 6.5 / 7: z = 1.4652.
  assert.equal(estimateOf(half, "d_prime"), 0);
  assert.ok(Math.abs(estimateOf(half, "position_bias") - 1.4652) < 1e-4);
  assert.ok(of({ models: ["x"] }).every(({ value }) => value.kind !== "unavailable"));
});

Deno.test("panelStanding() names the richest design that all models have completed", () => {
  const of = (responses: readonly Response[], models = ["x", "y"]) =>
    panelStanding({ pairs: PAIRS, responses, models, seed: SEED });
  const [x, y] = [always("x", "A"), always("y", "B")];
  const designOf = (responses: readonly Response[]) => {
    const standing = of(responses);
    return standing.kind === "complete" ? standing.design : standing.kind;
  };
  assert.equal(designOf([...x, ...y]), "both");
  // One model further than the other: what both have is one order a pair.
  assert.equal(designOf([...x, ...inHalf(y)]), "counterbalanced");
  assert.deepEqual(of([...x.slice(0, 5), ...inHalf(y).slice(1)]), {
    kind: "incomplete",
    models: [
      {
        model: "x",
        answered: 5,
        lacks: { both: 19, counterbalanced: 12 - inHalf(x.slice(0, 5)).length },
      },
      { model: "y", answered: 11, lacks: { both: 13, counterbalanced: 1 } },
    ],
  });
});

Deno.test("computeMetrics() counts of a counterbalanced panel its own questions only", () => {
  const wrongElsewhere = PAIRS.flatMap(({ id }) =>
    ORDERS.map((order) => {
      const right = order === "A_gram" ? "A" : "B";
      return responded("x", id, order, HALF(id).includes(order) ? right : "INVALID");
    })
  );
  const options = { pairs: PAIRS, responses: wrongElsewhere, models: ["x"], phenomena: PHENOMENA };
  assert.equal(computeMetrics(options)[0]?.overall, 0.5);
  assert.equal(computeMetrics({ ...options, orders: HALF })[0]?.overall, 1);
  const responses = inHalf(wrongElsewhere).slice(1);
  assert.throws(
    () => computeMetrics({ ...options, responses, orders: HALF }),
    /of 12 answers \(12 pairs\) x lacks 1\./,
  );
});
