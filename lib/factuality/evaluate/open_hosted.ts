/** Judges and verifiers that another machine runs: keys, servers, and what keeps these from answering. */
import { readServerKey, withoutSecrets } from "../../models/hosted/api_keys.ts";
import { readProblem } from "../../models/hosted/call_problem.ts";
import { NO_KEY } from "../../models/hosted/chat_completion.ts";
import { type KeyedCalls, openKeyedCalls } from "../../models/hosted/keyed_calls.ts";
import {
  serverAnswers,
  serverDraws,
  serverNextWord,
  structuredServer,
} from "../../models/hosted/openai_compatible.ts";
import type { DrawnModel, StructuredModel } from "../../models/model.ts";
import type { Generation, ServerEntry } from "../../models/panel.ts";
import type { Judge } from "../types.ts";
import type { JudgeEntry, VerifierEntry } from "./configuration.ts";

/** Of an `Opening`: where keys are kept, and what must be disposed of in the end. */
interface Hosting {
  readonly env: string;
  readonly resources: AsyncDisposableStack;
}

/** What entries of servers have in common. */
type ServerSource = Extract<
  VerifierEntry | JudgeEntry,
  { readonly kind: "prompted-server" | "openai-compatible" }
>;

type ServedJudge = Exclude<JudgeEntry, { readonly kind: "gguf" }>;

/** A server's model whose replies are drawn. As {@link hostedWriter}. */
export function hostedDraws(
  source: ServedJudge,
  generation: Generation,
  opening: Hosting,
): DrawnModel {
  const { entry, calls, withoutKey } = reachServer(source, opening);
  const model = serverDraws(entry, generation, { calls });
  return { ...model, draw: async (...asked) => withoutKey(await model.draw(...asked)) };
}

/** A server's model as one that writes; asks nothing. @throws without a usable file of keys. */
export function hostedWriter(judge: ServedJudge, opening: Hosting) {
  const { temperature, maxReplyTokens } = judge;
  const { entry, calls, trouble, withoutKey } = reachServer(judge, opening);
  const model = structuredServer(entry, { temperature, maxReplyTokens }, { calls });
  const ask: StructuredModel["ask"] = async (...asked) => withoutKey(await model.ask(...asked));
  return { writes: { ...model, ask }, trouble };
}

/** A server's model that chooses among answers. As {@link hostedWriter}. */
export function hostedAnswers(source: ServerSource, opening: Hosting) {
  const { entry, calls } = reachServer(source, opening);
  return serverAnswers(entry, { calls });
}

/** A server's model of whose answer the next word's probabilities are read. As {@link hostedWriter}. */
export function hostedNextWord(source: ServerSource, opening: Hosting) {
  const { entry, calls, trouble } = reachServer(source, opening);
  return { model: serverNextWord(entry, { calls }), trouble };
}

function reachServer(source: ServerSource, { env, resources }: Hosting) {
  const { baseUrl, keyName, concurrency, timeoutSeconds } = source;
  const key = keyName === undefined ? undefined : readServerKey(env, keyName);
  const host = `its server at ${new URL(baseUrl).host}`;
  const modelRemedy = "put the name under which it serves the model into its entry, as model:";
  const options = { concurrencyPerKey: concurrency, timeoutSeconds, host, modelRemedy };
  const opened = resources.use(openKeyedCalls([key ?? NO_KEY], options));
  const entry: ServerEntry = { ...source, kind: "openai-compatible", roles: ["chat"] };
  /** A server may answer with what it was sent: no key is kept. */
  const withoutKey = <Reply extends { readonly text: string } | { readonly kind: "failure" }>(
    reply: Reply,
  ): Reply =>
    key !== undefined && "text" in reply
      ? { ...reply, text: reply.text.replaceAll(key.reveal(), `[${key.label}]`) }
      : reply;
  return { entry, withoutKey, ...watchedCalls(opened, host) };
}

/** Requests of a server that have failed so far, and what the last of them met, without keys. */
type Trouble = () => { readonly count: number; readonly words: string };

/** The calls, and what trouble they have met that is tried again and again until time is up. */
export function watchedCalls(calls: KeyedCalls, host: string) {
  let seen = { count: 0, words: "" };
  const call: KeyedCalls["call"] = (model, request, options) =>
    calls.call(model, async (key, signal) => {
      try {
        return await request(key, signal);
      } catch (error) {
        const clean = (text: string) => withoutSecrets(text, [key]);
        const problem = readProblem(error, { host, modelRemedy: "", clean, now: 0 });
        if (problem.kind === "transient") seen = { count: seen.count + 1, words: problem.message };
        throw error;
      }
    }, options);
  return { calls: { ...calls, call }, trouble: (() => seen) as Trouble };
}

/** A judge whose time-outs say what its server met meanwhile: one that is down is not only slow. */
export function tellingJudge(judge: Judge, trouble: Trouble): Judge {
  return {
    ...judge,
    async judge(task, options) {
      const before = trouble().count;
      const judgement = await judge.judge(task, options);
      const { count, words } = trouble();
      const isLate = judgement.kind === "unscored" && judgement.reason === "time-out";
      if (!isLate || count === before) return judgement;
      return { ...judgement, message: `${judgement.message} Tried again and again: ${words}.` };
    },
  };
}
