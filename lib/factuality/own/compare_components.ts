import { mean, quantile } from "simple-statistics";
import { type Unavailable, unavailable, unorderedPairs } from "../../stats/agreement.ts";
import { exactMcNemar } from "../../stats/paired_tests.ts";
import { claimKind } from "../claims/sentences.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { isAccepted } from "../decision.ts";
import { balancedAccuracy, calibrationError } from "../metrics/classification.ts";
import { classificationInterval, confusionTable } from "../metrics/classification.ts";
import { figureInterval, precisionInterval, recallInterval } from "../metrics/classification.ts";
import { shareOf, sideOf, SIDES } from "../metrics/classification.ts";
import type { ConfusionTable } from "../metrics/classification.ts";
import { CLAIM_KINDS } from "../types.ts";
import type { ClaimKind, Judgement, UnscoredReason, Verdict } from "../types.ts";
import { judgementReason } from "../check/unsupported.ts";
import { verdictReason } from "../check/verify.ts";

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

/** A verdict or judgement as an answer; a judge's score / 100 is read as P(supported). */
export function answerOf(said: Verdict | Judgement, milliseconds: number): ComponentAnswer {
  if (said.kind === "unscored") {
    return { supported: undefined, unscored: said.reason, reason: said.message, milliseconds };
  }
  const [supported, reason] = "score" in said
    ? [said.score / 100, judgementReason(said)] as const
    : [said.probabilities.supported, `${said.label}: ${verdictReason(said)}`] as const;
  return { supported, unscored: undefined, reason, milliseconds };
}

/** Whether an answer accepts the claim; undefined without a score. */
export const accepts = ({ supported }: ComponentAnswer): boolean | undefined =>
  supported === undefined ? undefined : isAccepted(supported);

/** A claim with a known label, and a component's answer to it. */
interface JudgedClaim {
  readonly cluster: string;
  readonly supported: boolean;
  readonly answer: ComponentAnswer;
}

/** The cases that a component answered, with its answers. */
export const answeredClaims = (
  cases: readonly Pick<LabelledCase, "id" | "cluster" | "label">[],
  { answers }: ComponentRun,
): readonly JudgedClaim[] =>
  cases.flatMap(({ id, cluster, label }) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [{ cluster, supported: label === "supported", answer }];
  });

/** What a scored claim is, and what it was taken for. */
export function outcomeOf({ cluster, supported, answer }: JudgedClaim) {
  return { cluster, truth: sideOf(supported), predicted: sideOf(accepts(answer)!) };
}

/** A measure of scored claims with its 95 % interval by response. */
export function binaryInterval(
  scored: readonly JudgedClaim[],
  measure: (table: ConfusionTable<typeof SIDES[number]>) => number | Unavailable,
) {
  return classificationInterval(SIDES, scored.map(outcomeOf), measure);
}

/**
 * How good, how sure and how fast one component was on some claims: accuracies over the scored ones;
 * precision and recall of hallucination detection, where what is to be found is what is not supported
 * (requirement 10.3); mean probability given to the label that was chosen, 0.5–1, and its expected
 * calibration error, 0–1, ten bins; milliseconds a claim, those without a score too.
 */
export function componentFigures(
  component: string,
  claims: readonly JudgedClaim[],
) {
  const scored = claims.filter(({ answer }) => answer.supported !== undefined);
  const forecasts = scored.map((claim) => {
    const { truth, predicted } = outcomeOf(claim);
    const supported = claim.answer.supported!;
    return { confidence: Math.max(supported, 1 - supported), right: truth === predicted };
  });
  const times = claims.map(({ answer }) => answer.milliseconds);
  const quantileOf = (p: number) =>
    times.length === 0 ? unavailable("no claim was asked about") : quantile(times, p);
  return {
    component,
    scored: scored.length,
    unscored: claims.length - scored.length,
    accuracy: shareOf(scored.map(outcomeOf), ({ truth, predicted }) => truth === predicted),
    balancedAccuracy: binaryInterval(scored, balancedAccuracy),
    detectionPrecision: precisionInterval(scored.map(outcomeOf), "not supported"),
    detectionRecall: recallInterval(scored.map(outcomeOf), "not supported"),
    confidence: forecasts.length === 0
      ? unavailable("no claim was scored")
      : mean(forecasts.map(({ confidence }) => confidence)),
    calibrationError: calibrationError(forecasts),
    medianMilliseconds: quantileOf(0.5),
    ninetiethMilliseconds: quantileOf(0.9),
  };
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
): readonly ComponentComparison[] {
  const common = cases.filter(({ id }) => runs.every(({ answers }) => answers.has(id)));
  const ofKind = CLAIM_KINDS.map((kind) =>
    [kind, common.filter(({ claim }) => claimKind(claim) === kind)] as const
  ).filter(([, own]) => own.length > 0);
  return [["all", common] as const, ...ofKind]
    .map(([kind, own]) => comparison(kind, own, runs));
}

/** Components on the same claims: all of them, or those of one kind. */
export type ComponentComparison = ReturnType<typeof comparison>;

/** `clusters` are the responses, or countries, that the claims are from. */
function comparison(
  kind: ClaimKind | "all",
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
) {
  const judged = (run: ComponentRun) => answeredClaims(cases, run);
  return {
    kind,
    claims: cases.length,
    clusters: new Set(cases.map(({ cluster }) => cluster)).size,
    figures: runs.map((run) => componentFigures(run.component, judged(run))),
    differences: unorderedPairs(runs).map(([one, other]) => {
      const [first, second] = [one.component, other.component];
      const { interval, ...rest } = difference(judged(one), judged(other));
      const better = interval.kind !== "interval" || interval.low <= 0 && interval.high >= 0
        ? CANNOT_TELL
        : interval.low > 0
        ? first
        : second;
      return { first, second, ...rest, difference: interval, better };
    }),
  };
}

/** Balanced accuracy of one component less the other's, −1 to 1, and McNemar's exact p. */
function difference(
  first: readonly JudgedClaim[],
  second: readonly JudgedClaim[],
) {
  const isScored = ({ answer }: JudgedClaim) => answer.supported !== undefined;
  const both = first.map((one, i) => ({ cluster: one.cluster, one, other: second[i]! }))
    .filter(({ one, other }) => isScored(one) && isScored(other));
  const balanced = (claims: readonly JudgedClaim[]) =>
    balancedAccuracy(confusionTable(SIDES, claims.map(outcomeOf)));
  const interval = figureInterval(both, (drawn) => {
    const one = balanced(drawn.map(({ one }) => one));
    const other = balanced(drawn.map(({ other }) => other));
    if (typeof one !== "number") return one;
    return typeof other === "number" ? one - other : other;
  }, [-1, 1]);
  const isRight = ({ supported, answer }: JudgedClaim) => accepts(answer) === supported;
  const mcNemarP = exactMcNemar({
    onlyFirst: both.filter(({ one, other }) => isRight(one) && !isRight(other)).length,
    onlySecond: both.filter(({ one, other }) => !isRight(one) && isRight(other)).length,
  });
  return { claims: both.length, interval, mcNemarP };
}

/** Two components of different opinion about a claim, and which of them is right. */
export type ComponentDisagreement = ReturnType<typeof componentDisagreements>[number];

/** Every claim that two components are of different opinion about, with both reasons. */
export function componentDisagreements(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
) {
  return cases.flatMap(({ id, claim, label }) =>
    unorderedPairs(runs).flatMap(([one, other]) => {
      const [first, second] = [one.component, other.component];
      const [answer, otherAnswer] = [one.answers.get(id), other.answers.get(id)];
      if (answer === undefined || otherAnswer === undefined) return [];
      const [accepted, also] = [accepts(answer), accepts(otherAnswer)];
      if (accepted === undefined || also === undefined || accepted === also) return [];
      const right = accepted === (label === "supported") ? first : second;
      const reasons = { firstReason: answer.reason, secondReason: otherAnswer.reason };
      return [{
        caseId: id,
        claim,
        label,
        kind: claimKind(claim),
        first,
        second,
        right,
        ...reasons,
      }];
    })
  );
}
