import type { LanguageModel } from "../model.ts";

/** One token of a text. */
export interface MaskedToken {
  /** As the model's tokeniser writes it: `##` or `▁` may stand for a join or a space. */
  readonly piece: string;
  /** Which word of the text it belongs to, counted from 0; a space that is a token is its own word. */
  readonly word: number;
}

/** One question: how probable is the token at `position` while the tokens at `masked` are hidden? */
export interface MaskedQuery {
  readonly position: number;
  /** Positions that the model may not see, in ascending order; `position` is among them. */
  readonly masked: readonly number[];
}

/** A text as a masked model reads it, ready to be asked about. */
export interface MaskedText {
  readonly tokens: readonly MaskedToken[];
  /**
   * log P(token at position | tokens not masked) in nats, one a query, in order. All queries of a
   * text come in one call, because they have the same length and so make batches without padding.
   *
   * @throws {RangeError} for a position outside the text, or one that is not masked.
   */
  logProbabilities(queries: readonly MaskedQuery[]): Promise<readonly number[]>;
}

/** A model that predicts a hidden token from what stands on both sides of it. */
export interface MaskedModel {
  readonly name: string;
  /** Whatever could change a probability; kept beside the results. */
  readonly settings: LanguageModel["settings"];
  /** @throws {RangeError} for a text that the model cannot read. */
  tokenise(text: string): MaskedText;
}

/**
 * Refuses queries that a model cannot answer, or whose answer the model would see.
 *
 * @throws {RangeError} for a position outside the text, or one that is not masked.
 */
export function assertAnswerable(queries: readonly MaskedQuery[], tokens: number): void {
  for (const { position, masked } of queries) {
    const outside = [position, ...masked].find((at) => !(at >= 0 && at < tokens));
    if (outside !== undefined) {
      throw new RangeError(`Cannot predict position ${outside}: the text has ${tokens} tokens`);
    }
    if (!masked.includes(position)) {
      throw new RangeError(`Cannot predict position ${position}: it is not masked`);
    }
  }
}
