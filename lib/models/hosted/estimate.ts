import { byteLength } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import type { LimitKind } from "./call_problem.ts";

/** A guess: tokenisers made for English take 4 to 5 bytes of it a token, 2 to 3 of a language they hardly know. */
const GUESSED_BYTES_PER_TOKEN = 3;

/** Guessed tokens of a reply: a letter with its surroundings, and reasoning before it. */
const GUESSED_REPLY_TOKENS = { none: 5, default: 500, low: 100, medium: 300, high: 800 };

export interface CostEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Time and the limit that decides it; left out where no limits are known. */
  readonly time?: {
    readonly minutes: number;
    readonly days: number;
    readonly bound: LimitKind;
  };
  /** US dollars on a paid plan; left out where no price is known. */
  readonly dollars?: number;
}

/**
 * Estimates calls, tokens, time and cost of a run before it begins.
 *
 * Limits are counted for one organisation: keys do not show how many there are; of the user's
 * server none is known.
 *
 * tokens of a call t = prompt bytes / calls / 3 + guessed reply;
 * calls a minute = min(requests a minute, tokens a minute / reserved), where the host reserves
 * prompt tokens + the longest reply allowed before it lets a call in;
 * calls a day = min(requests a day, tokens a day / t), whole calls;
 * minutes = calls / calls a minute; days = calls / calls a day, rounded up;
 * dollars = prompt tokens / 10⁶ × price of prompts + the same of replies.
 */
export function estimateCost(
  { limits, price, reasoningEffort }: Pick<GroqEntry, "limits" | "price" | "reasoningEffort">,
  { maxReplyTokens }: Generation,
  prompts: readonly string[],
): CostEstimate {
  const calls = prompts.length;
  const promptBytes = prompts.reduce((sum, prompt) => sum + byteLength(prompt), 0);
  const each = {
    promptTokens: calls === 0 ? 0 : promptBytes / calls / GUESSED_BYTES_PER_TOKEN,
    replyTokens: Math.min(GUESSED_REPLY_TOKENS[reasoningEffort ?? "none"], maxReplyTokens),
  };
  const promptTokens = Math.round(calls * each.promptTokens);
  const replyTokens = Math.round(calls * each.replyTokens);
  const estimate: CostEstimate = {
    calls,
    promptTokens,
    replyTokens,
    ...(price && { dollars: (promptTokens * price.prompt + replyTokens * price.reply) / 1e6 }),
  };
  if (!limits) return estimate;
  const { requestsPerMinute, tokensPerMinute, requestsPerDay, tokensPerDay } = limits;
  const reserved = each.promptTokens + maxReplyTokens;
  const spent = each.promptTokens + each.replyTokens;
  const [perMinute, ofMinute] = smaller(requestsPerMinute, tokensPerMinute / reserved);
  const [perDay, ofDay] = smaller(requestsPerDay, spent > 0 ? tokensPerDay / spent : Infinity);
  const days = Math.ceil(calls / Math.max(1, Math.floor(perDay)));
  const minutes = calls / perMinute;
  const bound: LimitKind = days > 1 ? `${ofDay} per day` : `${ofMinute} per minute`;
  return { ...estimate, time: { minutes, days, bound } };
}

function smaller(byRequests: number, byTokens: number) {
  return byRequests <= byTokens ? [byRequests, "requests"] as const : [byTokens, "tokens"] as const;
}

/** Total cost of several models' runs. Without time: they run side by side, each in its limits. */
export type CostTotal = Pick<CostEstimate, "calls" | "promptTokens" | "replyTokens" | "dollars">;

/** The sums; no dollars where the price of a model is not known, for their sum would be too small. */
export function totalOf(estimates: readonly CostTotal[]): CostTotal {
  const sum = (of: keyof CostTotal) =>
    estimates.reduce((total, estimate) => total + (estimate[of] ?? 0), 0);
  const priced = estimates.every(({ calls, dollars }) => calls === 0 || dollars !== undefined);
  return {
    calls: sum("calls"),
    promptTokens: sum("promptTokens"),
    replyTokens: sum("replyTokens"),
    ...(priced && { dollars: sum("dollars") }),
  };
}
