import { softmax } from "../../stats/softmax.ts";

/** Logits of the classes and the index of the true one. */
export interface ScoredRow {
  readonly logits: readonly number[];
  readonly label: number;
  /** How much the row counts, > 0. */
  readonly weight: number;
}

/** Beyond these a temperature says that the logits mean nothing, or that all rows are right. */
const [COLDEST, HOTTEST] = [0.05, 20];
const STEPS = 80;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The temperature T by which logits are divided so that their softmax loses least on rows that the
 * weights were not fitted on (Guo et al. 2017, arXiv 1706.04599, §4.2): T > 1 where the model was
 * too sure. Between 0.05 and 20, by golden-section search over log T; the loss is convex in 1/T,
 * so that there is one minimum.
 * @throws {RangeError} without rows.
 */
export function fitTemperature(rows: readonly ScoredRow[]): number {
  if (rows.length === 0) throw new RangeError("Cannot fit a temperature: there are no rows.");
  let [low, high] = [Math.log(COLDEST), Math.log(HOTTEST)];
  for (let step = 0; step < STEPS; step++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (temperatureLoss(rows, Math.exp(left)) <= temperatureLoss(rows, Math.exp(right))) {
      high = right;
    } else low = left;
  }
  return Math.exp((low + high) / 2);
}

/** Weighted mean negative log-likelihood in nats at a temperature. */
export function temperatureLoss(rows: readonly ScoredRow[], temperature: number): number {
  const losses = rows.map(({ logits, label, weight }) => {
    const probability = softmax(logits.map((logit) => logit / temperature))[label]!;
    return -weight * Math.log(Math.max(probability, Number.MIN_VALUE));
  });
  return losses.reduce((a, b) => a + b, 0) /
    rows.reduce((sum, { weight }) => sum + weight, 0);
}
