/**
 * Exponentials over their sum: a distribution over the same places, shifted by the greatest so that
 * none overflows.
 */
export function softmax(logits: readonly number[]): number[] {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
