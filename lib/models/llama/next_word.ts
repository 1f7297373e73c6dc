import { type NextWordModel, type NextWords, waysOfWriting } from "../next_word_model.ts";
import type { Engine, NextToken, Vocabulary } from "./engine.ts";

/** The distinct tokens that are one of the words, written in any way. */
function tokensOf(vocabulary: Vocabulary, words: readonly string[]): readonly number[] {
  const tokens = words.flatMap(waysOfWriting).flatMap((text) => {
    const ids = vocabulary.tokenise(text);
    return ids.length === 1 ? ids : [];
  });
  return [...new Set(tokens)];
}

function massOf(next: NextToken, tokens: readonly number[]): number {
  return tokens.reduce((sum, token) => sum + Math.exp(next.logProbability(token)), 0);
}

/**
 * A model in this process, read by its next token: start token and prompt as plain text, in which no
 * markup counts.
 *
 * Its `nextWord` throws a TypeError for words of which none is a single token, however written.
 */
export function engineNextWord(
  name: string,
  engine: Engine,
  settings: NextWordModel["settings"] = {},
): NextWordModel {
  const { vocabulary } = engine;
  const setsOf = (words: NextWords) =>
    [words.yes, words.no].map((set) => {
      const tokens = tokensOf(vocabulary, set);
      if (tokens.length > 0) return tokens;
      throw new TypeError(`Cannot ask ${name}: ${set.join(", ")} is no token of its vocabulary`);
    });
  return {
    name,
    settings: { ...engine.settings, ...settings, readout: "next-token" },
    concurrency: 1,
    async nextWord(prompt, words, { signal } = {}) {
      const [yesTokens, noTokens] = setsOf(words);
      return await engine.reading(async (reader) => {
        signal?.throwIfAborted();
        try {
          const next = await reader.read([vocabulary.start.id, ...vocabulary.tokenise(prompt)]);
          const [yes, no] = [massOf(next, yesTokens!), massOf(next, noTokens!)];
          return { kind: "mass", yes, no, other: Math.max(0, 1 - yes - no) };
        } catch (error) {
          // A prompt that is longer than the context.
          if (!(error instanceof RangeError)) throw error;
          return { kind: "failure", message: `Cannot ask ${name}: ${error.message}` };
        }
      });
    },
  };
}
