import type { LanguageModel, Likelihood } from "../model.ts";
import type { Engine, Tokens } from "./engine.ts";

function sequenceOf(engine: Engine, text: string): Tokens {
  const tokens = engine.vocabulary.tokenise(text);
  if (tokens.length === 0) {
    throw new RangeError(`Cannot score ${JSON.stringify(text)}: it is empty`);
  }
  return [engine.vocabulary.start.id, ...tokens];
}

/**
 * log P(text | start token) for each text, in nats: the sum over all its tokens of
 * log P(token | tokens before it).
 *
 * @throws {RangeError} for an empty text or one longer than the context.
 */
export async function scoreTexts(
  engine: Engine,
  texts: readonly string[],
): Promise<readonly Likelihood[]> {
  const sequences = texts.map((text) => sequenceOf(engine, text));
  const scores = await engine.score(sequences);
  return scores.map((logProbability, index) => ({
    logProbability,
    tokens: sequences[index]!.length - 1,
    bytes: new TextEncoder().encode(texts[index]!).length,
  }));
}

/** The engine's model as a `LanguageModel`. */
export function languageModel(
  name: string,
  engine: Engine,
  settings: LanguageModel["settings"] = {},
): LanguageModel {
  return {
    name,
    settings: { ...engine.settings, ...settings, readout: "likelihood" },
    score: (texts) => scoreTexts(engine, texts),
  };
}
