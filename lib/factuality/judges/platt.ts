/** P = 1 / (1 + exp(−(slope × x + intercept))), x being what a model says. */
export interface PlattScaling {
  readonly slope: number;
  readonly intercept: number;
}

/** Beyond these probabilities a model's own certainty is cut off: log-odds of ±6.9. */
const LEAST_PROBABILITY = 0.001;

/** log(p / (1 − p)) in nats, p cut off at 0.001 and 0.999. */
export function logOdds(probability: number): number {
  const p = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, probability));
  return Math.log(p / (1 - p));
}

/** The calibrated probability of a model's own. */
export function calibrated(probability: number, scaling: PlattScaling | undefined): number {
  if (scaling === undefined) return probability;
  return logistic(scaling.slope * logOdds(probability) + scaling.intercept);
}

function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** What labels are taken for, so that data that can be told apart do not make the slope infinite. */
function targets(labels: readonly boolean[]): readonly number[] {
  const positive = labels.filter(Boolean).length;
  const negative = labels.length - positive;
  return labels.map((label) => label ? (positive + 1) / (positive + 2) : 1 / (negative + 2));
}

function loss(xs: readonly number[], ts: readonly number[], { slope, intercept }: PlattScaling) {
  return xs.reduce((sum, x, i) => {
    const z = slope * x + intercept;
    // −t·log σ(z) − (1 − t)·log σ(−z), without overflow.
    return sum + (1 - ts[i]!) * z + Math.log1p(Math.exp(-Math.abs(z))) + Math.max(-z, 0);
  }, 0);
}

/** Gradient and Hessian of the loss, which is convex. */
function derivatives(
  xs: readonly number[],
  ts: readonly number[],
  { slope, intercept }: PlattScaling,
) {
  const d = { slope: 0, intercept: 0, slope2: 1e-12, intercept2: 1e-12, mixed: 0 };
  xs.forEach((x, i) => {
    const p = logistic(slope * x + intercept);
    const weight = p * (1 - p);
    d.slope += (p - ts[i]!) * x;
    d.intercept += p - ts[i]!;
    d.slope2 += weight * x * x;
    d.intercept2 += weight;
    d.mixed += weight * x;
  });
  return d;
}

/** One Newton step, halved until the loss does not grow; undefined where none helps any more. */
function step(xs: readonly number[], ts: readonly number[], at: PlattScaling) {
  const d = derivatives(xs, ts, at);
  const determinant = d.slope2 * d.intercept2 - d.mixed ** 2;
  const slopeStep = -(d.intercept2 * d.slope - d.mixed * d.intercept) / determinant;
  const interceptStep = -(d.slope2 * d.intercept - d.mixed * d.slope) / determinant;
  const before = loss(xs, ts, at);
  for (let share = 1; share > 1e-10; share /= 2) {
    const next = {
      slope: at.slope + share * slopeStep,
      intercept: at.intercept + share * interceptStep,
    };
    if (loss(xs, ts, next) < before - 1e-12) return next;
  }
  return undefined;
}

/**
 * Fits Platt's scaling by maximum likelihood (Platt 1999, with his softened targets; Newton's method
 * after Lin, Lin and Weng 2007, Machine Learning 68).
 *
 * @param xs What the model says, as log-odds or any finite score.
 * @param labels Whether it was so; both must occur.
 * @throws {RangeError} for other labels, lengths that differ, or scores that are not finite.
 */
export function fitPlatt(xs: readonly number[], labels: readonly boolean[]): PlattScaling {
  if (xs.length !== labels.length || !labels.includes(true) || !labels.includes(false)) {
    throw new RangeError(
      `Cannot fit Platt's scaling: there are ${xs.length} scores and ${labels.length} labels, and ` +
        "both labels must occur",
    );
  }
  const wrong = xs.find((x) => !Number.isFinite(x));
  if (wrong !== undefined) throw new RangeError(`Cannot fit Platt's scaling: a score is ${wrong}`);
  const ts = targets(labels);
  const positive = labels.filter(Boolean).length;
  let at: PlattScaling = {
    slope: 0,
    intercept: Math.log((positive + 1) / (labels.length - positive + 1)),
  };
  // Some ten steps as a rule.
  for (let next = step(xs, ts, at), count = 0; next !== undefined && count < 100; count++) {
    at = next;
    next = step(xs, ts, at);
  }
  return at;
}
