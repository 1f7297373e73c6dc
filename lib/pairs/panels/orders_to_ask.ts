import type { Panel } from "../../models/panel.ts";
import { bothOrders, type OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import { panelStanding } from "../panel_standing.ts";
import type { PairStudy } from "../study.ts";
import { readAnswersTo } from "./answers.ts";

/**
 * The questions of a panel as long as nobody says more: where it is complete in one order a pair,
 * those, so that nobody pays for the other half unasked; else every pair in both orders.
 * @throws {Error} where answers on record belong to other pairs.
 */
export function ordersToAsk(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
): OrderPlan {
  const { responses } = readAnswersTo(study, pairs);
  const models = panel.models.filter(({ roles }) => roles.includes("chat")).map(({ id }) => id);
  const standing = panelStanding({ pairs, responses, models, seed: study.orderSeed });
  return standing.kind === "complete" ? standing.orders : bothOrders;
}
