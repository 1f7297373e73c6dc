/** A server that speaks OpenAI's protocol: a judge, its key, and what keeps it from answering. */
import { z } from "zod";
import { keyNotice, readServerKey, withoutSecrets } from "../../models/hosted/api_keys.ts";
import { readProblem } from "../../models/hosted/call_problem.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import type { StructuredModel } from "../../models/model.ts";
import type { ServerEntry } from "../../models/panel.ts";
import { IDENTIFIER, type Opening, serverName, timeout, WORDS } from "../component.ts";
import type { Judge } from "../types.ts";
import { JUDGE, type JudgeComponent, readingJudge, writingJudge } from "./judge.ts";

/** Keys of every entry whose model a server runs. */
export const SERVER = {
  id: IDENTIFIER,
  /** The server's own name for it; the id where left out. */
  model: z.string().min(1).optional(),
  reasoningEffort: z.enum(["none", "default", "low", "medium", "high"]).optional(),
  licence: WORDS,
  baseUrl: z.url({
    protocol: /^https?$/,
    error: "must be an address that begins with http:// or https:// and ends with /v1",
  }),
  /** The variable in `.env` that holds the key; none for a server that asks for none. */
  keyName: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be a variable's name").optional(),
  /** Requests in flight at once. */
  concurrency: z.int().min(1).max(1024).default(8),
  ...timeout(60),
};
type Server = Readonly<z.infer<z.ZodObject<typeof SERVER>>>;
type Hosting = Pick<Opening, "env" | "resources" | "tell">;

const SCHEMA = z.strictObject({ kind: z.literal("openai-compatible"), ...SERVER, ...JUDGE });

/** A judge that a server runs. */
export const server: JudgeComponent<typeof SCHEMA> = {
  schema: SCHEMA,
  async open(entry, opening) {
    const measured = server.weights(entry, opening);
    if (entry.readout === "next-token") {
      const { model, trouble } = await servedNextWord(entry, opening);
      const found = readingJudge(model, entry, measured, opening);
      return { ...found, judge: tellingJudge(found.judge, trouble) };
    }
    const { temperature, maxReplyTokens } = entry;
    const { protocol, calls, trouble, withoutKey, ...served } = await reach(entry, opening);
    const drawing = { temperature, maxReplyTokens };
    const model = protocol.structuredServer(served.entry, drawing, { calls });
    const ask: StructuredModel["ask"] = async (...asked) => withoutKey(await model.ask(...asked));
    const found = writingJudge({ ...model, ask }, entry, measured, opening);
    return { ...found, judge: tellingJudge(found.judge, trouble) };
  },
  async draws(source, generation, opening) {
    const { protocol, entry, calls, withoutKey } = await reach(source, opening);
    const model = protocol.serverDraws(entry, generation, { calls });
    return { ...model, draw: async (...asked) => withoutKey(await model.draw(...asked)) };
  },
  weights: ({ id, model = id }) => ({ modelSha256: undefined, weights: model }),
};

/** A server's model that chooses among answers; asks nothing. @throws without a usable file of keys. */
export async function servedAnswers(source: Server, opening: Hosting) {
  const { protocol, entry, calls } = await reach(source, opening);
  return protocol.serverChoices(entry, { calls });
}

/** A server's model of whose answer the next word's probabilities are read. As {@link servedAnswers}. */
export async function servedNextWord(source: Server, opening: Hosting) {
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
  /** A server may answer with what it was sent: no key is kept. */
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
