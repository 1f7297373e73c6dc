/** A judge on a server with OpenAI's protocol; diagnosis of its failures. */
import { z } from "zod";
import { keyNotice, readServerKey, withoutSecrets } from "../../models/hosted/api_keys.ts";
import { readProblem } from "../../models/hosted/call_problem.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import type { StructuredModel } from "../../models/model.ts";
import type { ServerEntry } from "../../models/panel.ts";
import { IDENTIFIER, NON_BLANK, type OpeningContext, serverName, timeLimit } from "../component.ts";
import type { Judge } from "../types.ts";
import { JUDGE, type JudgeComponent, readingJudge, writingJudge } from "./judge.ts";

/** Configuration keys of every entry whose model runs on a server. */
export const SERVER = {
  id: IDENTIFIER,
  /** The server's name for the model; by default the id. */
  model: z.string().min(1).optional(),
  reasoningEffort: z.enum(["none", "default", "low", "medium", "high"]).optional(),
  licence: NON_BLANK,
  baseUrl: z.url({
    protocol: /^https?$/,
    error: "must be an address that begins with http:// or https:// and ends with /v1",
  }),
  /** Variable in `.env` that holds the key; left out for a server without keys. */
  keyName: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be a variable's name").optional(),
  /** Maximum number of concurrent requests. */
  concurrency: z.int().min(1).max(1024).default(8),
  ...timeLimit(60),
};
type Server = Readonly<z.infer<z.ZodObject<typeof SERVER>>>;
type Hosting = Pick<OpeningContext, "env" | "resources" | "tell">;

const SCHEMA = z.strictObject({ kind: z.literal("openai-compatible"), ...SERVER, ...JUDGE });

/** A judge on a server. */
export const server: JudgeComponent<typeof SCHEMA> = {
  schema: SCHEMA,
  async open(entry, opening) {
    const measured = server.weights(entry, opening);
    if (entry.readout === "next-token") {
      const { model, trouble } = await openServerNextWord(entry, opening);
      const opened = readingJudge(model, entry, measured, opening);
      return { ...opened, judge: judgeWithServerErrors(opened.judge, trouble) };
    }
    const { temperature, maxReplyTokens } = entry;
    const { protocol, calls, trouble, withoutKey, ...served } = await reach(entry, opening);
    const drawing = { temperature, maxReplyTokens };
    const model = protocol.structuredServer(served.entry, drawing, { calls });
    const ask: StructuredModel["ask"] = async (...asked) => withoutKey(await model.ask(...asked));
    const opened = writingJudge({ ...model, ask }, entry, measured, opening);
    return { ...opened, judge: judgeWithServerErrors(opened.judge, trouble) };
  },
  async draws(source, generation, opening) {
    const { protocol, entry, calls, withoutKey } = await reach(source, opening);
    const model = protocol.serverDraws(entry, generation, { calls });
    return { ...model, draw: async (...asked) => withoutKey(await model.draw(...asked)) };
  },
  weights: ({ id, model = id }) => ({ modelSha256: undefined, weights: model }),
};

/**
 * Opens a server's model that chooses among answers, without a request. @throws without a usable
 * file of keys.
 */
export async function openServerChoices(source: Server, opening: Hosting) {
  const { protocol, entry, calls } = await reach(source, opening);
  return protocol.serverChoices(entry, { calls });
}

/**
 * Opens a server's model whose next-word probabilities are read. Throws as {@link openServerChoices}
 * does.
 */
export async function openServerNextWord(source: Server, opening: Hosting) {
  const { protocol, entry, calls, trouble } = await reach(source, opening);
  return { model: protocol.serverNextWord(entry, { calls }), trouble };
}

async function reach(source: Server, { env, resources, tell }: Hosting) {
  const protocol = await import("../../models/hosted/openai_compatible.ts");
  const { NO_KEY } = await import("../../models/hosted/chat_completion.ts");
  const { openKeyedCalls } = await import("../../models/hosted/keyed_calls.ts");
  const { baseUrl, keyName, concurrency, timeoutSeconds } = source;
  const key = keyName === undefined ? undefined : readServerKey(env, keyName, baseUrl);
  if (key !== undefined) tell(source.id, keyNotice(key, baseUrl), "stays");
  const host = serverName(baseUrl);
  const modelRemedy = "put the name under which it serves the model into its entry, as model:";
  const options = { concurrencyPerKey: concurrency, timeoutSeconds, host, modelRemedy };
  const opened = resources.use(openKeyedCalls([key ?? NO_KEY], options));
  const entry: ServerEntry = { ...source, kind: "openai-compatible", roles: ["chat"] };
  /** Removes the key from a server's answer, which may echo its request. */
  const withoutKey = <
    Reply extends
      | { readonly text: string }
      | { readonly kind: "failure"; readonly partialText?: string | undefined },
  >(reply: Reply): Reply => {
    if (key === undefined) return reply;
    const clean = (text: string) => text.replaceAll(key.reveal(), `[${key.label}]`);
    if ("text" in reply) return { ...reply, text: clean(reply.text) };
    return reply.partialText === undefined
      ? reply
      : { ...reply, partialText: clean(reply.partialText) };
  };
  return { protocol, entry, withoutKey, ...watchedCalls(opened, host) };
}

/** Number of failed requests so far, and the last error, without keys. */
type ServerErrors = () => { readonly count: number; readonly words: string };

/** Wraps the calls and records errors that are retried until time is up. */
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
  return { calls: { ...calls, call }, trouble: (() => seen) as ServerErrors };
}

/** Wraps a judge so that a time-out also reports the server's errors. */
export function judgeWithServerErrors(judge: Judge, trouble: ServerErrors): Judge {
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
