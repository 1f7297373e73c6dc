import { type Unavailable, unavailable } from "./agreement.ts";

/** Maximum deviation of a sum of probabilities from 1. Float32 softmax is within it. */
const ROUNDING = 1e-6;

/**
 * Computes Shannon's entropy −Σ pᵢ ln pᵢ in nats, 0 to ln K for K outcomes.
 *
 * 0 · ln 0 counts as 0 (Shannon 1948, Bell System Technical Journal 27, 379–423).
 *
 * @throws {RangeError} for no probabilities, one outside 0–1, or a sum that is not 1.
 */
export function shannonEntropy(probabilities: readonly number[]): number {
  requireDistribution(probabilities);
  const entropy = probabilities.reduce((sum, p) => (p === 0 ? sum : sum - p * Math.log(p)), 0);
  // A rounded 1 + 1e-16 would give less than nothing.
  return Math.max(0, entropy);
}

/**
 * Checks a distribution. @throws {RangeError} unless all values are probabilities with sum 1 ±
 * 10⁻⁶.
 */
function requireDistribution(probabilities: readonly number[]): void {
  const wrong = probabilities.find((p) => !(p >= 0 && p <= 1 + ROUNDING));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot measure uncertainty: ${wrong} is no probability.`);
  }
  const sum = probabilities.reduce((all, p) => all + p, 0);
  if (Math.abs(sum - 1) <= ROUNDING) return;
  throw new RangeError(`Cannot measure uncertainty: the probabilities sum to ${sum}, not to 1.`);
}

/** An uncertainty and its two sources: total = aleatoric + epistemic. */
export interface UncertaintyParts {
  readonly total: number;
  /** Aleatoric part: uncertainty within each sample. */
  readonly aleatoric: number;
  /** Epistemic part: disagreement between the samples. */
  readonly epistemic: number;
}

/** The uncertainty about one answer, from several distributions over its options. */
export interface Uncertainty {
  readonly kind: "uncertainty";
  /** In nats by entropy (0 to ln K); without unit by variance (0 to 1 − 1/K). */
  readonly raw: UncertaintyParts;
  /** Parts as shares of the maximum total, 0–1, for comparison with a threshold. */
  readonly normalised: UncertaintyParts;
}

/** Default threshold of high uncertainty, as a share of the maximum total. */
export const HIGH_UNCERTAINTY = 0.8;

/**
 * Decomposes uncertainty by mutual information (Depeweg et al. 2018, ICML; Houlsby et al. 2011).
 *
 * Total = H(mean p), aleatoric = mean H(p), epistemic = their difference, ≥ 0. The difference is
 * the mutual information between the answer and the choice of sample. All parts are normalised by
 * ln K.
 *
 * Samples must differ in seed or model and have a temperature above 0. Repeated greedy runs always
 * have an epistemic part of 0. Unavailable for fewer than two samples and for a single option.
 *
 * @throws {RangeError} naming the sample, for one that is no distribution or has another length.
 */
export function uncertaintyByEntropy(
  samples: readonly (readonly number[])[],
): Uncertainty | Unavailable {
  return decomposed(samples, shannonEntropy, Math.log);
}

/**
 * Decomposes uncertainty by the law of total variance of one-hot answers.
 *
 * Aleatoric = mean Σ p (1 − p). Epistemic = Σ over options of the variance of p between samples (÷
 * M, not M − 1). Total = Σ p̄ (1 − p̄) for the mean distribution p̄. All parts are normalised by 1
 * − 1/K, the total of a uniform p̄. The variance among the probabilities of one distribution is no
 * substitute: it is highest for a certain answer.
 *
 * Samples, unavailable cases and errors are as in {@link uncertaintyByEntropy}.
 */
export function uncertaintyByVariance(
  samples: readonly (readonly number[])[],
): Uncertainty | Unavailable {
  return decomposed(samples, spread, (options) => 1 - 1 / options);
}

/**
 * Tests whether a normalised uncertainty (0–1) exceeds the threshold. @throws {RangeError} outside
 * 0–1.
 */
export function isHighUncertainty(uncertainty: number, threshold = HIGH_UNCERTAINTY): boolean {
  for (const value of [uncertainty, threshold]) {
    if (value >= 0 && value <= 1) continue;
    throw new RangeError(
      `Cannot flag an uncertainty: ${value} is no share from 0 to 1; give the normalised one.`,
    );
  }
  return uncertainty > threshold;
}

/** Returns the mean of distributions over the same options. Throws as the decompositions do. */
export function meanDistribution(samples: readonly (readonly number[])[]): readonly number[] {
  const options = samples[0]?.length ?? 0;
  for (const [i, sample] of samples.entries()) {
    try {
      requireDistribution(sample);
    } catch (cause) {
      throw new RangeError(`Cannot put samples together: sample ${i + 1} is no distribution.`, {
        cause,
      });
    }
    if (sample.length !== options) {
      throw new RangeError(
        `Cannot put samples together: sample ${i + 1} has ${sample.length} options, the first ` +
          `${options}.`,
      );
    }
  }
  return Array.from({ length: options }, (_, k) => meanOver(samples, (sample) => sample[k]!));
}

function decomposed(
  samples: readonly (readonly number[])[],
  measure: (probabilities: readonly number[]) => number,
  greatest: (options: number) => number,
): Uncertainty | Unavailable {
  const mean = meanDistribution(samples);
  if (samples.length < 2) {
    return unavailable(`${samples.length === 0 ? "no" : "a single"} sample cannot vary`);
  }
  if (mean.length === 1) return unavailable("there is a single option");
  const [total, aleatoric] = [measure(mean), meanOver(samples, measure)];
  // Concave measures: below 0 only by rounding.
  const raw = { total, aleatoric, epistemic: Math.max(0, total - aleatoric) };
  const unit = greatest(mean.length);
  const share = (part: number) => Math.min(1, part / unit);
  const normalised = {
    total: share(raw.total),
    aleatoric: share(raw.aleatoric),
    epistemic: share(raw.epistemic),
  };
  return { kind: "uncertainty", raw, normalised };
}

/** Gini–Simpson index Σ p (1 − p), 0 for a certain answer. */
function spread(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, p) => sum + p * (1 - p), 0);
}

function meanOver<Sample>(samples: readonly Sample[], measure: (sample: Sample) => number): number {
  return samples.reduce((sum, sample) => sum + measure(sample), 0) / samples.length;
}

/** Logistic function 1 / (1 + e⁻ˣ) without overflow: converts log-odds in nats to a probability. */
export const logistic = (odds: number): number =>
  odds >= 0 ? 1 / (1 + Math.exp(-odds)) : Math.exp(odds) / (1 + Math.exp(odds));

/** Softmax without overflow. */
export function softmax(logits: readonly number[]): number[] {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/**
 * Computes the semantic entropy, in nats, of several answers to one query.
 *
 * Equivalent answers form a cluster (Farquhar et al. 2024, Nature 630, 625–630; Kuhn et al. 2023,
 * arXiv 2302.09664). `entropy` is that of the clusters' shares of the answers, 0 to ln k for k
 * answers; `share` is its proportion of ln k. `weighted` is the entropy of their shares of
 * probability. It requires every answer's mean log-probability per token, which is independent of
 * length. Unavailable for fewer than two answers.
 * @param clusters Answers of each cluster.
 */
export function semanticEntropy(
  clusters: readonly (readonly { readonly meanLogProbability: number | undefined }[])[],
) {
  const all = clusters.flat();
  if (all.length < 2) {
    return unavailable(`${all.length === 0 ? "no" : "a single"} answer cannot vary`);
  }
  const known = all.map((one) => one.meanLogProbability).filter((value) => value !== undefined);
  const weights = known.length === all.length ? softmax(known) : undefined;
  const ends = clusters.map((_, i) => clusters.slice(0, i + 1).flat().length);
  const weightOf = (i: number) =>
    weights!.slice(ends[i - 1] ?? 0, ends[i]).reduce((sum, weight) => sum + weight, 0);
  const entropy = shannonEntropy(clusters.map(({ length }) => length / all.length));
  return {
    kind: "entropy" as const,
    entropy,
    share: Math.min(1, entropy / Math.log(all.length)),
    weighted: weights && shannonEntropy(clusters.map((_, i) => weightOf(i))),
  };
}
