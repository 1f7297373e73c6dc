import type { MaskedQuery } from "./masked_model.ts";

/** A text's tokens as a model is given them: special ones around, or where the model wants them. */
export interface FramedTokens {
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
  if (offset < 0) {
    throw new RangeError("Cannot read a text: special tokens stand between its own");
  }
  return { ids: framed, offset };
}

/** The text once for each query, with its masked tokens replaced. All rows have the same length. */
export function maskedRows(
  { ids, offset }: FramedTokens,
  queries: readonly MaskedQuery[],
  maskId: number,
): readonly (readonly number[])[] {
  return queries.map(({ masked }) => {
    const hidden = new Set(masked.map((at) => at + offset));
    return ids.map((id, at) => hidden.has(at) ? maskId : id);
  });
}

/** Logits that a model may give back at once: 64 MB as float32. */
const MOST_LOGITS = 1 << 24;

/** How many rows of a length fit into one batch: the logits of a large vocabulary fill the memory. */
export function rowsInBatch(length: number, vocabularySize: number): number {
  return Math.max(1, Math.floor(MOST_LOGITS / (length * vocabularySize)));
}

/** Lists of at most `size` elements, in order. */
export function batches<Element>(
  elements: readonly Element[],
  size: number,
): readonly (readonly Element[])[] {
  const count = Math.ceil(elements.length / size);
  return Array.from({ length: count }, (_, at) => elements.slice(at * size, (at + 1) * size));
}
