import { z } from "zod";
import { type NextWordModel, type NextWordReply, type NextWords } from "../next_word_model.ts";
import type { ServerEntry } from "../panel.ts";
import { readCompletion } from "./chat_completion.ts";
import { completionsOf } from "./completions.ts";
import { hostSettings, type ServerConnection } from "./openai_compatible.ts";

/** As many as OpenAI's protocol allows. */
const PROBABILITIES = { logprobs: true, top_logprobs: 20 };

/** With room for "**Yes**" and the like where a server gives no probabilities. */
const GENERATION = { temperature: 0, maxReplyTokens: 8 };

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
export function serverNextWord(entry: ServerEntry, connection: ServerConnection): NextWordModel {
  const complete = completionsOf(entry, GENERATION, connection);
  let givesProbabilities = true;
  return {
    name: entry.id,
    settings: {
      ...hostSettings(entry),
      ...GENERATION,
      readout: "first token's log-probabilities, else the word that is written",
    },
    concurrency: entry.concurrency,
    async nextWord(prompt, words, { signal } = {}) {
      const read = (body: unknown) => massOf(body, words) ?? wordOf(body, words);
      const extra = givesProbabilities ? PROBABILITIES : undefined;
      let completed = await complete(prompt, extra, read, signal);
      if (completed.kind === "refused") {
        signal?.throwIfAborted();
        completed = await complete(prompt, undefined, read, signal);
        // Refused in both ways, it is the prompt that was refused.
        if (completed.kind === "read") givesProbabilities = false;
      }
      signal?.throwIfAborted();
      return completed.kind === "read"
        ? completed.value
        : { kind: "failure", message: completed.message };
    },
  };
}
