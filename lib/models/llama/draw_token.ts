import type { RandomSource } from "../../stats/random.ts";
import type { NextToken } from "./engine.ts";

/** A token drawn from the whole vocabulary. */
export interface DrawnToken {
  readonly token: number;
  /** In nats, at temperature 1 whatever it was drawn at. */
  readonly logProbability: number;
  /** Σ −p ln p in nats at temperature 1 over the whole vocabulary. */
  readonly entropy: number;
}

/**
 * Draws the next token with probability proportional to P(token)^(1 / temperature), or takes the most
 * probable at temperature 0, and sums the entropy in the same pass.
 *
 * The total weight is not known before the end, so the choice is a weighted reservoir of one: once
 * chosen at a running total W, a token stays until the total passes W / u for a uniform u, for it is
 * to be kept up to a total T with probability W / T. That takes a few random numbers a token rather
 * than one for each of 262,144 (Efraimidis & Spirakis 2006, exponential jumps).
 *
 * @param temperature 0 or more.
 */
export function drawToken(
  next: NextToken,
  temperature: number,
  random: RandomSource,
): DrawnToken {
  const highest = next.logProbability(next.best);
  let [token, total, keptUpTo, entropy] = [next.best, 0, 0, 0];
  for (let candidate = 0; candidate < next.size; candidate++) {
    const logProbability = next.logProbability(candidate);
    const probability = Math.exp(logProbability);
    if (probability > 0) entropy -= probability * logProbability;
    if (temperature === 0) continue;
    // Relative to the highest, so that a low temperature does not make every weight 0.
    total += temperature === 1 ? probability : Math.exp((logProbability - highest) / temperature);
    if (total <= keptUpTo) continue;
    token = candidate;
    keptUpTo = total / random.next();
  }
  return { token, logProbability: next.logProbability(token), entropy };
}
