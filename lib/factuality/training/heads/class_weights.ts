/** `balanced`: half of the weight is supported's, the rest shared evenly; or as the cases are. */
export type ClassWeighting = "balanced" | "as found";

/**
 * What a case of each class counts, by index; the cases together count as many as they are. Balanced,
 * P(supported) ≥ ½ is where as much speaks for as against, whatever the shares of the labels. A class
 * without cases has weight 0 and its share goes to the others.
 */
export function classWeights(
  labels: readonly number[],
  classes: number,
  weighting: ClassWeighting,
): readonly number[] {
  const counts = Array.from({ length: classes }, () => 0);
  for (const label of labels) counts[label]!++;
  if (weighting === "as found") return counts.map((count) => count === 0 ? 0 : 1);
  const shares = counts.map((count, k) => {
    if (count === 0) return 0;
    return k === 0 ? 0.5 : 0.5 / (classes - 1);
  });
  const total = shares.reduce((a, b) => a + b, 0);
  return counts.map((count, k) => count === 0 ? 0 : shares[k]! / total * labels.length / count);
}
