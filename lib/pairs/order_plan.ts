import { randomSource } from "../stats/random.ts";
import { type Order, ORDERS } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";

/** In which orders pairs are asked: each in both, or each in one, half the pairs in either. */
export const ORDER_DESIGNS = ["both", "counterbalanced"] as const;
export type OrderDesign = (typeof ORDER_DESIGNS)[number];

/** The orders in which a pair is asked; none for a pair that is left out. */
export type OrderPlan = (pairId: string) => readonly Order[];

type Placed = Pick<MinimalPair, "id" | "phenomenon">;

/** Every pair in both orders. */
export const bothOrders: OrderPlan = () => ORDERS;

/**
 * One order a pair, drawn by seed: within each phenomenon the two orders differ by at most one
 * pair, and so they do over all pairs. It knows no model, so that all are asked alike, and its
 * questions are among those of {@link bothOrders}: a run can be completed later.
 */
export function counterbalancedOrders(pairs: readonly Placed[], seed: number): OrderPlan {
  const byPhenomenon = Map.groupBy(pairs, ({ phenomenon }) => phenomenon);
  const orderOf = new Map<string, readonly Order[]>();
  // The odd pair of a phenomenon: each time the other order, so that they even out.
  let odd = randomSource(`${seed}|odd`).integer(2);
  for (const [phenomenon, own] of [...byPhenomenon].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ids = own.map(({ id }) => id).sort();
    const drawn = randomSource(`${seed}|${phenomenon}`).shuffle(ids);
    for (const [index, id] of drawn.entries()) orderOf.set(id, [ORDERS[(index + odd) % 2]!]);
    odd = (odd + drawn.length) % 2;
  }
  return (pairId) => orderOf.get(pairId) ?? [];
}

/** The orders of a design. The seed counts for `counterbalanced` alone. */
export function orderPlan(
  design: OrderDesign,
  pairs: readonly Placed[],
  seed: number,
): OrderPlan {
  return design === "both" ? bothOrders : counterbalancedOrders(pairs, seed);
}

/** Whether a plan has a question about a pair; a pair that is left out is not scored either. */
export function isAsked(orders: OrderPlan): (pair: Pick<MinimalPair, "id">) => boolean {
  return ({ id }) => orders(id).length > 0;
}

/**
 * A plan for `count` pairs only: the first of each phenomenon in turn, so that few pairs are still
 * of all phenomena.
 * @throws {RangeError} unless the count is a whole number, 1 or more.
 */
export function firstPairs(plan: OrderPlan, pairs: readonly Placed[], count: number): OrderPlan {
  if (!Number.isInteger(count) || count < 1) {
    throw new RangeError(`Cannot ask about ${count} pairs: it is no whole number, 1 or more.`);
  }
  const groups = [...Map.groupBy(pairs, ({ phenomenon }) => phenomenon).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const inTurn = Array.from(
    { length: longest },
    (_, turn) => groups.flatMap((group) => group[turn]?.id ?? []),
  ).flat();
  const kept = new Set(inTurn.slice(0, count));
  return (pairId) => (kept.has(pairId) ? plan(pairId) : []);
}
