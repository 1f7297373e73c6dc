import type { Panel } from "../../lib/models/panel.ts";
import { evaluatePanel } from "../../lib/pairs/panels/evaluate_panel.ts";
import { hostedStatus } from "../../lib/pairs/panels/hosted_status.ts";
import { isPending, pendingWork } from "../../lib/pairs/panels/pending.ts";
import {
  closedMessages,
  hostedStatusTable,
  workTable,
} from "../../lib/pairs/report/hosted_tables.ts";
import { DESIGN_WORDS } from "../../lib/pairs/report/per_panel.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";
import { firstPairs, type OrderPlan, orderPlan } from "../../lib/pairs/order_plan.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { completeWords, INCOMPLETE } from "./complete.ts";
import { tellEstimate } from "./estimate.ts";
import type { EvaluateOptions } from "./options.ts";
import { scoreAll, type Scoring, tellScoring } from "./scoring.ts";

/** What the shell is told. */
export const EXIT = { complete: 0, error: 1, incomplete: 3 } as const;

/** Where a run reads and writes; tests have their own. */
export interface Surroundings {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  /** What is scored when the questions are asked, by the panel as it was chosen or by others. */
  readonly beside?: (panel: Panel) => readonly Scoring[];
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Estimates, asks, and says where the panel stands; gives the exit code. */
export async function runEvaluation(
  options: EvaluateOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { study, pairs, print } = surroundings;
  const panel = chosen(surroundings.panel, options);
  const orders = questions(study, pairs, options);
  const asked = pairs.filter(({ id }) => orders(id).length > 0).length;
  print(
    `Panel ${panel.name}: ${panel.models.length} of ${surroundings.panel.models.length} models, ` +
      `${asked} of ${pairs.length} pairs, ${DESIGN_WORDS[options.orders]}`,
  );
  tellEstimate(panel, orders, surroundings);
  const beside = surroundings.beside?.(panel) ?? [];
  const scoring = { ...surroundings, limit: options.limit };
  tellScoring(beside, scoring);
  if (options.estimate) return EXIT.complete;
  const closed = closedPanel(panel, orders, surroundings);
  if (closed !== undefined) {
    await scoreAll(beside.filter(needsNoPanel), scoring);
    print(`Nothing is asked: ${closed}`);
    return EXIT.error;
  }
  const isAnswered = await ask(panel, orders, surroundings);
  const isComplete = await scoreAll(beside, scoring) && isAnswered;
  print(`\n${isComplete ? completeWords(options, surroundings) : INCOMPLETE}`);
  return isComplete ? EXIT.complete : EXIT.incomplete;
}

/** What no panel is needed for needs no key either. */
const needsNoPanel = (scoring: Scoring) => !("panel" in scoring);

/** Asks, then tells what was done; gives whether nothing of it is left. */
async function ask(panel: Panel, orders: OrderPlan, surroundings: Surroundings): Promise<boolean> {
  const { study, pairs, signal, print } = surroundings;
  const models = panel.models.map(({ id }) => id);
  // The whole panel, so that models chosen are asked like those that are not.
  const done = await evaluatePanel(study, pairs, surroundings.panel, { models, orders, signal });
  print(`\n${workTable(done)}`);
  const status = hostedStatus(study, pairs, panel, { orders, done });
  if (status.length > 0) print(`\n${hostedStatusTable(status)}`);
  return !pendingWork(study, pairs, panel, { orders }).some(isPending);
}

/** The panel with the models chosen. Throws RangeError for one that it does not have. */
function chosen(panel: Panel, { models: names }: EvaluateOptions): Panel {
  const ids = panel.models.map(({ id }) => id);
  const unknown = names?.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot ask ${unknown}: the panel ${panel.name} has ${ids.join(", ")}.`);
  }
  return { ...panel, models: panel.models.filter(({ id }) => names?.includes(id) ?? true) };
}

function questions(
  { orderSeed }: PairStudy,
  pairs: readonly MinimalPair[],
  { orders: design, limit }: EvaluateOptions,
): OrderPlan {
  const plan = orderPlan(design, pairs, orderSeed);
  return limit === undefined ? plan : firstPairs(plan, pairs, limit);
}

/** What to do for a key, where no model that has work left can be asked. */
function closedPanel(
  panel: Panel,
  orders: OrderPlan,
  { study, pairs }: Surroundings,
): string | undefined {
  const working = pendingWork(study, pairs, panel, { orders }).filter(isPending);
  const status = hostedStatus(study, pairs, panel, { orders });
  const closed = new Set(status.filter(({ closed }) => closed).map(({ entry }) => entry.id));
  if (working.length === 0 || !working.every(({ entry }) => closed.has(entry.id))) return undefined;
  return closedMessages(status) || "no model can be asked";
}
