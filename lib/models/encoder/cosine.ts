/**
 * Cosine of the angle between two vectors, −1 to 1; 0 where either has no length.
 *
 * @throws {RangeError} where the vectors have different numbers of components.
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(
      `Cannot compare vectors: they have ${a.length} and ${b.length} components`,
    );
  }
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    squareA += a[i]! * a[i]!;
    squareB += b[i]! * b[i]!;
  }
  if (squareA === 0 || squareB === 0) return 0;
  return Math.max(-1, Math.min(1, dot / Math.sqrt(squareA * squareB)));
}
