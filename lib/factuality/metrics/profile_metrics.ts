/** Metrics of a profile: names, units of `n`, and measurement with intervals. */
import {
  type Bounds,
  CONFIDENCE,
  type KnownMeasure,
  type Measure,
  shown,
} from "../../stats/measure.ts";
import { type AgreementBand, type Unavailable, unavailable } from "../../stats/agreement.ts";
import { fleissKappa, gwetAc1, krippendorffAlpha } from "../../stats/multirater.ts";
import type { UncertaintyParts } from "../../stats/uncertainty.ts";
import { type ClaimRating, type ConsensusScore, meanConsensus, ratedItems } from "./agreement.ts";
import { BINARY_LABELS, figureInterval, meanOrUndefined } from "./classification.ts";
import type { PointEstimate, QueryResult, StatisticOf } from "./classification.ts";
import { type AbstentionOutcome, claimCounts, type ClassifiedResponse } from "./rates.ts";
import { factScore } from "./rates.ts";
import { factualPrecision, isKnown, macroRate, meanMicroRate } from "./rates.ts";
import { pooledCounts, pooledMicroRate, queriesOf, refusalInterval, refusalRate } from "./rates.ts";

const share = (title: string, better: "lower" | "higher", counted: string) =>
  ({ title, better, scale: "share", counted }) as const;
const agreement = (title: string) =>
  ({ title, better: "higher", scale: "agreement", counted: "claims rated" }) as const;

/**
 * Metrics of a profile, in the order of tables and figures. Shares are 0–1, agreement coefficients
 * at most 1 and negative below chance, counts ≥ 0. `counted` names the unit of `n`.
 */
export const PROFILE_METRICS = {
  mihr: share("MiHR", "lower", "responses with claims"),
  mihrRefuted: share("MiHR, refuted only", "lower", "responses with claims"),
  mihrPooled: share("MiHR pooled", "lower", "claims"),
  mihrPooledRefuted: share("MiHR pooled, refuted only", "lower", "claims"),
  mahr: share("MaHR", "lower", "responses"),
  mahrRefuted: share("MaHR, refuted only", "lower", "responses"),
  factualPrecision: share("FActScore", "higher", "claims"),
  factScore: share("FActScore, length-penalised", "higher", "responses with claims"),
  factScoreUnpenalised: share("FActScore, mean of responses", "higher", "responses with claims"),
  respondRatio: share("Respond ratio", "higher", "responses"),
  factsPerResponse: {
    title: "Facts per response",
    better: "neither",
    scale: "count",
    counted: "responses with claims",
  },
  consensusPrecision: share("Consensus precision", "higher", "queries"),
  consensusRecall: share("Consensus recall", "higher", "queries"),
  consensusF1: share("Consensus F1, mean of queries", "higher", "queries"),
  consensusF1OfMeans: share("Consensus F1 of mean precision and recall", "higher", "queries"),
  fleissKappa: agreement("Fleiss' κ"),
  krippendorffAlpha: agreement("Krippendorff's α"),
  gwetAc1: agreement("Gwet's AC1"),
  uncertainty: share("Uncertainty", "lower", "questions"),
  epistemicUncertainty: share("Epistemic part", "lower", "questions"),
  aleatoricUncertainty: share("Aleatoric part", "lower", "questions"),
  falseAcceptance: share("False acceptance", "lower", "queries"),
  overRefusal: share("Over-refusal", "lower", "queries"),
} as const;

export type ProfileMetricName = keyof typeof PROFILE_METRICS;
export const PROFILE_METRIC_NAMES = Object.keys(PROFILE_METRICS) as readonly ProfileMetricName[];

/** A metric with its `n` (see {@link PROFILE_METRICS}) and its interval. */
interface MeasuredMetric {
  readonly kind: "measured";
  readonly estimate: number;
  readonly n: number;
  readonly interval:
    | Readonly<Record<"low" | "high" | "confidence", number> & { kind: "interval" }>
    | Unavailable;
  /**
   * Observed and expected agreement (0–1) of a κ, and its verbal band (requirements 17.2, 17.3).
   */
  readonly agreement?: Readonly<{ observed: number; expected: number; band: AgreementBand }>;
}
export type ProfileMetric = MeasuredMetric | Unavailable;
export type ProfileMetrics = Readonly<Record<ProfileMetricName, ProfileMetric>>;

/** Makes a metric with its interval, or with the reason why it has none. */
export function profileMetric(
  estimate: PointEstimate,
  n: number,
  interval: Measure,
  agreement?: NonNullable<MeasuredMetric["agreement"]>,
): ProfileMetric {
  if (typeof estimate !== "number") return unavailable(estimate.reason);
  const agreementPart = agreement && { agreement };
  if (interval.kind !== "interval") {
    const none = unavailable(interval.reason ?? "no interval");
    return { kind: "measured", estimate, n, interval: none, ...agreementPart };
  }
  const { kind, low, high } = interval;
  const ends = { kind, low, high, confidence: CONFIDENCE };
  return { kind: "measured", estimate, n, interval: ends, ...agreementPart };
}

/** Observed and expected agreement in words. */
export const sharesWords = (shares: { readonly observed: number; readonly expected: number }) =>
  `observed agreement ${shares.observed.toFixed(2)}, expected ${shares.expected.toFixed(2)}`;

/**
 * Formats a metric as `0.31 [0.20, 0.40], n = 40`. A κ has Po, Pe and band. Without a number or an
 * interval it states the reason.
 */
export function metricWords(metric: ProfileMetric): string {
  if (metric.kind === "unavailable") return `– ${metric.reason}`;
  const { n, interval, agreement } = metric;
  const agreementText = agreement ? ` (${agreement.band}; ${sharesWords(agreement)})` : "";
  const doubt = interval.kind === "unavailable" ? `; no interval: ${interval.reason}` : "";
  return `${shown(plottedMeasure(metric), "decimal")}, n = ${n}${agreementText}${doubt}`;
}

/** Converts a metric for plotting; one without an interval becomes a point. */
export function plottedMeasure({ estimate, interval }: MeasuredMetric): KnownMeasure {
  if (interval.kind === "unavailable") return { kind: "value", estimate };
  return { kind: "interval", estimate, low: interval.low, high: interval.high };
}

type Responses = readonly ClassifiedResponse[];

/** A metric of responses with its unit of `n`. Its interval is by cluster unless given. */
interface ResponseMetric {
  readonly figure: StatisticOf<ClassifiedResponse>;
  readonly n: (responses: Responses) => number;
  /** Restricts the metric to some responses; by default it covers all. */
  readonly isOf?: (response: ClassifiedResponse) => boolean;
  readonly bounds?: Bounds;
}

const withClaims = (responses: Responses) =>
  responses.filter(({ claims }) => claimCounts(claims).scored > 0).length;
const scoredClaims = (responses: Responses) => pooledCounts(responses).scored;
const responded = (responses: Responses) => factScore(responses).responded;
const respondRatio = (responses: Responses) => factScore(responses).respondRatio;
const macro = (scope: "refuted" | "unsupported"): ResponseMetric => ({
  figure: (all) => macroRate(all, scope),
  n: (all) => all.filter(isKnown).length,
  isOf: isKnown,
});

/** Metrics computed from responses alone. */
export const RESPONSE_METRICS = {
  mihr: { figure: (all) => meanMicroRate(all, "unsupported"), n: withClaims },
  mihrRefuted: { figure: (all) => meanMicroRate(all, "refuted"), n: withClaims },
  mihrPooled: { figure: (all) => pooledMicroRate(all, "unsupported"), n: scoredClaims },
  mihrPooledRefuted: { figure: (all) => pooledMicroRate(all, "refuted"), n: scoredClaims },
  mahr: macro("unsupported"),
  mahrRefuted: macro("refuted"),
  factualPrecision: { figure: factualPrecision, n: scoredClaims },
  factScore: { figure: (all) => factScore(all).score, n: responded },
  factScoreUnpenalised: { figure: (all) => factScore(all).unpenalised, n: responded },
  respondRatio: { figure: respondRatio, n: (all) => all.length },
  factsPerResponse: {
    figure: (all) => factScore(all).factsPerResponse,
    n: responded,
    bounds: [0, Infinity],
  },
} as const satisfies Readonly<Partial<Record<ProfileMetricName, ResponseMetric>>>;

type ResponseMetricName = keyof typeof RESPONSE_METRICS;

/** Measures every response metric with its interval by cluster. */
export function measureResponses(responses: Responses) {
  const metrics = Object.entries<ResponseMetric>(RESPONSE_METRICS).map(([name, metric]) => {
    const { figure, n, isOf = () => true, bounds } = metric;
    const interval = figureInterval(responses.filter(isOf), figure, bounds);
    return [name, profileMetric(figure(responses), n(responses), interval)];
  });
  return Object.fromEntries(metrics) as Record<ResponseMetricName, ProfileMetric>;
}

/**
 * F1 of mean precision and recall over queries, 2PR / (P + R) (requirement 16.4); 0 where both are
 * 0 (16.5).
 */
function f1OfMeans(scores: readonly ConsensusScore[]): PointEstimate {
  const [precision, recall] = (["precision", "recall"] as const)
    .map((figure) => meanConsensus(scores, figure)) as [PointEstimate, PointEstimate];
  if (typeof precision !== "number") return precision;
  if (typeof recall !== "number") return recall;
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}

/** Measures precision, recall and F1 against the other models' consensus, as means over queries. */
export function measureConsensus(scores: readonly ConsensusScore[]) {
  const measured = (figure: "precision" | "recall" | "f1") => {
    if (scores.length === 0) return unavailable("no query was answered by another model too");
    const known = scores.filter((score) => typeof score[figure] === "number");
    const meanOf = (some: typeof scores) => meanConsensus(some, figure);
    const interval = figureInterval(known, meanOf);
    return profileMetric(meanOf(scores), known.length, interval);
  };
  return {
    consensusPrecision: measured("precision"),
    consensusRecall: measured("recall"),
    consensusF1: measured("f1"),
    consensusF1OfMeans: scores.length === 0
      ? measured("f1")
      : profileMetric(f1OfMeans(scores), scores.length, figureInterval(scores, f1OfMeans)),
  };
}

type RatedClaims = readonly ReturnType<typeof ratedItems>["items"][number][];

/**
 * States why raters cannot be compared, and how many are left. A rater at chance agrees with no
 * one.
 */
function notMeaningful(ratings: readonly ClaimRating[]) {
  const { raters, whole } = ratedItems(ratings);
  if (raters.length < 2) {
    return unavailable(raters.length === 0 ? "no claim was rated" : "fewer than two raters");
  }
  const byChance = raters.filter((one) =>
    ratings.some(({ rater, aboveChance }) => rater === one && !aboveChance)
  );
  const { observed, expected } = fleissKappa(whole, BINARY_LABELS);
  const shares = observed === undefined
    ? ""
    : `; of all ${raters.length}: ${sharesWords({ observed, expected: expected! })}`;
  return unavailable(
    `not meaningful, for not measured above chance: ${byChance.join(", ")}${shares}`,
  );
}

/**
 * Measures agreement beyond chance among raters above chance (requirements 17.1–17.4). Fleiss' κ,
 * with observed and expected agreement and its band, needs equally many ratings per claim and
 * covers only claims that every such rater rated. Krippendorff's α and Gwet's AC1 admit missing
 * ratings. @throws {RangeError} for a label outside `SIDES`, and for two ratings of one claim by
 * one rater.
 */
export function measureRatings(
  ratings: readonly ClaimRating[],
): Readonly<Record<"fleissKappa" | "krippendorffAlpha" | "gwetAc1", ProfileMetric>> {
  const { raters, items, whole } = ratedItems(ratings.filter(({ aboveChance }) => aboveChance));
  if (raters.length < 2) {
    const none = notMeaningful(ratings);
    return { fleissKappa: none, krippendorffAlpha: none, gwetAc1: none };
  }
  const kappas = (drawn: RatedClaims) => {
    const kappa = fleissKappa(drawn, BINARY_LABELS);
    return kappa.kind === "fleiss" ? kappa.kappa : kappa;
  };
  const fleiss = (): ProfileMetric => {
    if (whole.length === 0) return unavailable("no claim was rated by every rater");
    const fleiss = fleissKappa(whole, BINARY_LABELS);
    if (fleiss.kind === "unavailable") {
      return unavailable(`${fleiss.reason}; observed agreement ${fleiss.observed?.toFixed(2)}`);
    }
    const { kappa, observed, expected, band } = fleiss;
    const interval = figureInterval(whole, kappas, [-1, 1]);
    return profileMetric(kappa, fleiss.items, interval, { observed, expected, band });
  };
  const alphaOf = (some: RatedClaims) =>
    krippendorffAlpha(
      some.map((one) =>
        one.labels.map((label) => BINARY_LABELS.findIndex((side) => side === label))
      ),
      "nominal",
    );
  const [alpha, ac1] = [alphaOf(items), gwetAc1(items, BINARY_LABELS)];
  const alphas = (drawn: RatedClaims) => {
    const alpha = alphaOf(drawn);
    return alpha.kind === "alpha" ? alpha.alpha : alpha;
  };
  const ac1s = (drawn: RatedClaims) => {
    const ac1 = gwetAc1(drawn, BINARY_LABELS);
    return ac1.kind === "ac1" ? ac1.ac1 : ac1;
  };
  return {
    fleissKappa: fleiss(),
    krippendorffAlpha: alpha.kind === "unavailable" ? alpha : profileMetric(
      alpha.alpha,
      alpha.units,
      figureInterval(items, alphas, [-1, 1]),
    ),
    gwetAc1: ac1.kind === "unavailable"
      ? ac1
      : profileMetric(ac1.ac1, ac1.items, figureInterval(items, ac1s, [-1, 1])),
  };
}

/** Uncertainty about one question as shares of the maximum. Free-text answers have no parts. */
export interface QueryUncertainty extends QueryResult {
  readonly parts: Pick<UncertaintyParts, "total"> & Partial<UncertaintyParts>;
}

/** Measures the mean uncertainty over questions, and its two parts. */
export function measureUncertainties(all: readonly QueryUncertainty[]) {
  const measured = (part: keyof UncertaintyParts) => {
    const known = all.filter(({ parts }) => parts[part] !== undefined);
    const none = all.length === 0
      ? "no question was sampled several times"
      : "of answers in words only the whole is known";
    const meanOf = (some: readonly QueryUncertainty[]) =>
      meanOrUndefined(some.map(({ parts }) => parts[part]!)) ?? unavailable(none);
    const interval = figureInterval(known, meanOf);
    return profileMetric(meanOf(known), known.length, interval);
  };
  return {
    uncertainty: measured("total"),
    epistemicUncertainty: measured("epistemic"),
    aleatoricUncertainty: measured("aleatoric"),
  };
}

/** Measures false acceptance of invented things and refusal of real ones. */
export function measureRefusals(outcomes: readonly AbstentionOutcome[]) {
  const measured = (rate: "false acceptance" | "over-refusal") => {
    const interval = refusalInterval(outcomes, rate);
    return profileMetric(refusalRate(outcomes, rate), queriesOf(outcomes, rate).length, interval);
  };
  return {
    falseAcceptance: measured("false acceptance"),
    overRefusal: measured("over-refusal"),
  };
}
