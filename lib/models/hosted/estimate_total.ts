import type { RunEstimate } from "./estimate.ts";

/** What several models' runs will take together. No time: they run side by side, each in its limits. */
export type RunTotal = Pick<RunEstimate, "calls" | "promptTokens" | "replyTokens" | "dollars">;

/** The sums; no dollars where the price of a model is not known, for their sum would be too small. */
export function totalOf(estimates: readonly RunTotal[]): RunTotal {
  const sum = (of: (estimate: RunTotal) => number) =>
    estimates.reduce((total, estimate) => total + of(estimate), 0);
  const priced = estimates.every(({ calls, dollars }) => calls === 0 || dollars !== undefined);
  return {
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    replyTokens: sum(({ replyTokens }) => replyTokens),
    ...(priced ? { dollars: sum(({ dollars = 0 }) => dollars) } : {}),
  };
}
