import type { Generation, GroqEntry } from "../panel.ts";
import type { TokenCount } from "./keyed_calls_options.ts";
import type { LimitKind } from "./rate_limit.ts";

/**
 * A guess, until a model's own count is on record: tokenisers made for English take 4 to 5 bytes of
 * it a token, and 2 to 3 of a language they hardly know.
 */
export const GUESSED_BYTES_PER_TOKEN = 3;

/** A guess: a letter and what may stand around it; and what reasoning adds before it. */
const GUESSED_REPLY_TOKENS = {
  plain: 5,
  none: 5,
  default: 500,
  low: 100,
  medium: 300,
  high: 800,
} as const satisfies Record<NonNullable<GroqEntry["reasoningEffort"]> | "plain", number>;

/** The questions that are still to be asked of one model. */
export interface PlannedRun {
  readonly calls: number;
  /** Of all prompts together, in UTF-8. */
  readonly promptBytes: number;
  /** Organisations whose keys take turns: limits are counted for each. */
  readonly organisations: number;
  /** Mean tokens of a call, as measured before; see `meanTokens`. */
  readonly measured?: TokenCount | undefined;
}

/** What a run will take. */
export interface RunEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Whether the tokens come from counts or from the guesses above. */
  readonly basis: "measured" | "guessed";
  /** Time and the limit that decides it; left out where no limits are known, or `tooLarge`. */
  readonly time?: {
    /** Of asking, all days together. */
    readonly minutes: number;
    /** Days on which is asked. */
    readonly days: number;
    readonly bound: LimitKind;
  };
  /** Where a single call takes more tokens than the minute allows: none would be let in. */
  readonly tooLarge?: { readonly tokensPerCall: number; readonly tokensPerMinute: number };
  /** US dollars on a paid plan; left out where no price is known. */
  readonly dollars?: number;
}

/**
 * What a run will take, before it begins.
 *
 * tokens of a call t = prompt bytes / calls / 3 + guessed reply, or the measured mean;
 * calls a minute = organisations × min(requests a minute, tokens a minute / reserved), where the host
 *   reserves prompt tokens + the longest reply allowed before it lets a call in;
 * calls a day = organisations × min(requests a day, tokens a day / t), whole calls;
 * minutes = calls / calls a minute; days = calls / calls a day, rounded up;
 * dollars = prompt tokens / 10⁶ × price of prompts + the same of replies.
 */
export function estimateRun(
  entry: Pick<GroqEntry, "limits" | "price" | "reasoningEffort">,
  { maxReplyTokens }: Generation,
  { calls, promptBytes, organisations, measured }: PlannedRun,
): RunEstimate {
  const guess = GUESSED_REPLY_TOKENS[entry.reasoningEffort ?? "plain"];
  const each: TokenCount = measured ?? {
    promptTokens: calls === 0 ? 0 : promptBytes / calls / GUESSED_BYTES_PER_TOKEN,
    replyTokens: Math.min(guess, maxReplyTokens),
  };
  const promptTokens = Math.round(calls * each.promptTokens);
  const replyTokens = Math.round(calls * each.replyTokens);
  const { limits, price } = entry;
  const reserved = each.promptTokens + maxReplyTokens;
  const tooLarge = calls > 0 && limits ? tooLargeOf(reserved, limits) : undefined;
  const time = limits && !tooLarge &&
    timeOf(limits, { calls, organisations, reserved, spent: each.promptTokens + each.replyTokens });
  return {
    calls,
    promptTokens,
    replyTokens,
    basis: measured ? "measured" : "guessed",
    ...(time ? { time } : {}),
    ...(tooLarge ? { tooLarge } : {}),
    ...(price ? { dollars: (promptTokens * price.prompt + replyTokens * price.reply) / 1e6 } : {}),
  };
}

function tooLargeOf(
  reserved: number,
  { tokensPerMinute }: NonNullable<GroqEntry["limits"]>,
): RunEstimate["tooLarge"] {
  if (reserved <= tokensPerMinute) return undefined;
  return { tokensPerCall: Math.ceil(reserved), tokensPerMinute };
}

/** The smaller of two limits in calls, by its name. */
function smaller(
  requests: number,
  tokens: number,
  tokensPerCall: number,
  per: "minute" | "day",
): { readonly calls: number; readonly bound: LimitKind } {
  const byTokens = tokensPerCall > 0 ? tokens / tokensPerCall : Infinity;
  return requests <= byTokens
    ? { calls: requests, bound: `requests per ${per}` }
    : { calls: byTokens, bound: `tokens per ${per}` };
}

function timeOf(
  limits: NonNullable<GroqEntry["limits"]>,
  { calls, organisations, reserved, spent }: {
    readonly calls: number;
    readonly organisations: number;
    /** Tokens of a call that the minute must have left, and those it has used in the end. */
    readonly reserved: number;
    readonly spent: number;
  },
): NonNullable<RunEstimate["time"]> {
  const { requestsPerMinute, tokensPerMinute, requestsPerDay, tokensPerDay } = limits;
  const minute = smaller(requestsPerMinute, tokensPerMinute, reserved, "minute");
  const day = smaller(requestsPerDay, tokensPerDay, spent, "day");
  const callsADay = organisations * Math.max(1, Math.floor(day.calls));
  const days = Math.ceil(calls / callsADay);
  return {
    minutes: calls / (organisations * minute.calls),
    days,
    bound: days > 1 ? day.bound : minute.bound,
  };
}
