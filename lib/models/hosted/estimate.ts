import { byteLength } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import type { LimitKind } from "./call_problem.ts";

/** Estimated bytes per token. English has 4 to 5 with common tokenisers, rare languages 2 to 3. */
const GUESSED_BYTES_PER_TOKEN = 3;

/** Estimated tokens of a reply: a letter with punctuation, preceded by reasoning. */
const GUESSED_REPLY_TOKENS = { none: 5, default: 500, low: 100, medium: 300, high: 800 };

export interface CostEstimate {
  readonly calls: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Time, and the limit that determines it; undefined without known limits. */
  readonly time?: {
    readonly minutes: number;
    readonly days: number;
    readonly bound: LimitKind;
  };
  /** US dollars on a paid plan; undefined without a known price. */
  readonly dollars?: number;
}

/**
 * Estimates calls, tokens, time and cost of a run.
 *
 * Limits are those of one organisation, since keys do not reveal how many there are. A user's
 * server has no known limit.
 *
 * Tokens per call t = prompt bytes / calls / 3 + estimated reply. Calls per minute = min(requests
 * per minute, tokens per minute / reserved tokens); a host reserves prompt tokens + the maximum
 * reply. Calls per day = min(requests per day, tokens per day / t), rounded down. Minutes = calls /
 * calls per minute. Days = calls / calls per day, rounded up. Dollars = prompt tokens / 10⁶ × price
 * of prompts + the same for replies.
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

/** Total cost of several models, without time: they run in parallel, each within its limits. */
export type CostTotal = Pick<CostEstimate, "calls" | "promptTokens" | "replyTokens" | "dollars">;

/** Returns the sums. Dollars are undefined if any price is unknown. */
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
