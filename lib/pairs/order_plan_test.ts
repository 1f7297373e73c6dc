import assert from "node:assert/strict";
import fc from "fast-check";
import { type Order, ORDERS } from "./forced_choice.ts";
import { bothOrders, counterbalancedOrders, firstPairs, orderPlan } from "./order_plan.ts";
import { madePairs, PHENOMENA } from "./testdata/norse.ts";

const groups = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 4 });
const pairsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, i) => ({
      id: `${group}_${i}`,
      phenomenon: PHENOMENA[group]!,
    }))
  );

Deno.test("Feature: hosted models, counterbalanced orders: one order a pair, half and half within each phenomenon and over all", () => {
  fc.assert(
    fc.property(groups, fc.nat(), (sizes, seed) => {
      const pairs = pairsOf(sizes);
      const plan = counterbalancedOrders(pairs, seed);
      const difference = (own: typeof pairs) => {
        const orders = own.map(({ id }) => plan(id));
        assert.ok(orders.every(({ length }) => length === 1));
        const count = (order: Order) => orders.filter(([first]) => first === order).length;
        return Math.abs(count("A_gram") - count("B_gram"));
      };
      for (const name of PHENOMENA) {
        assert.ok(difference(pairs.filter(({ phenomenon }) => phenomenon === name)) <= 1);
      }
      assert.ok(difference(pairs) <= 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("counterbalancedOrders() depends on the seed and on neither model nor order of the pairs", () => {
  const pairs = madePairs(40);
  const of = (seed: number, own = pairs) => {
    const plan = counterbalancedOrders(own, seed);
    return pairs.map(({ id }) => plan(id)[0]).join();
  };
  assert.equal(of(1), of(1, pairs.toReversed()));
  assert.notEqual(of(1), of(2));
  assert.deepEqual(counterbalancedOrders(pairs, 1)("ON_UMLAUT_999"), []);
});

Deno.test("orderPlan() gives both orders, or of each pair one of them", () => {
  const pairs = madePairs(8);
  const [both, half] = [orderPlan("both", pairs, 1), orderPlan("counterbalanced", pairs, 1)];
  assert.deepEqual(both("any"), ORDERS);
  assert.ok(pairs.every(({ id }) => half(id).every((order) => both(id).includes(order))));
});

Deno.test("firstPairs() takes the first pairs of each phenomenon in turn", () => {
  const pairs = madePairs(12).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const plan = firstPairs(bothOrders, pairs, 6);
  assert.deepEqual(pairs.filter(({ id }) => plan(id).length === 2).map(({ id }) => id), [
    "ON_ADJECTIVE_001",
    "ON_ADJECTIVE_002",
    "ON_MIDDLE_VOICE_001",
    "ON_MIDDLE_VOICE_002",
    "ON_QUIRKY_CASE_001",
    "ON_UMLAUT_001",
  ]);
  assert.throws(() => firstPairs(bothOrders, pairs, 0), RangeError);
  assert.throws(() => firstPairs(bothOrders, pairs, 1.5), RangeError);
});
