import { parseArgs } from "node:util";
import { ORDER_DESIGNS, type OrderDesign } from "../../lib/pairs/order_plan.ts";
import { withUsage } from "../command.ts";
import { PANELS, STUDY_NAMES, type StudyName, studyName } from "../studies.ts";

/** What `deno task evaluate` is told. */
export interface EvaluateOptions {
  readonly study: StudyName;
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

export const EVALUATE_OPTIONS = {
  study: { type: "string", default: "norse" },
  panel: { type: "string", default: "groq" },
  orders: { type: "string", default: "both" },
  models: { type: "string" },
  limit: { type: "string" },
  estimate: { type: "boolean", default: false },
} as const;

export const EVALUATE_USAGE =
  `deno task evaluate: asks a panel about the pairs of a study, what has no answer yet.

  --study ${STUDY_NAMES.join("|")}           the pairs to ask about (norse unless told)
  --panel groq|local|FILE  the four hosted models (the default), those of this machine, or a file
  --orders ${ORDER_DESIGNS.join("|")}  both orders of every pair (the default), or one each
  --models ID,…            only these models of the panel
  --limit PAIRS            only so many pairs, of each phenomenon in turn
  --estimate               only say what it will take

Every answer is on disk as it comes; Ctrl-C stops it. Exit code: 0 complete, or estimated;
3 incomplete, run it again; 1 nothing could be done, and why.`;

const HINT = "deno task evaluate --help tells what is possible";

/**
 * The options in a command line.
 * @throws {SyntaxError} naming what is wrong and what is possible.
 */
export function parseOptions(args: readonly string[]): EvaluateOptions {
  const { study, panel, orders, models, limit, estimate } = values(args);
  const design = ORDER_DESIGNS.find((name) => name === orders);
  if (design === undefined) {
    throw new SyntaxError(`--orders ${orders} is none of ${ORDER_DESIGNS.join(", ")}; ${HINT}`);
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) {
    throw new SyntaxError(`--limit ${limit} is no number of pairs; ${HINT}`);
  }
  const names = models?.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names?.length === 0) throw new SyntaxError(`--models names no model; ${HINT}`);
  return {
    study: studyName(study),
    panel: PANELS[panel] ?? panel,
    orders: design,
    ...(names ? { models: names } : {}),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    estimate,
  };
}

function values(args: readonly string[]) {
  return withUsage(
    EVALUATE_USAGE,
    () => parseArgs({ args: [...args], options: EVALUATE_OPTIONS }).values,
  );
}
