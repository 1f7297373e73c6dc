import { logProbabilities } from "../llama/log_softmax.ts";
import type { LanguageModel } from "../model.ts";
import { assertAnswerable, type MaskedModel, type MaskedQuery } from "./pseudo_likelihood.ts";

/** What a network gave back, with the lengths of its dimensions. */
export interface Logits {
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

/** A network that predicts every token of a text at once, and its tokeniser. */
export interface MaskedEncoder {
  readonly maskId: number;
  /** The token of whatever the vocabulary lacks; undefined where there is none. */
  readonly unknownId: number | undefined;
  readonly vocabularySize: number;
  /** Most tokens in a text, special ones too. */
  readonly longest: number;
  /** The text's own tokens, without special ones: their numbers, and as the tokeniser writes them. */
  encode(text: string): readonly number[];
  pieces(text: string): readonly string[];
  /** The text's tokens as the network wants them, with special ones. */
  frame(text: string): readonly number[];
  /** Logits of rows of one length: [rows, length, vocabulary]. */
  run(rows: readonly (readonly number[])[]): Promise<Logits>;
}

/** A network and its tokeniser as a masked model. */
export function encoderModel(
  name: string,
  encoder: MaskedEncoder,
  settings: LanguageModel["settings"],
): MaskedModel {
  return {
    name,
    settings,
    tokenise(text) {
      const framed = framedTokens(encoder.encode(text), encoder.frame(text));
      assertReadable(encoder, text, framed);
      const words = wordIndexes(text, encoder.encode);
      const tokens = encoder.pieces(text).map((piece, at) => ({ piece, word: words[at]! }));
      return {
        tokens,
        async logProbabilities(queries) {
          assertAnswerable(queries, tokens.length);
          const size = rowsInBatch(framed.ids.length, encoder.vocabularySize);
          const answers: number[] = [];
          for (let from = 0; from < queries.length; from += size) {
            answers.push(...await answerBatch(encoder, framed, queries.slice(from, from + size)));
          }
          return answers;
        },
      };
    },
  };
}

/** A text's tokens as a model is given them: special ones around, or where the model wants them. */
interface FramedTokens {
  readonly ids: readonly number[];
  /** How many special tokens stand before the text's first. */
  readonly offset: number;
}

/**
 * Where a text's own tokens stand among those with the special ones.
 *
 * @throws {RangeError} where they do not stand together.
 */
export function framedTokens(own: readonly number[], framed: readonly number[]): FramedTokens {
  const offset = framed.findIndex((_, from) => own.every((id, at) => framed[from + at] === id));
  if (offset >= 0) return { ids: framed, offset };
  throw new RangeError("Cannot read a text: special tokens stand between its own");
}

/** @throws {RangeError} for a text that is too long or holds what the vocabulary lacks. */
function assertReadable(
  { longest, unknownId }: MaskedEncoder,
  text: string,
  { ids }: FramedTokens,
): void {
  if (ids.length > longest) {
    throw new RangeError(
      `Cannot score a text of ${ids.length} tokens: the model takes ${longest}`,
    );
  }
  if (unknownId !== undefined && ids.includes(unknownId)) {
    throw new RangeError(
      `Cannot score ${JSON.stringify(text)}: the model's vocabulary lacks a part of it, whose ` +
        "probability would be that of any unknown",
    );
  }
}

/**
 * The word of each token, counted from 0; words stand between white space. A word's tokens are those
 * by which the text up to its end is longer than up to the word before. So it needs no knowledge of
 * the signs by which tokenisers join pieces (`##` of WordPiece, `▁` of SentencePiece, `Ġ` of GPT-2).
 *
 * @throws {RangeError} where a token reaches over the end of a word.
 */
export function wordIndexes(text: string, encode: MaskedEncoder["encode"]): readonly number[] {
  const whole = encode(text);
  const indexes: number[] = [];
  for (const [word, match] of [...text.matchAll(/\S+/gu)].entries()) {
    const upToHere = encode(text.slice(0, match.index + match[0].length));
    if (upToHere.length < indexes.length || upToHere.some((id, at) => id !== whole[at])) {
      throw new RangeError(
        `Cannot tell the words of ${JSON.stringify(text)}: a token reaches over the end of ` +
          match[0],
      );
    }
    while (indexes.length < upToHere.length) indexes.push(word);
  }
  // What is left belongs to white space at the end.
  return whole.map((_, at) => indexes[at] ?? (indexes.at(-1) ?? -1) + 1);
}

/** Logits that a model may give back at once: 64 MB as float32. */
const MOST_LOGITS = 1 << 24;

/** How many rows of a length fit into one batch: the logits of a large vocabulary fill the memory. */
function rowsInBatch(length: number, vocabularySize: number): number {
  return Math.max(1, Math.floor(MOST_LOGITS / (length * vocabularySize)));
}

/** @throws {TypeError} where the network is not one that predicts tokens. */
async function answerBatch(
  encoder: MaskedEncoder,
  text: FramedTokens,
  queries: readonly MaskedQuery[],
): Promise<readonly number[]> {
  const { length } = text.ids;
  const { dimensions, values } = await encoder.run(maskedRows(text, queries, encoder.maskId));
  if (dimensions.length !== 3 || dimensions[0] !== queries.length || dimensions[1] !== length) {
    throw new TypeError(
      `Cannot read the model's output: it is [${dimensions.join(", ")}] and not ` +
        `[${queries.length}, ${length}, vocabulary], so the model does not predict masked tokens`,
    );
  }
  return queries.flatMap(({ position }, row) => {
    const at = text.offset + position;
    return logProbabilities(values, dimensions[2]!, row * length + at, [text.ids[at]!]);
  });
}

/** The text once for each query, with its masked tokens replaced. All rows have the same length. */
function maskedRows(
  { ids, offset }: FramedTokens,
  queries: readonly MaskedQuery[],
  maskId: number,
): readonly (readonly number[])[] {
  return queries.map(({ masked }) => {
    const hidden = new Set(masked.map((at) => at + offset));
    return ids.map((id, at) => hidden.has(at) ? maskId : id);
  });
}
