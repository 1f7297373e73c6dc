import type { Logits } from "../encoder/onnx_folder.ts";
import { logProbabilities } from "../llama/log_softmax.ts";
import type { LanguageModel } from "../model.ts";
import { assertAnswerable, type MaskedModel, type MaskedQuery } from "./pseudo_likelihood.ts";

/** A network that predicts every token of a text at once, and its tokeniser. */
export interface MaskedEncoder {
  readonly maskId: number;
  /** The token of whatever the vocabulary lacks; undefined where there is none. */
  readonly unknownId: number | undefined;
  readonly vocabularySize: number;
  readonly longest: number;
  encode(text: string): readonly number[];
  pieces(text: string): readonly string[];
  frame(text: string): readonly number[];
  run(rows: readonly (readonly number[])[]): Promise<Logits>;
}

/** Logits that a model may give back at once: 64 MB as float32. A large vocabulary's fill the memory. */
const MOST_LOGITS = 1 << 24;

/**
 * A network and its tokeniser as a masked model. @throws {RangeError} on reading a text that is too
 * long, holds what the vocabulary lacks, or has special tokens between its own.
 */
export function encoderModel(
  name: string,
  encoder: MaskedEncoder,
  settings: LanguageModel["settings"],
): MaskedModel {
  const { maskId, unknownId, vocabularySize, longest } = encoder;
  return {
    name,
    settings,
    tokenise(text) {
      const [own, framed] = [encoder.encode(text), encoder.frame(text)];
      const { length } = framed;
      // How many special tokens stand before the text's first.
      const offset = framed.findIndex((_, from) => own.every((id, at) => framed[from + at] === id));
      if (offset < 0) {
        throw new RangeError("Cannot read a text: special tokens stand between its own");
      }
      if (length > longest) {
        throw new RangeError(
          `Cannot score a text of ${length} tokens: the model takes ${longest}`,
        );
      }
      if (unknownId !== undefined && framed.includes(unknownId)) {
        throw new RangeError(
          `Cannot score ${
            JSON.stringify(text)
          }: the model's vocabulary lacks a part of it, whose ` +
            "probability would be that of any unknown",
        );
      }
      const words = wordIndexes(text, encoder.encode);
      const tokens = encoder.pieces(text).map((piece, at) => ({ piece, word: words[at]! }));
      /** The text once for each query, with its masked tokens replaced. All rows have the same length. */
      const answer = async (queries: readonly MaskedQuery[]) => {
        const rows = queries.map(({ masked }) => {
          const hidden = new Set(masked.map((at) => at + offset));
          return framed.map((id, at) => hidden.has(at) ? maskId : id);
        });
        const { dimensions: [count, width, vocabulary], values } = await encoder.run(rows);
        if (count !== rows.length || width !== length || vocabulary === undefined) {
          throw new TypeError(
            `Cannot read the model's output: it is not of ${rows.length} rows of ${length} tokens ` +
              "with a number a token of the vocabulary, so the model does not predict masked tokens",
          );
        }
        return queries.flatMap(({ position }, row) => {
          const at = offset + position;
          return logProbabilities(values, vocabulary, row * length + at, [framed[at]!]);
        });
      };
      return {
        tokens,
        async logProbabilities(queries) {
          assertAnswerable(queries, tokens.length);
          const size = Math.max(1, Math.floor(MOST_LOGITS / (length * vocabularySize)));
          const answers: number[] = [];
          for (let from = 0; from < queries.length; from += size) {
            answers.push(...await answer(queries.slice(from, from + size)));
          }
          return answers;
        },
      };
    },
  };
}

/** Each token's word, by how a longer text grows. @throws {RangeError} for one in two words. */
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
