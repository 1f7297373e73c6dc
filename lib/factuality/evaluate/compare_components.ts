import { mean, quantile } from "simple-statistics";
import { everyTwo, type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import { exactMcNemar } from "../../stats/paired_tests.ts";
import type { RandomSource } from "../../stats/random.ts";
import { claimKind } from "../claims/sentences.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { isAccepted } from "../decision.ts";
import {
  accuracy,
  balancedAccuracy,
  calibrationError,
  type ConfusionTable,
  confusionTable,
} from "../metrics/classification.ts";
import { classificationInterval, figureInterval } from "../metrics/intervals.ts";
import {
  CLAIM_KINDS,
  type ClaimKind,
  type Judgement,
  type Unscored,
  type UnscoredReason,
  type Verdict,
} from "../types.ts";
import { judgementReason, verdictReason } from "./unsupported_claims.ts";

/** What one component said of one claim. */
export interface ComponentAnswer {
  /** Probability that the claim is supported, 0–1; undefined where there is no score. */
  readonly supported: number | undefined;
  /** Why there is none; undefined where there is one. */
  readonly unscored: UnscoredReason | undefined;
  /** The component's reasoning, or why there is no score. */
  readonly reason: string;
  readonly milliseconds: number;
}

/** A component and its answers by the id of the case. */
export interface ComponentRun {
  readonly component: string;
  readonly answers: ReadonlyMap<string, ComponentAnswer>;
}

/** A verifier's verdict as an answer. */
export function answerOfVerdict(verdict: Verdict, milliseconds: number): ComponentAnswer {
  if (verdict.kind === "unscored") return withoutScore(verdict, milliseconds);
  const reason = `${verdict.label}: ${verdictReason(verdict)}`;
  return { supported: verdict.probabilities.supported, unscored: undefined, reason, milliseconds };
}

/**
 * A judge's score of a claim as an answer: score / 100 is read as the probability of "supported",
 * which is what the calibration error then measures.
 */
export function answerOfJudgement(judgement: Judgement, milliseconds: number): ComponentAnswer {
  if (judgement.kind === "unscored") return withoutScore(judgement, milliseconds);
  const reason = judgementReason(judgement);
  return { supported: judgement.score / 100, unscored: undefined, reason, milliseconds };
}

function withoutScore({ reason, message }: Unscored, milliseconds: number): ComponentAnswer {
  return { supported: undefined, unscored: reason, reason: message, milliseconds };
}

/** Whether an answer accepts the claim; undefined without a score. */
export function accepts({ supported }: ComponentAnswer): boolean | undefined {
  return supported === undefined ? undefined : isAccepted(supported);
}

/** In a comparison each claim is supported or not. */
export const BINARY_LABELS = ["supported", "not supported"] as const;
type BinaryLabel = (typeof BINARY_LABELS)[number];

/** A claim with a known label, and a component's answer to it. */
export interface JudgedClaim {
  readonly cluster: string;
  readonly supported: boolean;
  readonly answer: ComponentAnswer;
}

/** How good, how sure and how fast one component was on some claims. */
interface ComponentFigures {
  readonly component: string;
  readonly scored: number;
  readonly unscored: number;
  /** Over the scored claims, 0–1, with 95 % intervals by resampling responses. */
  readonly accuracy: BootstrapInterval | Unavailable;
  readonly balancedAccuracy: BootstrapInterval | Unavailable;
  /** Mean probability given to the label that was chosen, 0.5–1. */
  readonly confidence: number | Unavailable;
  /** Expected calibration error of that confidence, 0–1, ten bins. */
  readonly calibrationError: number | Unavailable;
  /** Milliseconds a claim, those without a score too. */
  readonly medianMilliseconds: number | Unavailable;
  readonly ninetiethMilliseconds: number | Unavailable;
}

/** The figures of one component on these claims. */
export function componentFigures(
  component: string,
  claims: readonly JudgedClaim[],
  random: RandomSource,
): ComponentFigures {
  const scored = claims.filter(({ answer }) => answer.supported !== undefined);
  const outcomes = scored.map((claim) => ({ cluster: claim.cluster, ...outcomeOf(claim) }));
  const interval = (measure: (table: ConfusionTable<BinaryLabel>) => number | Unavailable) =>
    classificationInterval(BINARY_LABELS, outcomes, measure, random);
  const forecasts = scored.map((claim) => {
    const { truth, predicted } = outcomeOf(claim);
    const { supported } = claim.answer;
    return { confidence: Math.max(supported!, 1 - supported!), right: truth === predicted };
  });
  const times = claims.map(({ answer }) => answer.milliseconds);
  return {
    component,
    scored: scored.length,
    unscored: claims.length - scored.length,
    accuracy: interval(accuracy),
    balancedAccuracy: interval(balancedAccuracy),
    confidence: forecasts.length === 0
      ? unavailable("no claim was scored")
      : mean(forecasts.map(({ confidence }) => confidence)),
    calibrationError: calibrationError(forecasts),
    medianMilliseconds: quantileOf(times, 0.5),
    ninetiethMilliseconds: quantileOf(times, 0.9),
  };
}

/** What a scored claim is, and what it was taken for. */
export function outcomeOf({ supported, answer }: JudgedClaim) {
  return { truth: labelOf(supported), predicted: labelOf(accepts(answer)!) };
}

const labelOf = (supported: boolean): BinaryLabel => supported ? "supported" : "not supported";

function quantileOf(values: readonly number[], p: number): number | Unavailable {
  return values.length === 0 ? unavailable("no claim was asked about") : quantile([...values], p);
}

/** Components on the same claims: all of them, or those of one kind. */
export interface ComponentComparison {
  readonly kind: ClaimKind | "all";
  /** Claims that every component was asked about. */
  readonly claims: number;
  /** Responses (or countries) that they are from. */
  readonly clusters: number;
  readonly figures: readonly ComponentFigures[];
  /** Every two components. */
  readonly differences: readonly ComponentDifference[];
}

/** Two components on the claims that both have scored. */
interface ComponentDifference {
  readonly first: string;
  readonly second: string;
  /** Claims that both have scored. */
  readonly claims: number;
  /** Balanced accuracy of the first less that of the second, −1 to 1, 95 % interval by response. */
  readonly difference: BootstrapInterval | Unavailable;
  /** McNemar's exact p of their mistakes; it takes claims for independent, the interval does not. */
  readonly mcNemarP: number;
  /** The one that is better, where the interval leaves 0 out. */
  readonly better: string;
}

/** Where there is no better one. */
export const CANNOT_TELL = "cannot tell";

/**
 * Requirement 13: components held against one another on the same labelled claims, on all of them
 * and by kind of claim. Binary: a claim is supported or not, accepted from P(supported) = 0.5 on.
 * Cases that a component was not asked about are left out for all.
 */
export function compareComponents(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
  random: RandomSource,
): readonly ComponentComparison[] {
  const common = cases.filter(({ id }) => runs.every(({ answers }) => answers.has(id)));
  const byKind = Map.groupBy(common, ({ claim }) => claimKind(claim));
  return [
    comparison("all", common, runs, random),
    ...CLAIM_KINDS.flatMap((kind) => {
      const ofKind = byKind.get(kind) ?? [];
      return ofKind.length === 0 ? [] : [comparison(kind, ofKind, runs, random)];
    }),
  ];
}

function comparison(
  kind: ComponentComparison["kind"],
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
  random: RandomSource,
): ComponentComparison {
  const judged = ({ answers }: ComponentRun) =>
    cases.map(({ id, cluster, label }): JudgedClaim => ({
      cluster,
      supported: label === "supported",
      answer: answers.get(id)!,
    }));
  return {
    kind,
    claims: cases.length,
    clusters: new Set(cases.map(({ cluster }) => cluster)).size,
    figures: runs.map((run) => componentFigures(run.component, judged(run), random)),
    differences: everyTwo(runs).map(([first, second]) => ({
      first: first.component,
      second: second.component,
      ...difference(judged(first), judged(second), random, first.component, second.component),
    })),
  };
}

function difference(
  first: readonly JudgedClaim[],
  second: readonly JudgedClaim[],
  random: RandomSource,
  firstName: string,
  secondName: string,
) {
  const both = first.map((one, i) => ({ cluster: one.cluster, one, other: second[i]! }))
    .filter(({ one, other }) =>
      one.answer.supported !== undefined && other.answer.supported !== undefined
    );
  const balanced = (claims: readonly JudgedClaim[]) =>
    balancedAccuracy(confusionTable(BINARY_LABELS, claims.map(outcomeOf)));
  const interval = figureInterval(both, (drawn) => {
    const one = balanced(drawn.map(({ one }) => one));
    const other = balanced(drawn.map(({ other }) => other));
    if (typeof one !== "number") return one;
    return typeof other === "number" ? one - other : other;
  }, random);
  const isRight = (claim: JudgedClaim) => outcomeOf(claim).truth === outcomeOf(claim).predicted;
  return {
    claims: both.length,
    difference: interval,
    mcNemarP: exactMcNemar({
      onlyFirst: both.filter(({ one, other }) => isRight(one) && !isRight(other)).length,
      onlySecond: both.filter(({ one, other }) => !isRight(one) && isRight(other)).length,
    }),
    better: interval.kind === "unavailable" || (interval.low <= 0 && interval.high >= 0)
      ? CANNOT_TELL
      : interval.low > 0
      ? firstName
      : secondName,
  };
}

/** Two components of different opinion about a claim, with both reasons. */
export interface ComponentDisagreement {
  readonly caseId: string;
  readonly claim: string;
  readonly kind: ClaimKind;
  readonly label: LabelledCase["label"];
  readonly first: string;
  readonly second: string;
  /** The component that is right. */
  readonly right: string;
  readonly firstReason: string;
  readonly secondReason: string;
}

/** Every claim that two components are of different opinion about, with both reasons. */
export function componentDisagreements(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly ComponentDisagreement[] {
  return cases.flatMap(({ id, claim, label }) =>
    everyTwo(runs).flatMap(([first, second]) => {
      const [one, other] = [first.answers.get(id), second.answers.get(id)];
      if (one === undefined || other === undefined) return [];
      const [accepted, alsoAccepted] = [accepts(one), accepts(other)];
      if (accepted === undefined || alsoAccepted === undefined || accepted === alsoAccepted) {
        return [];
      }
      return [{
        caseId: id,
        claim,
        label,
        kind: claimKind(claim),
        first: first.component,
        second: second.component,
        right: accepted === (label === "supported") ? first.component : second.component,
        firstReason: one.reason,
        secondReason: other.reason,
      }];
    })
  );
}
