/** Rates of what models claim: MiHR, MaHR, factual precision, FActScore; false acceptance and over-refusal. */
import { unavailable } from "../../stats/agreement.ts";
import type { VerdictLabel } from "../types.ts";
import { figureInterval, mean, type PointEstimate, type QueryResult } from "./classification.ts";

/** One claim of a response with what the sources say of it. */
export interface ClassifiedClaim {
  /** Unique in its response. */
  readonly id: string;
  readonly text: string;
  /** Undefined where no verdict was reached: such a claim counts in no rate, and is counted apart. */
  readonly label: VerdictLabel | undefined;
}

/** What one model answered to one query, classified; a cluster is a query or its entity. */
export interface ClassifiedResponse extends QueryResult {
  readonly model: string;
  /** Whether the model declined to answer; such a response has no factual precision. */
  readonly abstained: boolean;
  /** Claims that can be checked; those that cannot (questions, opinions) are left out before. */
  readonly claims: readonly ClassifiedClaim[];
}

/** How many claims there are of each class, without a verdict (in no rate), and with one. */
const NONE = { supported: 0, refuted: 0, unverifiable: 0, unscored: 0, scored: 0 };
type ClaimCounts = Readonly<typeof NONE>;

/** A jackknife asks for the counts of the same responses again and again. */
const counted = new WeakMap<readonly ClassifiedClaim[], ClaimCounts>();

/** Counts claims by what the sources say of them. */
export function claimCounts(claims: readonly ClassifiedClaim[]): ClaimCounts {
  const known = counted.get(claims);
  if (known !== undefined) return known;
  const counts = { ...NONE };
  for (const { label = "unscored" } of claims) {
    counts[label === "not enough info" ? "unverifiable" : label]++;
    if (label !== "unscored") counts.scored++;
  }
  counted.set(claims, counts);
  return counts;
}

type Responses = readonly ClassifiedResponse[];

/** The claims of several responses counted together. */
export function pooledCounts(responses: Responses): ClaimCounts {
  const sum = { ...NONE };
  for (const { claims } of responses) {
    const counts = claimCounts(claims);
    for (const name of Object.keys(sum) as (keyof ClaimCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** What counts: what sources refute, or also what they do not bear out (MiHR as specified). */
export const HALLUCINATION_SCOPES = ["refuted", "unsupported"] as const;
type Scope = typeof HALLUCINATION_SCOPES[number];

const hallucinated = ({ refuted, unverifiable }: ClaimCounts, scope: Scope) =>
  scope === "refuted" ? refuted : refuted + unverifiable;

/**
 * MiHR of one response: hallucinated / scored claims, 0–1 (HaluEval 2.0, arXiv 2401.03205).
 * Unavailable, with a flag, for a response without claims or without one that was scored.
 */
export function responseRate({ claims }: ClassifiedResponse, scope: Scope) {
  const counts = claimCounts(claims);
  if (counts.scored > 0) {
    return { counts, rate: hallucinated(counts, scope) / counts.scored, flag: undefined };
  }
  const flag = claims.length === 0 ? "no claims" as const : "no claim was scored" as const;
  return { counts, rate: unavailable(flag), flag };
}

/** Hallucinated / scored claims of all responses together, 0–1; unavailable without any. */
export function pooledMicroRate(responses: Responses, scope: Scope): PointEstimate {
  const counts = pooledCounts(responses);
  return counts.scored > 0 ? hallucinated(counts, scope) / counts.scored : nothingScored(responses);
}

/**
 * MiHR as its authors report it: the mean over responses of hallucinated / scored claims, 0–1
 * (HaluEval 2.0, arXiv 2401.03205). Unavailable where no response has a scored claim.
 */
export function meanMicroRate(responses: Responses, scope: Scope): PointEstimate {
  const rates = responses.map((response) => responseRate(response, scope).rate);
  return mean(rates.filter((rate) => typeof rate === "number")) ?? nothingScored(responses);
}

/**
 * MaHR: responses with a hallucination / responses, 0–1 (HaluEval 2.0, arXiv 2401.03205). A
 * response that claims nothing has none and counts; one whose claims were all left unscored is left
 * out. A lower bound where some were. Unavailable where no response is left.
 */
export function macroRate(responses: Responses, scope: Scope): PointEstimate {
  const known = responses.filter(isKnown);
  if (known.length === 0) return nothingScored(responses);
  const has = known.filter(({ claims }) => hallucinated(claimCounts(claims), scope) > 0);
  return has.length / known.length;
}

/** Whether it can be said that a response has a hallucination or none. */
export function isKnown({ claims }: ClassifiedResponse): boolean {
  const { scored, unscored } = claimCounts(claims);
  return scored > 0 || unscored === 0;
}

function nothingScored(responses: Responses) {
  if (responses.length === 0) return unavailable("no responses");
  const hasClaims = responses.some(({ claims }) => claims.length > 0);
  return unavailable(hasClaims ? "no claim was scored" : "no claims");
}

/** Supported / scored claims of all, 0–1: the requirements' FactScore; see {@link factScore}. */
export function factualPrecision(responses: Responses): PointEstimate {
  const { supported, scored } = pooledCounts(responses);
  return scored === 0 ? unavailable("no claim was scored") : supported / scored;
}

/** Facts from which a response is long enough, as in the published scorer. */
const GAMMA = 10;

/**
 * FActScore (Min et al. 2023, arXiv 2305.14251; `factscorer.py`): the mean, over responses that do
 * not abstain, of supported/n × penalty, with penalty e^(1 − γ/n) for n ≤ γ = 10 scored facts and 1
 * for more. A response without facts is left out of the means, lowers the respond ratio and is
 * counted apart.
 */
export function factScore(responses: Responses) {
  const answering = responses.filter(({ abstained }) => !abstained);
  const counts = answering.map(({ claims }) => claimCounts(claims))
    .filter(({ scored }) => scored > 0);
  const none = responses.length === 0 ? "no responses" : "no response has a fact that was scored";
  const meanOf = (value: (counts: ClaimCounts) => number) =>
    mean(counts.map(value)) ?? unavailable(none);
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

/** A query about something, and whether the model declined to speak of it. */
export interface AbstentionOutcome extends QueryResult {
  /** Whether what it asks about exists. */
  readonly exists: boolean;
  /** Undefined where nobody could tell: in no rate. */
  readonly abstained: boolean | undefined;
}

/**
 * Failed abstentions / queries about what does not exist (HalluLens). A model that always refuses has
 * none, so over-refusal stands beside it: refusals / queries about what exists.
 */
export const REFUSAL_RATES = ["false acceptance", "over-refusal"] as const;
type RefusalRate = typeof REFUSAL_RATES[number];

/** The queries that a rate is a share of: those of its kind whose outcome is known. */
export const queriesOf = (outcomes: readonly AbstentionOutcome[], rate: RefusalRate) =>
  outcomes.filter(({ exists, abstained }) =>
    exists === (rate === "over-refusal") && abstained !== undefined
  );

/** A refusal rate, 0–1. Unavailable without such a query, or where it could be told of none. */
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
    isAsked ? "nobody has told whether its answers decline" : `no query about ${what}`,
  );
}

/** A refusal rate with its interval. Unavailable as {@link refusalRate} is. */
export function refusalInterval(
  outcomes: readonly AbstentionOutcome[],
  rate: RefusalRate,
) {
  const found = refusalRate(outcomes, rate);
  if (typeof found !== "number") return found;
  const known = queriesOf(outcomes, rate);
  return figureInterval(known, (drawn) => refusalRate(drawn, rate));
}

/** A claim as a verifier calls it and, where a reader labelled it, as it is. */
interface CorrectableClaim {
  /** Whether the verifier calls it unsupported. */
  readonly predicted: boolean;
  /** Whether it is; undefined where nobody read it. */
  readonly truth: boolean | undefined;
}

/**
 * The share of unsupported claims by a verifier, corrected by those that a reader labelled
 * (prediction-powered mean; Angelopoulos et al. 2023, Science 382:669): its share over all claims plus
 * the mean of truth less prediction over the labelled ones, which must be a random draw. Free of the
 * verifier's bias; 0–1 but for chance, which may push it a little outside.
 */
export function correctedShare(claims: readonly CorrectableClaim[]): PointEstimate {
  const labelled = claims.filter(({ truth }) => truth !== undefined);
  if (labelled.length === 0) return unavailable("no labelled claim");
  const bias = labelled.map(({ predicted, truth }) => Number(truth) - Number(predicted));
  const all = claims.map(({ predicted }) => Number(predicted));
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return sum(all) / all.length + sum(bias) / bias.length;
}
