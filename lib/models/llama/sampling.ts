import type { SamplePrompt, SampleReply, SamplingModel } from "../sampling_model.ts";
import type { Engine, TokenReader, Tokens } from "./engine.ts";
import { assertSampleOptions, sampledReply } from "./sampled_reply.ts";
import { templateTokens } from "./template_tokens.ts";

/** A prompt in the model's chat template, or after the start token where it has none. */
function promptReader(name: string, engine: Engine): (prompt: SamplePrompt) => Tokens {
  const { vocabulary, chatTemplate } = engine;
  if (chatTemplate === undefined) {
    return ({ text, replySoFar = "" }) => [
      vocabulary.start.id,
      ...vocabulary.tokenise(text + replySoFar),
    ];
  }
  const asked = templateTokens(name, chatTemplate, vocabulary);
  return ({ text, replySoFar = "" }) => {
    const tokens = [...asked(text), ...vocabulary.tokenise(replySoFar)];
    const { chatStart } = vocabulary;
    return chatStart === undefined || tokens[0] === chatStart ? tokens : [chatStart, ...tokens];
  };
}

/** log P(continuation | prompt) of each: the prompt is read once. */
async function logProbabilitiesAfter(
  reader: TokenReader,
  prompt: Tokens,
  continuations: readonly Tokens[],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  signal?.throwIfAborted();
  const first = await reader.read(prompt);
  const sums: number[] = [];
  for (const tokens of continuations) {
    let sum = first.logProbability(tokens[0]!);
    for (let index = 1; index < tokens.length; index++) {
      signal?.throwIfAborted();
      const next = await reader.read([...prompt, ...tokens.slice(0, index)]);
      sum += next.logProbability(tokens[index]!);
    }
    sums.push(sum);
  }
  return sums;
}

/**
 * The engine's model as one whose replies are drawn: with its chat template where the file has one
 * (the question's own markup does not count), else as plain text after the start token. A prompt that
 * does not fit in the context with its reply is a failure. A continuation is cut into tokens by
 * itself, so it should begin with the space that precedes it.
 *
 * @param settings What the engine does not know of itself: the file's hash, its licence.
 * @throws {TypeError} where the file's chat template cannot be used.
 */
export function engineSampling(
  name: string,
  engine: Engine,
  settings: SamplingModel["settings"] = {},
): SamplingModel {
  const { vocabulary } = engine;
  const tokensOf = promptReader(name, engine);
  const sample: SamplingModel["sample"] = (prompt, options) =>
    engine.reading(async (reader): Promise<SampleReply> => {
      assertSampleOptions(options);
      const tokens = tokensOf(prompt);
      try {
        const reply = await sampledReply(reader, vocabulary, tokens, options);
        return { kind: "sample", ...reply, promptTokens: tokens.length };
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return { kind: "failure", message: `Cannot ask ${name}: ${error.message}` };
      }
    });
  const tokensOfContinuation = (text: string): Tokens => {
    const tokens = vocabulary.tokenise(text);
    if (tokens.length > 0) return tokens;
    throw new RangeError(`Cannot score a continuation with ${name}: it is empty`);
  };
  const continuations: SamplingModel["continuations"] = (prompt, texts, { signal } = {}) =>
    engine.reading(async (reader) =>
      await logProbabilitiesAfter(reader, tokensOf(prompt), texts.map(tokensOfContinuation), signal)
    );
  return { name, settings: { ...engine.settings, ...settings }, sample, continuations };
}
