import { type ApiKey, KEYLESS } from "./api_keys.ts";
import { type CallProblem, type ProblemContext, readProblem } from "./call_problem.ts";
import type { Settings } from "./keyed_calls_options.ts";
import { withTimeLimit } from "./time_limit.ts";

/** What became of one request with one key. */
export type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "aborted" }
  | CallProblem;

/** Sends one request, in the time it has. It throws nothing: what a request throws is read. */
export async function attempt<T>(
  key: ApiKey,
  request: (key: ApiKey, signal: AbortSignal) => Promise<T>,
  { timeoutSeconds, ...context }:
    & Omit<ProblemContext, "now">
    & Pick<Settings, "timeoutSeconds" | "now">,
  signal?: AbortSignal,
): Promise<Attempt<T>> {
  try {
    const value = await withTimeLimit((limit) => request(key, limit), timeoutSeconds, signal);
    return { kind: "done", value };
  } catch (error) {
    if (signal?.aborted) return { kind: "aborted" };
    const keyless = key.label === KEYLESS;
    return readProblem(error, { ...context, keyless, now: context.now() });
  }
}
