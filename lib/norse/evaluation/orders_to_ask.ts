import type { Panel } from "../../models/panel.ts";
import { bothOrders, type OrderPlan } from "../../pairs/order_plan.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import { panelStanding } from "../../pairs/panel_standing.ts";
import { NORSE_PATHS } from "../paths.ts";
import { ORDER_SEED } from "../study.ts";
import { type AnswerFiles, readAnswersTo } from "./answers.ts";

/**
 * The questions of a panel as long as nobody says more: where it is complete in one order a pair,
 * those, so that nobody pays for the other half unasked; else every pair in both orders.
 * @throws {Error} where answers on record belong to other pairs.
 */
export function ordersToAsk(
  pairs: readonly MinimalPair[],
  panel: Panel,
  files: AnswerFiles = NORSE_PATHS,
): OrderPlan {
  const { responses } = readAnswersTo(pairs, files);
  const models = panel.models.filter(({ roles }) => roles.includes("chat")).map(({ id }) => id);
  const standing = panelStanding({ pairs, responses, models, seed: ORDER_SEED });
  return standing.kind === "complete" ? standing.orders : bothOrders;
}
