import type { EncodedText } from "../../models/encoder/sentence_encoder.ts";
import type { TextSpan } from "../text_span.ts";

/** Mean of the pieces of each word, at unit length; undefined for one beyond what the encoder reads. */
export function wordVectors(
  words: readonly TextSpan[],
  { tokens }: EncodedText,
): readonly (Float32Array | undefined)[] {
  return words.map(({ start, end }) => {
    const pieces = tokens.filter((token) => token.start < end && start < token.end);
    if (pieces.length === 0) return undefined;
    if (pieces.length === 1) return pieces[0]!.vector;
    const sum = new Float32Array(pieces[0]!.vector.length);
    for (const { vector } of pieces) vector.forEach((value, index) => sum[index]! += value);
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  });
}

/** Cosine of two vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
