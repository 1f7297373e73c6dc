import { parseArgs } from "node:util";
import { NORSE_PATHS } from "../../lib/norse/paths.ts";
import { ORDER_DESIGNS, type OrderDesign } from "../../lib/pairs/order_plan.ts";

/** What `deno task evaluate` is told. */
export interface EvaluateOptions {
  /** Path of the panel. */
  readonly panel: string;
  readonly orders: OrderDesign;
  /** Only these models; all of the panel where left out. */
  readonly models?: readonly string[];
  /** Only so many pairs, of each phenomenon in turn; all where left out. */
  readonly limit?: number;
  /** Only say what it will take. */
  readonly estimate: boolean;
}

export const USAGE = "deno task evaluate [--panel groq|local|FILE] [--orders " +
  `${ORDER_DESIGNS.join("|")}] [--models ID,…] [--limit PAIRS] [--estimate]`;

const PANELS: Readonly<Record<string, string>> = {
  groq: NORSE_PATHS.hostedPanel,
  local: NORSE_PATHS.panel,
};

/**
 * The options in a command line.
 * @throws {SyntaxError} naming what is wrong and what is possible.
 */
export function parseOptions(args: readonly string[]): EvaluateOptions {
  const { panel, orders, models, limit, estimate } = values(args);
  const design = ORDER_DESIGNS.find((name) => name === orders);
  if (design === undefined) {
    throw new SyntaxError(`--orders ${orders} is none of ${ORDER_DESIGNS.join(", ")}; ${USAGE}`);
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) {
    throw new SyntaxError(`--limit ${limit} is no number of pairs; ${USAGE}`);
  }
  const names = models?.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names?.length === 0) throw new SyntaxError(`--models names no model; ${USAGE}`);
  return {
    panel: PANELS[panel] ?? panel,
    orders: design,
    ...(names ? { models: names } : {}),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    estimate,
  };
}

function values(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        panel: { type: "string", default: "groq" },
        orders: { type: "string", default: "both" },
        models: { type: "string" },
        limit: { type: "string" },
        estimate: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyntaxError(`${error.message}; ${USAGE}`);
  }
}
