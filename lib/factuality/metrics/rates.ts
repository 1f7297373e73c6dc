/**
 * Rates over a model's claims: MiHR, MaHR, factual precision, FActScore, false acceptance and
 * over-refusal.
 */
import { unavailable } from "../../stats/agreement.ts";
import type { VerdictLabel } from "../types.ts";
import {
  figureInterval,
  meanOrUndefined,
  type PointEstimate,
  type QueryResult,
} from "./classification.ts";

/** One claim of a response with its verdict. */
export interface ClassifiedClaim {
  /** Id, unique in its response. */
  readonly id: string;
  readonly text: string;
  /** Undefined without a verdict: such a claim is in no rate and is counted separately. */
  readonly label: VerdictLabel | undefined;
}

/** One model's classified response to one query. The cluster is the query or its entity. */
export interface ClassifiedResponse extends QueryResult {
  readonly model: string;
  /** True where the model declined to answer. Such a response has no factual precision. */
  readonly abstained: boolean;
  /** Checkable claims; questions, opinions and the like are excluded. */
  readonly claims: readonly ClassifiedClaim[];
}

/** Counts of claims by class, without a verdict (`unscored`), and with one (`scored`). */
const NONE = { supported: 0, refuted: 0, unverifiable: 0, unscored: 0, scored: 0 };
type ClaimCounts = Readonly<typeof NONE>;

/** Cache of counts, since a jackknife asks for the same responses repeatedly. */
const cachedCounts = new WeakMap<readonly ClassifiedClaim[], ClaimCounts>();

/** Counts claims by verdict. */
export function claimCounts(claims: readonly ClassifiedClaim[]): ClaimCounts {
  const known = cachedCounts.get(claims);
  if (known !== undefined) return known;
  const counts = { ...NONE };
  for (const { label = "unscored" } of claims) {
    counts[label === "not enough info" ? "unverifiable" : label]++;
    if (label !== "unscored") counts.scored++;
  }
  cachedCounts.set(claims, counts);
  return counts;
}

type Responses = readonly ClassifiedResponse[];

/** Counts the claims of several responses together. */
export function pooledCounts(responses: Responses): ClaimCounts {
  const sum = { ...NONE };
  for (const { claims } of responses) {
    const counts = claimCounts(claims);
    for (const name of Object.keys(sum) as (keyof ClaimCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

/**
 * Definitions of hallucination: refuted claims only, or all unsupported ones (MiHR as specified).
 */
export const HALLUCINATION_SCOPES = ["refuted", "unsupported"] as const;
type Scope = typeof HALLUCINATION_SCOPES[number];

const hallucinated = ({ refuted, unverifiable }: ClaimCounts, scope: Scope) =>
  scope === "refuted" ? refuted : refuted + unverifiable;

/**
 * MiHR of one response: hallucinated / scored claims, 0–1 (HaluEval 2.0, arXiv 2401.03205).
 * Unavailable, with a flag, without scored claims.
 */
export function responseRate({ claims }: ClassifiedResponse, scope: Scope) {
  const counts = claimCounts(claims);
  if (counts.scored > 0) {
    return { counts, rate: hallucinated(counts, scope) / counts.scored, flag: undefined };
  }
  const flag = claims.length === 0 ? "no claims" as const : "no claim was scored" as const;
  return { counts, rate: unavailable(flag), flag };
}

/** Hallucinated / scored claims over all responses, 0–1; unavailable without any. */
export function pooledMicroRate(responses: Responses, scope: Scope): PointEstimate {
  const counts = pooledCounts(responses);
  return counts.scored > 0 ? hallucinated(counts, scope) / counts.scored : nothingScored(responses);
}

/**
 * MiHR as published: the mean over responses of hallucinated / scored claims, 0–1 (HaluEval 2.0,
 * arXiv 2401.03205). Unavailable where no response has a scored claim.
 */
export function meanMicroRate(responses: Responses, scope: Scope): PointEstimate {
  const rates = responses.map((response) => responseRate(response, scope).rate);
  return meanOrUndefined(rates.filter((rate) => typeof rate === "number")) ??
    nothingScored(responses);
}

/**
 * MaHR: responses with a hallucination / responses, 0–1 (HaluEval 2.0, arXiv 2401.03205). A
 * response without claims counts as one without a hallucination. A response without any scored
 * claim is excluded. The rate is a lower bound where some claims are unscored. Unavailable without
 * responses.
 */
export function macroRate(responses: Responses, scope: Scope): PointEstimate {
  const known = responses.filter(isKnown);
  if (known.length === 0) return nothingScored(responses);
  const has = known.filter(({ claims }) => hallucinated(claimCounts(claims), scope) > 0);
  return has.length / known.length;
}

/** Tests whether a response is known to have a hallucination or none. */
export function isKnown({ claims }: ClassifiedResponse): boolean {
  const { scored, unscored } = claimCounts(claims);
  return scored > 0 || unscored === 0;
}

function nothingScored(responses: Responses) {
  if (responses.length === 0) return unavailable("no responses");
  const hasClaims = responses.some(({ claims }) => claims.length > 0);
  return unavailable(hasClaims ? "no claim was scored" : "no claims");
}

/**
 * Supported / scored claims over all responses, 0–1, the requirements' FactScore. See {@link
 * factScore}.
 */
export function factualPrecision(responses: Responses): PointEstimate {
  const { supported, scored } = pooledCounts(responses);
  return scored === 0 ? unavailable("no claim was scored") : supported / scored;
}

/** Number of facts (γ) from which no length penalty applies, as published. */
const GAMMA = 10;

/**
 * FActScore (Min et al. 2023, arXiv 2305.14251; `factscorer.py`). It is the mean over answering
 * responses of supported/n × penalty; the penalty is e^(1 − γ/n) for n ≤ γ = 10 scored facts, and 1
 * for more. A response without facts is excluded from the means, lowers the respond ratio and is
 * counted separately.
 */
export function factScore(responses: Responses) {
  const answering = responses.filter(({ abstained }) => !abstained);
  const counts = answering.map(({ claims }) => claimCounts(claims))
    .filter(({ scored }) => scored > 0);
  const none = responses.length === 0 ? "no responses" : "no response has a fact that was scored";
  const meanOf = (value: (counts: ClaimCounts) => number) =>
    meanOrUndefined(counts.map(value)) ?? unavailable(none);
  const penalty = (facts: number) => facts > GAMMA ? 1 : Math.exp(1 - GAMMA / facts);
  return {
    score: meanOf((each) => each.supported / each.scored * penalty(each.scored)),
    unpenalised: meanOf(({ supported, scored }) => supported / scored),
    respondRatio: responses.length === 0 ? unavailable(none) : counts.length / responses.length,
    factsPerResponse: meanOf(({ scored }) => scored),
    responded: counts.length,
    abstained: responses.length - answering.length,
    withoutFacts: answering.length - counts.length,
  };
}

/** A query about an entity, with the model's decision to answer or decline. */
export interface AbstentionOutcome extends QueryResult {
  /** True where the entity exists. */
  readonly exists: boolean;
  /** Undefined where the decision could not be classified: in no rate. */
  readonly abstained: boolean | undefined;
}

/**
 * Refusal rates. False acceptance is the share of queries about invented entities that the model
 * answers (HalluLens). A model that always refuses scores 0, so over-refusal is given too: the
 * share of queries about real entities that it declines.
 */
export const REFUSAL_RATES = ["false acceptance", "over-refusal"] as const;
type RefusalRate = typeof REFUSAL_RATES[number];

/** Queries in the denominator of a rate: those of its kind with a classified outcome. */
export const queriesOf = (outcomes: readonly AbstentionOutcome[], rate: RefusalRate) =>
  outcomes.filter(({ exists, abstained }) =>
    exists === (rate === "over-refusal") && abstained !== undefined
  );

/** Returns a refusal rate, 0–1. Unavailable without such a query or without a classified one. */
export function refusalRate(
  outcomes: readonly AbstentionOutcome[],
  rate: RefusalRate,
): PointEstimate {
  const known = queriesOf(outcomes, rate);
  if (known.length > 0) {
    return known.filter(({ exists, abstained }) => exists === abstained).length / known.length;
  }
  const what = rate === "over-refusal" ? "what exists" : "what does not exist";
  const isAsked = outcomes.some(({ exists }) => exists === (rate === "over-refusal"));
  return unavailable(
    isAsked ? "no answer was classified as abstention or not" : `no query about ${what}`,
  );
}

/** Returns a refusal rate with its interval. Unavailable as {@link refusalRate} is. */
export function refusalInterval(
  outcomes: readonly AbstentionOutcome[],
  rate: RefusalRate,
) {
  const estimate = refusalRate(outcomes, rate);
  if (typeof estimate !== "number") return estimate;
  const known = queriesOf(outcomes, rate);
  return figureInterval(known, (drawn) => refusalRate(drawn, rate));
}

/** A claim with the verifier's prediction and, where a reader labelled it, the truth. */
interface CorrectableClaim {
  /** True where the verifier predicts unsupported. */
  readonly predicted: boolean;
  /** True where it is unsupported; undefined without a reader's label. */
  readonly truth: boolean | undefined;
}

/**
 * Share of unsupported claims, corrected for the verifier's errors on reader-labelled claims. It is
 * the prediction-powered mean (Angelopoulos et al. 2023, Science 382:669): the predicted share over
 * all claims plus the mean of truth minus prediction over the labelled ones, which must be a random
 * sample. Unbiased, and therefore occasionally just outside 0–1.
 */
export function correctedShare(claims: readonly CorrectableClaim[]): PointEstimate {
  const labelled = claims.filter(({ truth }) => truth !== undefined);
  if (labelled.length === 0) return unavailable("no labelled claim");
  const bias = labelled.map(({ predicted, truth }) => Number(truth) - Number(predicted));
  const all = claims.map(({ predicted }) => Number(predicted));
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return sum(all) / all.length + sum(bias) / bias.length;
}
