import { readProblem } from "../../models/hosted/call_problem.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { withoutSecrets } from "../../models/hosted/redaction.ts";
import type { Judge } from "../judges/judgement.ts";

/** Why the requests of a server fail that are sent again and again until time is up. */
export interface ServerTrouble {
  /** Requests that have failed so far. */
  readonly count: number;
  /** What the last of them met, without keys; empty where none failed. */
  readonly words: string;
}

/** The calls, and what trouble they have met so far. */
export function watchedCalls(
  calls: KeyedCalls,
  host: string,
): { readonly calls: KeyedCalls; readonly trouble: () => ServerTrouble } {
  let trouble: ServerTrouble = { count: 0, words: "" };
  const watched: KeyedCalls["call"] = (model, request, options) =>
    calls.call(model, async (key, signal) => {
      try {
        return await request(key, signal);
      } catch (error) {
        const clean = (text: string) => withoutSecrets(text, [key]);
        const problem = readProblem(error, { host, modelRemedy: "", clean, now: 0 });
        if (problem.kind === "transient") {
          trouble = { count: trouble.count + 1, words: problem.message };
        }
        throw error;
      }
    }, options);
  return { calls: { ...calls, call: watched }, trouble: () => trouble };
}

/** A judge whose time-outs say what its server met meanwhile: one that is down is not only slow. */
export function tellingJudge(judge: Judge, trouble: () => ServerTrouble): Judge {
  return {
    ...judge,
    async judge(task, options) {
      const before = trouble().count;
      const judgement = await judge.judge(task, options);
      const { count, words } = trouble();
      if (judgement.kind === "scored" || judgement.reason !== "time-out" || count === before) {
        return judgement;
      }
      return { ...judgement, message: `${judgement.message} Tried again and again: ${words}.` };
    },
  };
}
