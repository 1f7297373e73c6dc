import {
  binomialDistribution,
  bisect,
  quantile,
  sampleWithReplacement,
  sum,
} from "simple-statistics";
import { type Unavailable, unavailable } from "./agreement.ts";
import type { RandomSource } from "./random.ts";

/**
 * The standard normal quantile z(p): the point below which a share p of the distribution lies.
 *
 * Wichura 1988, algorithm AS 241 (PPND16), Applied Statistics 37(3), 477–484; relative error about
 * 1e-16. simple-statistics' `probit` is not used: it is off by 0.003 at p = 0.975.
 *
 * Throws RangeError unless 0 < p < 1, for at 0 and 1 the quantile is infinite.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(`Cannot take the normal quantile: ${p} is not between 0 and 1.`);
  }
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, CENTRE);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const z = r <= 5 ? ratio(r - 1.6, MIDDLE) : ratio(r - 5, TAIL);
  return q < 0 ? -z : z;
}

/** Coefficients of a rational approximation, highest power first: of what is over and under the line. */
const rational = (over: string, under: string) =>
  [over, under].map((coefficients) => coefficients.split(" ").map(Number)) as [number[], number[]];

function ratio(x: number, [over, under]: readonly [readonly number[], readonly number[]]): number {
  const polynomial = (coefficients: readonly number[]) =>
    coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
  return polynomial(over) / polynomial(under);
}

const CENTRE = rational(
  "2509.0809287301226727 33430.575583588128105 67265.770927008700853 45921.953931549871457 " +
    "13731.693765509461125 1971.5909503065514427 133.14166789178437745 3.387132872796366608",
  "5226.495278852545925 28729.085735721942674 39307.89580009271061 21213.794301586595867 " +
    "5394.1960214247511077 687.1870074920579083 42.313330701600911252 1",
);

const MIDDLE = rational(
  "7.7454501427834140764e-4 0.0227238449892691845833 0.24178072517745061177 1.27045825245236838258 " +
    "3.64784832476320460504 5.7694972214606914055 4.6303378461565452959 1.42343711074968357734",
  "1.05075007164441684324e-9 5.475938084995344946e-4 0.0151986665636164571966 0.14810397642748007459 " +
    "0.68976733498510000455 1.6763848301838038494 2.05319162663775882187 1",
);

const TAIL = rational(
  "2.01033439929228813265e-7 2.71155556874348757815e-5 0.0012426609473880784386 0.026532189526576123093 " +
    "0.29656057182850489123 1.7848265399172913358 5.4637849111641143699 6.6579046435011037772",
  "2.04426310338993978564e-15 1.4215117583164458887e-7 1.8463183175100546818e-5 7.868691311456132591e-4 " +
    "0.0148753612908506148525 0.13692988092273580531 0.59983220655588793769 1",
);

/** An estimate with its confidence interval, all in the units of the statistic. */
export interface Interval {
  readonly kind: "interval";
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** E.g. 0.95. */
  readonly confidence: number;
  /** Number of values behind the estimate. */
  readonly n: number;
}

/** A cluster bootstrap's interval, with what it rests on. */
export interface BootstrapInterval extends Interval {
  /** Number of different clusters: the real sample size. */
  readonly clusters: number;
  /** Resamples on which the statistic could be computed. */
  readonly resamples: number;
}

/** One observation and the cluster (e.g. the lemma) it shares its luck with. */
export interface ClusteredValue<T> {
  readonly cluster: string;
  readonly value: T;
  /** Of samples that are compared, which it is of: each keeps its size in every resample. */
  readonly sample?: string;
}

/** Beyond this share of resamples without a statistic, the percentiles would be those of a subset. */
const MOST_UNDEFINED = 0.05;

/**
 * The Wilson score interval for a proportion (Wilson 1927; Newcombe 1998, method 3), without
 * continuity correction. It assumes independent trials: for clustered items use
 * {@link clusterBootstrap}, or where they are few {@link fewClustersInterval}. A tie is half a success.
 *
 * Throws RangeError if n is no whole number, or successes no multiple of ½ from 0 to n.
 */
export function wilsonInterval(
  successes: number,
  n: number,
  confidence: number,
): Interval | Unavailable {
  if (!Number.isInteger(n) || !Number.isInteger(2 * successes) || successes < 0 || successes > n) {
    throw new RangeError(`Cannot make a Wilson interval: ${successes} of ${n} is no proportion.`);
  }
  return n === 0 ? unavailable("no trials") : wilsonOf(successes / n, n, confidence);
}

/** Of a share of n trials, which need not be whole. */
function wilsonOf(estimate: number, n: number, confidence: number): Interval {
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const centre = estimate + z ** 2 / (2 * n);
  const spread = z * Math.sqrt(estimate * (1 - estimate) / n + z ** 2 / (4 * n ** 2));
  const scale = 1 + z ** 2 / n;
  // At 0 of n and n of n the bound is exact in theory; rounding would miss it by a hair.
  const low = estimate === 0 ? 0 : (centre - spread) / scale;
  const high = estimate === 1 ? 1 : (centre + spread) / scale;
  return { kind: "interval", estimate, low, high, confidence, n };
}

/**
 * Wilson's interval for a share of few clusters, whose percentiles would be too narrow: of the n
 * independent trials that would have its variance, by t and not by the normal distribution (Korn &
 * Graubard 1998, Survey Methodology 24, 193–201, with Wilson's ends).
 * @param share p, 0 < p < 1. @param variance Of p between clusters, > 0. @param clusters ≥ 2.
 */
export function fewClustersInterval(
  share: number,
  { variance, clusters, confidence }: Readonly<
    Record<"variance" | "clusters" | "confidence", number>
  >,
) {
  const p = 1 - (1 - confidence) / 2;
  const n = share * (1 - share) / variance *
    (normalQuantile(p) / studentQuantile(p, clusters - 1)) ** 2;
  return wilsonOf(share, n, confidence);
}

/**
 * The quantile of Student's t for 0 < p < 1: exact for one and two degrees of freedom, else by the
 * expansion of Abramowitz & Stegun 1964, 26.7.5, within 0.2 % for p from 0.9 to 0.99.
 */
export function studentQuantile(p: number, degrees: number): number {
  if (degrees === 1) return Math.tan(Math.PI * (p - 0.5));
  if (degrees === 2) return (2 * p - 1) * Math.sqrt(1 / (2 * p * (1 - p)));
  const z = normalQuantile(p);
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, i) => sum + term / degrees ** i, 0);
}

/**
 * A 95 % percentile interval by resampling whole clusters with replacement (Davison & Hinkley 1997,
 * §3.8; Efron & Tibshirani 1993, ch. 13), because items of one cluster are not independent.
 * Percentiles are interpolated (R's type 7). The order of the items does not change the resamples.
 *
 * Unavailable: no items, a single cluster (of a sample), or a statistic undefined on the items or on more than
 * 5 % of the resamples. Throws RangeError for fewer than 100 resamples or a statistic that is not finite.
 */
export function clusterBootstrap<T>(
  { items, statistic, resamples = 2_000, random }: {
    readonly items: readonly ClusteredValue<T>[];
    /** The figure wanted; undefined where these values do not determine it. */
    readonly statistic: (values: readonly T[]) => number | undefined;
    /** At least 100; 2,000 unless told. */
    readonly resamples?: number;
    readonly random: RandomSource;
  },
): BootstrapInterval | Unavailable {
  if (!Number.isInteger(resamples) || resamples < 100) {
    throw new RangeError(`Cannot bootstrap: ${resamples} resamples are too few, 100 is the least.`);
  }
  if (items.length === 0) return unavailable("no items");
  // In code-unit order, so that a resumed run gives the same.
  const groups = Map.groupBy(items, (item) => item.cluster);
  const clusters = [...groups.keys()].sort().map((name) => groups.get(name)!);
  const samples = [...Map.groupBy(clusters, ([first]) => first!.sample).values()];
  const estimate = finite(statistic(items.map((item) => item.value)));
  if (estimate === undefined) return unavailable("the statistic is undefined on these items");
  if (samples.some(({ length }) => length === 1)) {
    return unavailable("a single cluster says nothing about others");
  }
  const replicates: number[] = [];
  for (let i = 0; i < resamples; i++) {
    const drawn = samples.flatMap((own) =>
      sampleWithReplacement(own, own.length, random.next).flat()
    );
    const replicate = finite(statistic(drawn.map(({ value }) => value)));
    if (replicate !== undefined) replicates.push(replicate);
  }
  if (replicates.length < resamples * (1 - MOST_UNDEFINED)) {
    return unavailable(`undefined on ${resamples - replicates.length} of ${resamples} resamples`);
  }
  const confidence = 0.95;
  const [low, high] = [(1 - confidence) / 2, (1 + confidence) / 2]
    .map((p) => quantile(replicates, p)) as [number, number];
  const counts = { n: items.length, clusters: clusters.length, resamples: replicates.length };
  return { kind: "interval", estimate, low, high, confidence, ...counts };
}

function finite(value: number | undefined): number | undefined {
  if (value === undefined || Number.isFinite(value)) return value;
  throw new RangeError(`Cannot bootstrap: the statistic is ${value}; undefined says "no value".`);
}

/** The smallest accuracy a test against guessing would find. */
interface DetectableEffect {
  readonly kind: "effect";
  /** True accuracy (0.5 … 1) found with the power of 0.8. */
  readonly accuracy: number;
}

/** Two-sided level, and the wanted chance of finding the effect. */
const [ALPHA, POWER] = [0.05, 0.8];

/**
 * The smallest accuracy above 0.5 that the exact two-sided binomial test of n independent trials
 * against 0.5 detects at 5 % with a power of 0.8, found by bisection of the test's exact power to 1e-9.
 * Unavailable where no outcome could reject. Throws RangeError for an n below 1.
 */
export function minimumDetectableEffect(n: number): DetectableEffect | Unavailable {
  if (!(Number.isInteger(n) && n >= 1)) {
    throw new RangeError(`Cannot find an effect: n = ${n} is below 1.`);
  }
  // Below this, a lower tail doubled is at most alpha under guessing. The lower half of
  // simple-statistics' table is whole; it is cut only beyond 99.99 %.
  let tail = 0;
  const cells = binomialDistribution(n, 0.5)!;
  const rejectsFrom = n - cells.findIndex((cell) => 2 * (tail += cell) > ALPHA) + 1;
  if (rejectsFrom > n) {
    return unavailable(`no outcome of ${n} trials rejects guessing at α = ${ALPHA}`);
  }
  // Where the table was cut, the chance left is below 1e-4 and taken as 0: far below any power asked.
  const lacking = (accuracy: number) =>
    1 - sum(binomialDistribution(n, accuracy)!.slice(0, rejectsFrom)) - POWER;
  return { kind: "effect", accuracy: bisect(lacking, 0.5, 1, 100, 1e-9) };
}

/** Of so many things the group of each, named by its first member: pairs join them, in chains. */
export function joined(count: number, pairs: Iterable<readonly [number, number]>) {
  const parents = Array.from({ length: count }, (_, at) => at);
  const rootOf = (at: number): number => {
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (const [one, other] of pairs) {
    const [a, b] = [rootOf(one), rootOf(other)];
    // The lower becomes the root, so that groups keep the order of their first members.
    parents[Math.max(a, b)] = Math.min(a, b);
  }
  return parents.map((_, at) => rootOf(at));
}
