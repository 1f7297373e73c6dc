import type { ChatModel } from "../model.ts";
import type { Engine, NextToken, Vocabulary } from "./engine.ts";

/** The ways a letter can begin what follows a prompt, each where it is a single token. */
function variants(vocabulary: Vocabulary, letter: string): readonly number[] {
  return [letter, ` ${letter}`].flatMap((text) => {
    const tokens = vocabulary.tokenise(text);
    return tokens.length === 1 ? tokens : [];
  });
}

/** log Σ P(token) in nats over distinct tokens. */
function logProbabilityOfAny(next: NextToken, tokens: readonly number[]): number {
  return Math.log(tokens.reduce((sum, token) => sum + Math.exp(next.logProbability(token)), 0));
}

/**
 * A base model as a chat model that answers "A" or "B": it reads start token and prompt as plain
 * text and gives the letter more probable as the next token, P("A") + P(" A") against
 * P("B") + P(" B"). Nothing is generated, so every answer is one of the letters; only of two equal
 * probabilities it gives neither (an empty answer). An abort before reading is a failure.
 *
 * @throws {TypeError} where a letter is not a token of the vocabulary.
 */
export function nextTokenModel(
  name: string,
  engine: Engine,
  settings: ChatModel["settings"] = {},
): ChatModel {
  const [a, b] = ["A", "B"].map((letter) => variants(engine.vocabulary, letter));
  if (!a?.length || !b?.length) {
    throw new TypeError(`Cannot ask ${name}: "A" and "B" are not tokens of its vocabulary`);
  }
  const { start, tokenise } = engine.vocabulary;
  return {
    name,
    settings: { ...engine.settings, ...settings, readout: "next-token", temperature: 0 },
    ask: (question, { signal } = {}) =>
      engine.reading(async (reader) => {
        if (signal?.aborted) {
          return { kind: "failure", message: `Cannot answer: stopped (${signal.reason})` };
        }
        const prompt = [start.id, ...tokenise(question)];
        const next = await reader.read(prompt);
        const difference = logProbabilityOfAny(next, a) - logProbabilityOfAny(next, b);
        const text = difference > 0 ? "A" : difference < 0 ? "B" : "";
        return { kind: "answer", text, promptTokens: prompt.length, replyTokens: 1 };
      }),
  };
}
