import type { EncodedText } from "./sentence_encoder.ts";
import type { WordPiece } from "./word_pieces.ts";

/** Writes `source` at unit length into `target`; zeros stay zeros. */
function normaliseInto(target: Float32Array, source: ArrayLike<number>): void {
  let square = 0;
  for (let i = 0; i < source.length; i++) square += source[i]! * source[i]!;
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  for (let i = 0; i < source.length; i++) target[i] = source[i]! * scale;
}

function meanOfRows(rows: Float32Array, width: number): Float64Array {
  const sum = new Float64Array(width);
  for (let i = 0; i < rows.length; i++) sum[i % width]! += rows[i]!;
  return sum.map((value) => value / (rows.length / width));
}

/**
 * A text's vectors from a network's last layer.
 *
 * @param rows One row a token, the first and the last of them special tokens'; not kept.
 * @param pieces What the rows between stand for.
 * @param readTo Offset up to which the text was read.
 */
export function encodedText(
  rows: Float32Array,
  pieces: readonly WordPiece[],
  readTo: number,
): EncodedText {
  const width = rows.length / (pieces.length + 2);
  const vectors = new Float32Array((pieces.length + 1) * width);
  const sentence = vectors.subarray(0, width);
  normaliseInto(sentence, meanOfRows(rows, width));
  const tokens = pieces.map(({ start, end }, index) => {
    const vector = vectors.subarray((index + 1) * width, (index + 2) * width);
    normaliseInto(vector, rows.subarray((index + 1) * width, (index + 2) * width));
    return { start, end, vector };
  });
  return { sentence, tokens, readTo };
}
