/** Judges and verifiers that another machine runs: keys, servers, and what keeps these from answering. */
import { join } from "node:path";
import {
  type ApiKey,
  readGroqKeys,
  readServerKey,
  withoutSecrets,
} from "../../models/hosted/api_keys.ts";
import { readProblem } from "../../models/hosted/call_problem.ts";
import { NO_KEY } from "../../models/hosted/clients.ts";
import { groqModel, hostedStructuredModel } from "../../models/hosted/groq_model.ts";
import { type KeyedCalls, openKeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { serverNextWord, structuredServer } from "../../models/hosted/openai_compatible.ts";
import type { NextWordModel, StructuredModel } from "../../models/model.ts";
import type { ServerEntry } from "../../models/panel.ts";
import type { Judge } from "../types.ts";
import type { JudgeEntry, VerifierEntry } from "./configuration.ts";
import type { Opening } from "./open_models.ts";

/** Why the requests of a server fail that are sent again and again until time is up. */
interface ServerTrouble {
  /** Requests that have failed so far. */
  readonly count: number;
  /** What the last of them met, without keys; empty where none failed. */
  readonly words: string;
}

/** What entries of servers have in common. */
type ServerSource =
  | Extract<VerifierEntry, { readonly kind: "prompted-server" }>
  | Extract<JudgeEntry, { readonly kind: "openai-compatible" }>;

/**
 * A hosted model as one that writes, and what keeps its server from answering; asks nothing.
 *
 * @throws {Deno.errors.NotFound} where there is no file of keys.
 * @throws {SyntaxError} where its key is missing or none.
 */
export function hostedWriter(
  judge: Exclude<JudgeEntry, { readonly kind: "gguf" }>,
  opening: Opening,
): { readonly writes: StructuredModel; readonly trouble: () => ServerTrouble } {
  const { id, kind, model, reasoningEffort, licence, temperature, maxReplyTokens } = judge;
  const generation = { temperature, maxReplyTokens };
  if (kind === "openai-compatible") {
    const { entry, calls, trouble, key } = reachServer(judge, opening);
    const writes = structuredServer(entry, generation, { calls });
    return { writes: key === undefined ? writes : withoutKey(writes, key), trouble };
  }
  const { calls, trouble } = watchedCalls(groqCalls(opening), "Groq");
  const groq = groqModel(
    { id, kind, roles: ["chat"], model, reasoningEffort, licence },
    generation,
    {
      calls,
    },
  );
  return { writes: hostedStructuredModel(groq), trouble };
}

/** A server's model of whose answer the next word's probabilities are read. As {@link hostedWriter}. */
export function hostedNextWord(
  source: ServerSource,
  opening: Opening,
): { readonly model: NextWordModel; readonly trouble: () => ServerTrouble } {
  const { entry, calls, trouble } = reachServer(source, opening);
  return { model: serverNextWord(entry, { calls }), trouble };
}

function reachServer(source: ServerSource, opening: Opening) {
  const { id, model, reasoningEffort, licence, timeoutSeconds } = source;
  const { baseUrl, keyName, concurrency } = source;
  const key = keyName === undefined ? undefined : readServerKey(opening.env, keyName);
  const host = `its server at ${new URL(baseUrl).host}`;
  const opened = opening.resources.use(
    openKeyedCalls([key ?? NO_KEY], {
      concurrencyPerKey: concurrency,
      timeoutSeconds,
      host,
      modelRemedy: "put the name under which it serves the model into its entry, as model:",
    }),
  );
  const entry: ServerEntry = {
    kind: "openai-compatible",
    roles: ["chat"],
    id,
    model,
    reasoningEffort,
    licence,
    baseUrl,
    keyName,
    concurrency,
  };
  return { entry, key, ...watchedCalls(opened, host) };
}

const GROQ = new WeakMap<AsyncDisposableStack, KeyedCalls>();

/** Judges of Groq share its keys and their quotas. */
function groqCalls({ env, cacheDirectory, resources }: Opening): KeyedCalls {
  const usagePath = join(cacheDirectory, "hosted/usage.json");
  const calls = GROQ.get(resources) ??
    resources.use(openKeyedCalls(readGroqKeys(env), { usagePath }));
  GROQ.set(resources, calls);
  return calls;
}

/** A model whose answers are kept without the key: a server may answer with what it was sent. */
function withoutKey(model: StructuredModel, key: ApiKey): StructuredModel {
  return {
    ...model,
    async ask(prompt, options) {
      const reply = await model.ask(prompt, options);
      return reply.kind === "failure"
        ? reply
        : { ...reply, text: reply.text.replaceAll(key.reveal(), `[${key.label}]`) };
    },
  };
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
