import { continuesWord, type Engine, type NextToken, type Tokens } from "../engine.ts";
import { logSumExp } from "../log_softmax.ts";

export const END = 256;
export const START = 257;
const SIZE = 258;

/** Weights of the bytes, and of `END`, that can follow a prompt; others have 0. */
export type NextByteWeights = ReadonlyMap<number, number>;

export function weights(byCharacter: Readonly<Record<string, number>>): NextByteWeights {
  return new Map(Object.entries(byCharacter).map(([it, weight]) => [it.charCodeAt(0), weight]));
}

function nextToken(given: NextByteWeights): NextToken {
  const logits = Float32Array.from({ length: SIZE }, (_, token) => Math.log(given.get(token) ?? 0));
  const [total, best] = [logSumExp(logits), logits.indexOf(Math.max(...logits))];
  return { best, size: SIZE, logProbability: (token) => logits[token]! - total };
}

/** Makes an engine with bytes as tokens and given continuations of prompts. */
export function byteEngine(
  after: (text: string, tokens: Tokens) => NextByteWeights,
  chatTemplate?: string,
): Engine {
  const textOf = (tokens: Tokens) =>
    new TextDecoder().decode(Uint8Array.from(tokens.filter((token) => token < END)));
  const bytes = (text: string) => [...new TextEncoder().encode(text)];
  return {
    concurrency: { score: 1, reading: 1 },
    vocabulary: {
      tokenise: bytes,
      tokeniseMarkup: bytes,
      detokenise: textOf,
      endsReply: (token) => token === END,
      pieceOf: (token) => Uint8Array.from(token < END ? [token] : []),
      continuesWord: (token) => continuesWord(Uint8Array.from(token < END ? [token] : [])),
      start: { id: START, source: "bos" },
      chatStart: undefined,
    },
    chatTemplate,
    settings: { engine: "bytes" },
    score: () => Promise.resolve([]),
    reading: (task) =>
      task({
        read: (tokens) =>
          tokens.length > 200
            ? Promise.reject(new RangeError(`Cannot read a prompt of ${tokens.length} tokens`))
            : Promise.resolve(nextToken(after(textOf(tokens), tokens))),
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Makes an engine that writes the text after the prompt `Q`. */
export function writing(text: string, chatTemplate?: string): Engine {
  const bytes = [...new TextEncoder().encode(text)];
  return byteEngine((_, tokens) => {
    const prompt = tokens.indexOf("Q".charCodeAt(0)) + 1;
    return new Map([[bytes[tokens.length - prompt] ?? END, 1]]);
  }, chatTemplate);
}
