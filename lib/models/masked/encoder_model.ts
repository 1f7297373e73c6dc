import { logProbabilities } from "../llama/log_softmax.ts";
import type { LanguageModel } from "../model.ts";
import { assertAnswerable, type MaskedModel, type MaskedQuery } from "./masked_model.ts";
import {
  batches,
  type FramedTokens,
  framedTokens,
  maskedRows,
  rowsInBatch,
} from "./masked_rows.ts";
import { wordIndexes } from "./word_indexes.ts";

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

/** @throws {TypeError} where the network is not one that predicts tokens. */
function assertShape({ dimensions }: Logits, rows: number, length: number): void {
  if (dimensions.length !== 3 || dimensions[0] !== rows || dimensions[1] !== length) {
    throw new TypeError(
      `Cannot read the model's output: it is [${dimensions.join(", ")}] and not ` +
        `[${rows}, ${length}, vocabulary], so the model does not predict masked tokens`,
    );
  }
}

async function answerBatch(
  encoder: MaskedEncoder,
  text: FramedTokens,
  queries: readonly MaskedQuery[],
): Promise<readonly number[]> {
  const length = text.ids.length;
  const logits = await encoder.run(maskedRows(text, queries, encoder.maskId));
  assertShape(logits, queries.length, length);
  return queries.flatMap(({ position }, row) => {
    const at = text.offset + position;
    return logProbabilities(logits.values, logits.dimensions[2]!, row * length + at, [
      text.ids[at]!,
    ]);
  });
}

async function answerAll(
  encoder: MaskedEncoder,
  text: FramedTokens,
  queries: readonly MaskedQuery[],
): Promise<readonly number[]> {
  const size = rowsInBatch(text.ids.length, encoder.vocabularySize);
  const answers: number[] = [];
  for (const batch of batches(queries, size)) {
    answers.push(...await answerBatch(encoder, text, batch));
  }
  return answers;
}

/** @throws {RangeError} for a text that is too long or holds what the vocabulary lacks. */
function assertReadable(encoder: MaskedEncoder, text: string, framed: FramedTokens): void {
  if (framed.ids.length > encoder.longest) {
    throw new RangeError(
      `Cannot score a text of ${framed.ids.length} tokens: the model takes ${encoder.longest}`,
    );
  }
  if (encoder.unknownId !== undefined && framed.ids.includes(encoder.unknownId)) {
    throw new RangeError(
      `Cannot score ${JSON.stringify(text)}: the model's vocabulary lacks a part of it, whose ` +
        "probability would be that of any unknown",
    );
  }
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
      const own = encoder.encode(text);
      const framed = framedTokens(own, encoder.frame(text));
      assertReadable(encoder, text, framed);
      const words = wordIndexes(text, encoder.encode);
      const tokens = encoder.pieces(text).map((piece, at) => ({ piece, word: words[at]! }));
      return {
        tokens,
        async logProbabilities(queries) {
          assertAnswerable(queries, tokens.length);
          return await answerAll(encoder, framed, queries);
        },
      };
    },
  };
}
