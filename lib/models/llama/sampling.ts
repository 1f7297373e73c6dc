import { type RandomSource, randomSource } from "../../stats/random.ts";
import type {
  DrawnModel,
  SampledToken,
  SampleOptions,
  SamplePrompt,
  SampleReply,
  SamplingModel,
} from "../model.ts";
import type { Generation } from "../panel.ts";
import {
  type Engine,
  type NextToken,
  type TokenReader,
  type Tokens,
  type Vocabulary,
  wholeCharacters,
} from "./engine.ts";
import { templateTokens, withChatStart } from "./roles.ts";

/**
 * Opens an engine's model for sampling.
 *
 * A prompt is put into the chat template, in which its own markup is plain text. Without a template
 * it follows the start token. A prompt above the context is a failure. A continuation is tokenised
 * separately and should begin with its leading space.
 */
export function engineSampling(
  name: string,
  engine: Engine,
  settings: SamplingModel["settings"] = {},
): SamplingModel {
  const { vocabulary } = engine;
  const tokensOf = promptReader(name, engine);
  return {
    name,
    settings: { ...engine.settings, ...settings },
    concurrency: engine.concurrency.reading,
    sample: (prompt, options) =>
      engine.reading(async (reader) => {
        const tokens = tokensOf(prompt);
        try {
          const reply = await sampledReply(reader, vocabulary, tokens, options);
          return { kind: "sample", ...reply };
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          return { kind: "failure", message: `Cannot ask ${name}: ${error.message}` };
        }
      }),
    continuations: (prompt, texts, { signal } = {}) =>
      engine.reading(async (reader) => {
        const continuations = texts.map((text) => vocabulary.tokenise(text));
        if (continuations.some((tokens) => tokens.length === 0)) {
          throw new RangeError(`Cannot score a continuation with ${name}: it is empty`);
        }
        signal?.throwIfAborted();
        const asked = tokensOf(prompt);
        const first = await reader.read(asked);
        const sums: number[] = [];
        for (const tokens of continuations) {
          let sum = first.logProbability(tokens[0]!);
          for (let index = 1; index < tokens.length; index++) {
            signal?.throwIfAborted();
            const next = await reader.read([...asked, ...tokens.slice(0, index)]);
            sum += next.logProbability(tokens[index]!);
          }
          sums.push(sum);
        }
        return sums;
      }),
  };
}

/**
 * Wraps a sampling model with fixed settings (temperature 1 by default). It returns the mean
 * log-probability of each reply.
 */
export function engineDraws(
  model: SamplingModel,
  { temperature: asked, maxReplyTokens: maxTokens }: Generation,
  isChat: boolean,
): DrawnModel {
  const temperature = asked === "default" ? 1 : asked;
  const { name, settings, continuations, concurrency = 1 } = model;
  return {
    name,
    isChat,
    continuations,
    concurrency,
    settings: { ...settings, temperature, maxReplyTokens: maxTokens },
    async draw(prompt, options) {
      const reply = await model.sample(prompt, { ...options, temperature, maxTokens });
      if (reply.kind === "failure") return reply;
      const { text, ended, tokens } = reply;
      const sum = tokens.reduce((all, { logProbability }) => all + logProbability, 0);
      const meanLogProbability = tokens.length === 0 ? undefined : sum / tokens.length;
      return { kind: "drawn", text, ended, meanLogProbability };
    },
  };
}

function promptReader(name: string, engine: Engine): (prompt: SamplePrompt) => Tokens {
  const { vocabulary, chatTemplate } = engine;
  if (chatTemplate === undefined) {
    return ({ text, replySoFar = "" }) => [
      vocabulary.start.id,
      ...vocabulary.tokenise(text + replySoFar),
    ];
  }
  const asked = templateTokens(name, chatTemplate, vocabulary);
  return ({ text, replySoFar = "" }) =>
    withChatStart(vocabulary, [...asked(text), ...vocabulary.tokenise(replySoFar)]);
}

type SampledReply = Omit<Extract<SampleReply, { kind: "sample" }>, "kind">;

/**
 * Samples until the model ends, a stop string appears, or `maxTokens` is reached. The end token is
 * left out.
 */
async function sampledReply(
  reader: TokenReader,
  vocabulary: Vocabulary,
  prompt: Tokens,
  { seed, temperature, maxTokens, stop = [], signal }: SampleOptions,
): Promise<SampledReply> {
  const random = randomSource(seed);
  const ids: number[] = [];
  const tokens: SampledToken[] = [];
  let text = "";
  while (ids.length < maxTokens) {
    if (signal?.aborted) return { text, tokens, ended: "stopped" };
    const next = await reader.read([...prompt, ...ids]);
    const { token, ...measured } = drawToken(next, temperature, random);
    if (vocabulary.endsReply(token)) return { text, tokens, ended: "complete" };
    ids.push(token);
    const longer = wholeCharacters(vocabulary.detokenise(ids));
    tokens.push({ text: longer.slice(text.length), ...measured });
    text = longer;
    const places = stop.map((words) => text.indexOf(words)).filter((place) => place >= 0);
    if (places.length > 0) return cutAt(Math.min(...places), text, tokens);
  }
  return { text, tokens, ended: "length" };
}

/** Truncates a reply at an offset, within a token if necessary. */
function cutAt(place: number, text: string, tokens: readonly SampledToken[]): SampledReply {
  const kept: SampledToken[] = [];
  let length = 0;
  for (const token of tokens) {
    if (length >= place) break;
    kept.push({ ...token, text: token.text.slice(0, place - length) });
    length += token.text.length;
  }
  return { text: text.slice(0, place), tokens: kept, ended: "complete" };
}

/**
 * Samples the next token with probability proportional to P(token)^(1 / temperature).
 *
 * At temperature 0 it is the most probable token. Its log-probability, and the entropy Σ −p ln p,
 * are at temperature 1. The method is weighted reservoir sampling of one item with exponential
 * jumps (Efraimidis & Spirakis 2006). A token chosen at a cumulative weight W is kept until the
 * weight exceeds W / u for a uniform u, which needs few random numbers.
 */
export function drawToken(
  next: NextToken,
  temperature: number,
  random: RandomSource,
): Omit<SampledToken, "text"> & { readonly token: number } {
  const highest = next.logProbability(next.best);
  let [token, total, keptUpTo, entropy] = [next.best, 0, 0, 0];
  for (let candidate = 0; candidate < next.size; candidate++) {
    const logProbability = next.logProbability(candidate);
    const probability = Math.exp(logProbability);
    if (probability > 0) entropy -= probability * logProbability;
    if (temperature === 0) continue;
    // Relative to the highest, so that a low temperature does not make every weight 0.
    total += temperature === 1 ? probability : Math.exp((logProbability - highest) / temperature);
    if (total <= keptUpTo) continue;
    token = candidate;
    keptUpTo = total / random.next();
  }
  return { token, logProbability: next.logProbability(token), entropy };
}
