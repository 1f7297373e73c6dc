/** The hallucination profile of one model: every metric, its reliability and risk, its claims. */
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import { damageReason } from "../../files/csv.ts";
import { everyTwo, unavailable } from "../../stats/agreement.ts";
import { shownNumber } from "../../stats/measure.ts";
import { HIGH_UNCERTAINTY } from "../../stats/uncertainty.ts";
import { isAccepted } from "../decision.ts";
import { weightFromAccuracy } from "../judges/ensemble.ts";
import { finiteJson, parsedJson } from "../report/formats.ts";
import type { ClaimResult, Evaluation, MeasuredAccuracy, Named } from "../types.ts";
import { claimAgreement, meanConsensus } from "./agreement.ts";
import type { ClaimRating, ConsensusScore } from "./agreement.ts";
import { pairedDifference, sideOf } from "./classification.ts";
import { measureConsensus, measureRatings, measureRefusals } from "./profile_metrics.ts";
import { measureResponses } from "./profile_metrics.ts";
import { measureUncertainties, PROFILE_METRIC_NAMES, PROFILE_METRICS } from "./profile_metrics.ts";
import { profileMetric, RESPONSE_METRICS } from "./profile_metrics.ts";
import type { ProfileMetricName, ProfileMetrics, QueryUncertainty } from "./profile_metrics.ts";
import { type AbstentionOutcome, type ClassifiedResponse, pooledCounts } from "./rates.ts";

/** All that a profile is compiled from. What was not measured is an empty list. */
export interface ProfileInput {
  readonly model: string;
  /** Of this model, one a query. */
  readonly responses: readonly ClassifiedResponse[];
  /** Of this model, one a query that several models answered. */
  readonly consensus: readonly ConsensusScore[];
  /** Of claims of this model. */
  readonly ratings: readonly ClaimRating[];
  readonly uncertainties: readonly QueryUncertainty[];
  readonly refusals: readonly AbstentionOutcome[];
  /** Responses that are in no figure, and why: their text or source is not English. */
  readonly leftOut?: readonly Readonly<Record<"query" | "reason", string>>[];
  /** When, in ISO 8601 and UTC; models, verifier, prompts, seeds: whatever could change a figure. */
  readonly provenance: Readonly<{
    madeAt: string;
    settings: Readonly<Record<string, string | number | boolean>>;
  }>;
  /** Of the intervals. */
  readonly seed: number | string;
}

/** What this Touchstone writes and reads. */
const PROFILE_SCHEMA_VERSION = 1;

/** All that is known of how far a model's claims can be relied upon. */
export type HallucinationProfile = ReturnType<typeof hallucinationProfile>;

/** Compiles the profile of one model. Nothing that was not measured becomes a number. */
export function hallucinationProfile(input: ProfileInput) {
  const { model, responses, consensus, ratings, provenance, seed } = input;
  const metrics: ProfileMetrics = {
    ...measureResponses(responses),
    ...measureConsensus(consensus),
    ...measureRatings(ratings),
    ...measureUncertainties(input.uncertainties),
    ...measureRefusals(input.refusals),
  };
  return {
    schemaVersion: PROFILE_SCHEMA_VERSION as typeof PROFILE_SCHEMA_VERSION,
    model,
    reliability: reliability(metrics),
    risk: riskFlag(metrics),
    metrics,
    /** What could not be computed, and why. */
    notComputed: PROFILE_METRIC_NAMES.flatMap((metric) => {
      const found = metrics[metric];
      return found.kind === "unavailable" ? [{ metric, reason: found.reason }] : [];
    }),
    counts: pooledCounts(responses),
    claims: claimAgreement(ratings),
    /** Every response with its classified claims, and its score against the others' consensus. */
    responses,
    ...input.leftOut && input.leftOut.length > 0 && { leftOut: input.leftOut },
    consensus,
    provenance,
    /** Of the drawing of queries, where there was one; intervals need none. */
    seed,
  };
}

type Thresholds = readonly {
  readonly metric: ProfileMetricName;
  readonly side: "above" | "below";
  readonly value: number;
}[];

/** The specification's: what flags a model as high risk. */
export const HIGH_RISK: Thresholds = [
  { metric: "mihr", side: "above", value: 0.3 },
  { metric: "fleissKappa", side: "below", value: 0.4 },
  { metric: "uncertainty", side: "above", value: HIGH_UNCERTAINTY },
];

/**
 * What keeps a model from "high": conventions, for the specification names none. A third of what is
 * high risk; agreement under "substantial" (requirement 17.3); half of all uncertainty.
 */
export const NOT_HIGH: Thresholds = [
  { metric: "mihr", side: "above", value: 0.1 },
  { metric: "fleissKappa", side: "below", value: 0.6 },
  { metric: "uncertainty", side: "above", value: 0.5 },
];

/**
 * Whether a model must not be relied upon unchecked: high risk where one estimate passes its threshold;
 * equal to it is not past it. Metrics that are not known could still raise the flag.
 */
export function riskFlag(metrics: ProfileMetrics) {
  const reasons = crossings(metrics, HIGH_RISK);
  const unknown = HIGH_RISK.map(({ metric }) => metric)
    .filter((metric) => metrics[metric].kind === "unavailable");
  return { high: reasons.length > 0, reasons, unknown };
}

/** Low at high risk; high where MiHR, κ and uncertainty pass {@link NOT_HIGH}; else medium. */
export function reliability(metrics: ProfileMetrics) {
  const risk = riskFlag(metrics);
  if (risk.unknown.length === HIGH_RISK.length) {
    return unavailable("neither MiHR nor agreement nor uncertainty is known");
  }
  const words = (reasons: ReturnType<typeof crossings>) => reasons.map(({ words }) => words);
  const found = (level: "high" | "medium" | "low", reasons: readonly string[]) =>
    ({ kind: "reliability", level, reasons }) as const;
  if (risk.high) return found("low", words(risk.reasons));
  const unknown = risk.unknown.map((metric) => `${PROFILE_METRICS[metric].title} is not known`);
  const reasons = [...words(crossings(metrics, NOT_HIGH)), ...unknown];
  return found(reasons.length === 0 ? "high" : "medium", reasons);
}

/** Estimates past a threshold; certain where the whole interval is, for the reader in words. */
function crossings(metrics: ProfileMetrics, thresholds: Thresholds) {
  return thresholds.flatMap(({ metric, side, value: threshold }) => {
    const measured = metrics[metric];
    if (measured.kind === "unavailable") return [];
    const { estimate, interval } = measured;
    const isPast = (number: number) => side === "above" ? number > threshold : number < threshold;
    if (!isPast(estimate)) return [];
    const hasInterval = interval.kind === "interval";
    const certain = hasInterval && isPast(interval.low) && isPast(interval.high);
    const unsure = hasInterval ? ", but its interval reaches across" : ", without an interval";
    const past = `${shownNumber(estimate, "decimal")}, ${side} ${threshold}`;
    const words = `${PROFILE_METRICS[metric].title} is ${past}${certain ? "" : unsure}`;
    return [{ metric, estimate, threshold, certain, words }];
  });
}

/** Profiles side by side. */
export type ProfileComparison = ReturnType<typeof compareProfiles>;

/**
 * Every two models: the first's figure less the second's on shared queries; intervals are 95 %
 * each, not corrected for how many there are. Few metrics, for every further one is a further
 * chance of luck.
 */
export function compareProfiles(profiles: readonly HallucinationProfile[], seed: number | string) {
  const f1 = (scores: readonly ConsensusScore[]) => meanConsensus(scores, "f1");
  const differences = (["mihr", "mihrRefuted", "consensusF1"] as const).flatMap((metric) =>
    everyTwo(profiles).map(([one, other]) => {
      const found = metric === "consensusF1"
        ? pairedDifference(one.consensus, other.consensus, f1)
        : pairedDifference(one.responses, other.responses, RESPONSE_METRICS[metric].figure);
      const difference = found.kind === "unavailable"
        ? found
        : profileMetric(found.estimate, found.n ?? 0, found);
      return { metric, first: one.model, second: other.model, difference };
    })
  );
  return { profiles, differences, seed };
}

/** Profiles as an indented JSON text. @throws {RangeError} for NaN and infinities. */
export const profileJson = (profiles: readonly HallucinationProfile[]) =>
  finiteJson({ schemaVersion: PROFILE_SCHEMA_VERSION, profiles }, "profile");

/** What tells a file of profiles from any other; the rest is as `profileJson` wrote it. */
const METRIC = z.object({ kind: z.enum(["measured", "unavailable"]) });
const FILE = z.object({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  profiles: z.array(z.looseObject({
    schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
    model: z.string(),
    metrics: z.record(z.enum(PROFILE_METRIC_NAMES), METRIC.loose()),
  })).min(1),
});

/** The profiles that {@link profileJson} wrote. @throws {SyntaxError} for anything else. */
export function readProfileJson(text: string, name: string): readonly HallucinationProfile[] {
  const file = withUndefined(parsedJson(text, name));
  const { success, error } = FILE.safeParse(file);
  // The file itself: what was parsed has its keys in another order.
  if (success) return (file as { readonly profiles: readonly HallucinationProfile[] }).profiles;
  throw new SyntaxError(
    `Cannot read ${name} as profiles of schema version ${PROFILE_SCHEMA_VERSION}: ` +
      damageReason(error),
  );
}

/** `undefined` for null, which stands for it in JSON. */
function withUndefined(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(withUndefined);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withUndefined(one)]));
}

/**
 * The profile of ordinary evaluations: candidates as responses, verdicts as classes, verifier and
 * judges as raters; texts that are not English, which the splitter and the verifier cannot read, are
 * left out and named; requests with one source text are one cluster. A claim that was looked up and of
 * which nothing was found is not borne out: it counts as unverifiable. Samples and refusals are those of
 * the model that wrote the candidates, where there are any; `settings` tell whence. `measuredVerifier`
 * knows how good a verifier of these settings is.
 */
export function profileOfEvaluations(
  evaluations: readonly Evaluation[],
  { model, madeAt, seed, measuredVerifier, settings, ...more }:
    & Pick<ProfileInput, "model" | "seed">
    & Partial<Pick<ProfileInput, "consensus" | "uncertainties" | "refusals">>
    & {
      readonly madeAt: string;
      readonly measuredVerifier: MeasuredVerifier;
      readonly settings?: Readonly<Record<string, string>>;
    },
) {
  const english = evaluations.filter(isEnglish);
  return hallucinationProfile({
    model,
    responses: english.map((one) => responseOf(one, model)),
    ratings: english.flatMap((one) => ratingsOf(one, measuredVerifier)),
    leftOut: evaluations.filter((one) => !isEnglish(one)).map((one) => (
      { query: queryOf(one).query, reason: one.foreign!.replace(/\. .*/, ".") }
    )),
    provenance: { madeAt, settings: { ...settingsOf(evaluations), ...settings } },
    seed,
    consensus: [],
    uncertainties: [],
    refusals: [],
    ...more,
  });
}

/** Whether the splitter and the verifier can read text and source. */
export const isEnglish = ({ foreign }: Pick<Evaluation, "foreign">): boolean =>
  foreign === undefined;

/** A candidate as the response of a model, with its claims that can be checked. */
export const responseOf = (one: Evaluation, model: string): ClassifiedResponse => ({
  model,
  ...queryOf(one),
  abstained: false,
  claims: one.claims.filter(isCheckable).map(({ claim: { id, text }, verdict, unverifiable }) => {
    const without = unverifiable ? "not enough info" : undefined;
    return { id, text, label: verdict.kind === "scored" ? verdict.label : without };
  }),
});

const isCheckable = ({ claim }: ClaimResult) => claim.notCheckable === undefined;

/** Candidates written from one source, or to one query, share their luck. */
export function queryOf({ request: { id, source, query = id } }: Evaluation) {
  const cluster = source.trim() === "" ? query : `source ${sha256Hex(source).slice(0, 16)}`;
  return { query, cluster };
}

/** What was measured of a verifier; undefined where nobody has measured one of these settings. */
export type MeasuredVerifier = (verifier: Named) => MeasuredAccuracy | undefined;

export const isAboveChance = (measured: MeasuredAccuracy | undefined) =>
  measured !== undefined && weightFromAccuracy(measured) > 0;

function ratingsOf(evaluation: Evaluation, measuredVerifier: MeasuredVerifier) {
  const ofVerifier = isAboveChance(measuredVerifier(evaluation.configuration.verifier));
  return evaluation.claims.filter(isCheckable).flatMap(
    ({ claim, verdict, judges }): ClaimRating[] => {
      const of = { ...queryOf(evaluation), claimId: claim.id, text: claim.text };
      const vote = (rater: string, accepts: boolean, aboveChance: boolean) => {
        return { ...of, rater, label: sideOf(accepts), aboveChance };
      };
      return [
        ...verdict.kind === "scored"
          ? [vote("verifier", verdict.label === "supported", ofVerifier)]
          : [],
        ...judges.flatMap(({ judge, judgement, measured }) =>
          judgement.kind === "scored"
            ? [vote(judge, isAccepted(judgement.score / 100), isAboveChance(measured))]
            : []
        ),
      ];
    },
  );
}

/** Of every configuration in use, each value once. */
function settingsOf(evaluations: readonly Evaluation[]) {
  const of = (role: string, { name, settings }: Named) => [
    [role, name] as const,
    ...Object.entries(settings).map(([key, value]) =>
      [`${role} ${name}: ${key}`, `${value}`] as const
    ),
  ];
  const settings = evaluations.flatMap(({ configuration }) => {
    const { splitter, retriever, verifier, judges, promptsSha256 } = configuration;
    return [
      ["prompts SHA-256", promptsSha256] as const,
      ...of("splitter", splitter),
      ...retriever === undefined ? [] : of("retriever", retriever),
      ...of("verifier", verifier),
      ...judges.flatMap((judge) => of("judge", judge)),
    ];
  });
  const byKey = [...Map.groupBy(settings, ([key]) => key)];
  const distinct = (own: typeof settings) => [...new Set(own.map(([, value]) => value))].join("; ");
  return Object.fromEntries(byKey.map(([key, own]) => [key, distinct(own)]));
}
