import { z } from "zod";
import { type NextWordModel, type NextWordReply, type NextWords } from "../next_word_model.ts";
import type { ServerEntry } from "../panel.ts";
import { bodyOf } from "./answer_body.ts";
import { readCompletion } from "./chat_completion.ts";
import { clientsByKey } from "./clients_by_key.ts";
import {
  chatParameters,
  hostSettings,
  refusalOf,
  type ServerConnection,
} from "./openai_compatible.ts";
import { openAiClient } from "./openai_compatible_client.ts";

/** As many as OpenAI's protocol allows. */
const TOP_LOG_PROBABILITIES = 20;

/** Room for "**Yes**" and the like where a server gives no probabilities. */
const REPLY_TOKENS = 8;

const TOP = z.object({
  choices: z.array(z.object({
    logprobs: z.object({
      content: z.array(z.object({
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).min(1),
      })).min(1),
    }),
  })).min(1),
});

const plain = (text: string) => text.trim().toLowerCase();

function isOneOf(text: string, words: readonly string[]): boolean {
  return words.some((word) => plain(word) === plain(text));
}

/** From the probabilities of the first token, those that the server tells. */
function massOf(body: unknown, { yes, no }: NextWords): NextWordReply | undefined {
  const top = TOP.safeParse(body).data?.choices[0]?.logprobs.content[0]?.top_logprobs;
  if (top === undefined) return undefined;
  const sum = (words: readonly string[]) =>
    top.filter(({ token }) => isOneOf(token, words))
      .reduce((all, { logprob }) => all + Math.exp(logprob), 0);
  const [forYes, forNo] = [sum(yes), sum(no)];
  return { kind: "mass", yes: forYes, no: forNo, other: Math.max(0, 1 - forYes - forNo) };
}

/** From the first word that it wrote: all or nothing. */
function wordOf(body: unknown, { yes, no }: NextWords): NextWordReply {
  const { reply } = readCompletion(body);
  if (reply.kind === "refusal") return reply;
  const word = /[\p{L}\p{N}]+/u.exec(reply.text)?.[0] ?? "";
  const [isYes, isNo] = [isOneOf(word, yes), isOneOf(word, no)].map(Number);
  return { kind: "mass", yes: isYes!, no: isNo!, other: 1 - isYes! - isNo! };
}

/**
 * A model on a server that speaks OpenAI's protocol, read by the log-probabilities of its first token
 * (the 20 most probable). A server that gives none is read by the word that it writes, which counts 1:
 * there is nothing to calibrate then but a label. Temperature 0.
 */
export function serverNextWord(entry: ServerEntry, { calls }: ServerConnection): NextWordModel {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  let givesProbabilities = true;
  const generation = { temperature: 0, maxReplyTokens: REPLY_TOKENS };
  const asked = async (prompt: string, probabilities: boolean, signal?: AbortSignal) => {
    const parameters = {
      ...chatParameters(entry, generation, prompt),
      ...(probabilities ? { logprobs: true, top_logprobs: TOP_LOG_PROBABILITIES } : {}),
    };
    const result = await calls.call(entry.id, async (key, limit) => {
      try {
        return bodyOf(await clientOf(key).chat.completions.create(parameters, { signal: limit }));
      } catch (error) {
        if (probabilities && refusalOf(error, key) !== undefined) return "refused";
        throw error;
      }
    }, signal ? { signal } : {});
    signal?.throwIfAborted();
    return result;
  };
  return {
    name: entry.id,
    settings: {
      ...hostSettings(entry),
      ...generation,
      readout: "first token's log-probabilities, else the word that is written",
    },
    concurrency: entry.concurrency,
    async nextWord(prompt, words, { signal } = {}) {
      let result = await asked(prompt, givesProbabilities, signal);
      if (result.kind === "done" && result.value === "refused") {
        givesProbabilities = false;
        result = await asked(prompt, false, signal);
      }
      if (result.kind === "failure") return { kind: "failure", message: result.message };
      return massOf(result.value, words) ?? wordOf(result.value, words);
    },
  };
}
