import { ORDERS } from "./forced_choice.ts";
import { missingAnswers } from "./metrics.ts";
import { ORDER_DESIGNS, type OrderDesign, type OrderPlan, orderPlan } from "./order_plan.ts";
import type { MinimalPair } from "./pair.ts";
import type { Response } from "./responses.ts";

/** How far a model of an incomplete panel is. */
export interface ModelStanding {
  readonly model: string;
  /** Questions of all pairs in both orders that it has answered. */
  readonly answered: number;
  /** Answers that each design still lacks. */
  readonly lacks: Readonly<Record<OrderDesign, number>>;
}

/**
 * What may be computed of a panel. Only where every model has answered every question of a design
 * are their figures figures of the same questions.
 */
export type PanelStanding =
  | { readonly kind: "complete"; readonly design: OrderDesign; readonly orders: OrderPlan }
  | { readonly kind: "incomplete"; readonly models: readonly ModelStanding[] };

/**
 * The richest design that all models of a panel have completed: both orders, else one order a pair.
 * @param seed of the counterbalanced orders.
 */
export function panelStanding(
  { pairs, responses, models, seed, accepted = ORDER_DESIGNS }: {
    readonly pairs: readonly MinimalPair[];
    readonly responses: readonly Response[];
    /** Those that are to be asked. */
    readonly models: readonly string[];
    readonly seed: number;
    /** Designs that will do; all unless told. */
    readonly accepted?: readonly OrderDesign[];
  },
): PanelStanding {
  const designs = ORDER_DESIGNS.map((design) => {
    const orders = orderPlan(design, pairs, seed);
    return { design, orders, missing: missingAnswers({ pairs, responses, models, orders }) };
  });
  const complete = designs.find(({ design, missing }) =>
    accepted.includes(design) && [...missing.values()].every((n) => n === 0)
  );
  if (complete) return { kind: "complete", design: complete.design, orders: complete.orders };
  const lacking = (model: string, name: OrderDesign) =>
    designs.find(({ design }) => design === name)?.missing.get(model) ?? 0;
  return {
    kind: "incomplete",
    models: models.map((model) => {
      const lacks = {
        both: lacking(model, "both"),
        counterbalanced: lacking(model, "counterbalanced"),
      };
      return { model, answered: ORDERS.length * pairs.length - lacks.both, lacks };
    }),
  };
}
