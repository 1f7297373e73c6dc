import { parseArgs } from "node:util";
import { ORDER_DESIGNS, type OrderDesign } from "../../lib/pairs/order_plan.ts";
import { withUsage } from "../command.ts";
import { PANELS, STUDY_NAMES, type StudyName, studyName } from "../studies.ts";

/** What `deno task batch` is told. */
export interface BatchTaskOptions {
  readonly study: StudyName;
  /** Path of the panel. */
  readonly panel: string;
  /** Panel ids; all models of the panel where left out. */
  readonly models?: readonly string[];
  readonly orders: OrderDesign;
  /** Pairs asked about, of all phenomena; all where left out. */
  readonly limit?: number;
  readonly mode: "all" | "submit" | "fetch" | "status" | "estimate";
  /** How long Groq may take for a batch: hours or days. */
  readonly window: string;
  readonly pollSeconds: number;
}

const MODES = ["submit-only", "fetch-only", "status", "estimate"] as const;

export const BATCH_OPTIONS = {
  study: { type: "string", default: "norse" },
  panel: { type: "string", default: "groq" },
  models: { type: "string" },
  orders: { type: "string", default: "both" },
  limit: { type: "string" },
  window: { type: "string", default: "24h" },
  poll: { type: "string", default: "60" },
  "submit-only": { type: "boolean", default: false },
  "fetch-only": { type: "boolean", default: false },
  status: { type: "boolean", default: false },
  estimate: { type: "boolean", default: false },
} as const;

export const BATCH_USAGE =
  `deno task batch: the questions of deno task evaluate through Groq's Batch API, at half the price.
Submits what has no answer, follows it and merges the answers; or only:

  --submit-only            submit and leave
  --fetch-only             merge what has ended by now; submit nothing
  --status                 say where every batch stands; ask nobody
  --estimate               say what it would cost; ask nobody

  ${`--study ${STUDY_NAMES.join("|")}`.padEnd(25)}the pairs to ask about (norse unless told)
  --panel groq|FILE        the four hosted models (the default), or a file
  --models ID,…            only these models of the panel
  --orders ${ORDER_DESIGNS.join("|")}  both orders of every pair (the default), or one each
  --limit PAIRS            only so many pairs, of each phenomenon in turn
  --window 24h…7d          how long Groq may take; 24h unless told
  --poll SECONDS           how often it is looked; every 60 unless told

Ctrl-C, or a kill at whatever moment, loses and doubles nothing. Exit code: 0 every question has an
answer, or estimated; 3 some have none yet; 1 nothing could be done, and why.`;

/** @throws {RangeError | SyntaxError} naming what is no option, or no value of one. */
export function readBatchOptions(args: readonly string[]): BatchTaskOptions {
  const { values } = withUsage(
    BATCH_USAGE,
    () => parseArgs({ args: [...args], options: BATCH_OPTIONS }),
  );
  const chosen = MODES.filter((mode) => values[mode]);
  if (chosen.length > 1) {
    throw new RangeError(`Cannot do both: --${chosen.join(" and --")} exclude each other.`);
  }
  const [mode] = chosen;
  const orders = ORDER_DESIGNS.find((design) => design === values.orders);
  if (orders === undefined) {
    throw new RangeError(`Cannot ask in orders "${values.orders}": ${ORDER_DESIGNS.join(" or ")}.`);
  }
  return {
    study: studyName(values.study),
    panel: PANELS[values.panel] ?? values.panel,
    orders,
    mode: mode === "submit-only" ? "submit" : mode === "fetch-only" ? "fetch" : mode ?? "all",
    window: windowOf(values.window),
    pollSeconds: wholeNumber("poll", values.poll),
    ...(values.models === undefined ? {} : { models: namesIn(values.models) }),
    ...(values.limit === undefined ? {} : { limit: wholeNumber("limit", values.limit) }),
  };
}

function namesIn(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.length > 0) return names;
  throw new RangeError(`Cannot take --models "${text}": it names no model.`);
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new RangeError(`Cannot take --${name} ${text}: write a whole number, 1 or more.`);
}

/** Groq takes 24 hours to 7 days. */
function windowOf(text: string): string {
  const [, count, unit] = /^(\d+)([hd])$/.exec(text) ?? [];
  const hours = Number(count) * (unit === "d" ? 24 : 1);
  if (hours >= 24 && hours <= 7 * 24) return text;
  throw new RangeError(`Cannot take --window ${text}: Groq takes 24h to 168h, or 1d to 7d.`);
}
