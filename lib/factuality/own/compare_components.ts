import { mean, quantile } from "simple-statistics";
import { type Unavailable, unavailable, unorderedPairs } from "../../stats/agreement.ts";
import { exactMcNemar } from "../../stats/paired_tests.ts";
import { claimKind } from "../claims/sentences.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { isAccepted } from "../decision.ts";
import { balancedAccuracy, calibrationError } from "../metrics/classification.ts";
import { classificationInterval, confusionTable } from "../metrics/classification.ts";
import { figureInterval, precisionInterval, recallInterval } from "../metrics/classification.ts";
import { BINARY_LABELS, binaryLabel, shareOf } from "../metrics/classification.ts";
import type { ConfusionTable } from "../metrics/classification.ts";
import { CLAIM_KINDS } from "../types.ts";
import type { ClaimKind, Judgement, UnscoredReason, Verdict } from "../types.ts";
import { judgementReason } from "../check/unsupported.ts";
import { verdictReason } from "../check/verify.ts";

/** One component's answer about one claim. */
export interface ComponentAnswer {
  /** P(supported), 0–1; undefined without a score. */
  readonly supported: number | undefined;
  /** Reason for a missing score; undefined with a score. */
  readonly unscored: UnscoredReason | undefined;
  /** Reasoning of the component, or explanation of the missing score. */
  readonly reason: string;
  readonly milliseconds: number;
}

/** A component with its answers by case id. */
export interface ComponentRun {
  readonly component: string;
  readonly answers: ReadonlyMap<string, ComponentAnswer>;
}

/** Converts a verdict or judgement to an answer. A judge's score / 100 is read as P(supported). */
export function answerOf(result: Verdict | Judgement, milliseconds: number): ComponentAnswer {
  if (result.kind === "unscored") {
    return { supported: undefined, unscored: result.reason, reason: result.message, milliseconds };
  }
  const [supported, reason] = "score" in result
    ? [result.score / 100, judgementReason(result)] as const
    : [result.probabilities.supported, `${result.label}: ${verdictReason(result)}`] as const;
  return { supported, unscored: undefined, reason, milliseconds };
}

/** Tests whether an answer accepts the claim; undefined without a score. */
export const accepts = ({ supported }: ComponentAnswer): boolean | undefined =>
  supported === undefined ? undefined : isAccepted(supported);

/** A labelled claim with a component's answer. */
interface JudgedClaim {
  readonly cluster: string;
  readonly supported: boolean;
  readonly answer: ComponentAnswer;
}

/** Pairs the answered cases with a component's answers. */
export const answeredClaims = (
  cases: readonly Pick<LabelledCase, "id" | "cluster" | "label">[],
  { answers }: ComponentRun,
): readonly JudgedClaim[] =>
  cases.flatMap(({ id, cluster, label }) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [{ cluster, supported: label === "supported", answer }];
  });

/** True and predicted label of a scored claim. */
export function labelledPrediction({ cluster, supported, answer }: JudgedClaim) {
  return { cluster, truth: binaryLabel(supported), predicted: binaryLabel(accepts(answer)!) };
}

/** A measure of scored claims with its 95 % interval by response. */
export function binaryInterval(
  scored: readonly JudgedClaim[],
  measure: (table: ConfusionTable<typeof BINARY_LABELS[number]>) => number | Unavailable,
) {
  return classificationInterval(BINARY_LABELS, scored.map(labelledPrediction), measure);
}

/**
 * Accuracy, confidence and speed of one component. Accuracies are over scored claims. Precision and
 * recall are of hallucination detection, the positive class being "not supported" (requirement
 * 10.3). Confidence is the mean probability of the predicted label, 0.5–1, with its expected
 * calibration error, 0–1, ten bins. Milliseconds per claim include unscored ones.
 */
export function componentFigures(
  component: string,
  claims: readonly JudgedClaim[],
) {
  const scored = claims.filter(({ answer }) => answer.supported !== undefined);
  const forecasts = scored.map((claim) => {
    const { truth, predicted } = labelledPrediction(claim);
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
    accuracy: shareOf(
      scored.map(labelledPrediction),
      ({ truth, predicted }) => truth === predicted,
    ),
    balancedAccuracy: binaryInterval(scored, balancedAccuracy),
    detectionPrecision: precisionInterval(scored.map(labelledPrediction), "not supported"),
    detectionRecall: recallInterval(scored.map(labelledPrediction), "not supported"),
    confidence: forecasts.length === 0
      ? unavailable("no claim was scored")
      : mean(forecasts.map(({ confidence }) => confidence)),
    calibrationError: calibrationError(forecasts),
    medianMilliseconds: quantileOf(0.5),
    ninetiethMilliseconds: quantileOf(0.9),
  };
}

/** Verdict of a comparison without a better component. */
export const CANNOT_TELL = "cannot tell";

/**
 * Compares components on the same labelled claims, all together and by kind (requirement 13).
 * Labels are binary; a claim is accepted from P(supported) = 0.5 on. A case that one component was
 * not asked about is excluded for all.
 */
export function compareComponents(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly ComponentComparison[] {
  const common = cases.filter(({ id }) => runs.every(({ answers }) => answers.has(id)));
  const ofKind = CLAIM_KINDS.map((kind) =>
    [kind, common.filter(({ claim }) => claimKind(claim) === kind)] as const
  ).filter(([, ofKindCases]) => ofKindCases.length > 0);
  return [["all", common] as const, ...ofKind]
    .map(([kind, kindCases]) => comparison(kind, kindCases, runs));
}

/** Comparison of components on all claims, or on those of one kind. */
export type ComponentComparison = ReturnType<typeof comparison>;

/** Compares components on one kind; `clusters` counts the responses or countries. */
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

/** Difference in balanced accuracy between two components, −1 to 1, and McNemar's exact p. */
function difference(
  first: readonly JudgedClaim[],
  second: readonly JudgedClaim[],
) {
  const isScored = ({ answer }: JudgedClaim) => answer.supported !== undefined;
  const both = first.map((one, i) => ({ cluster: one.cluster, one, other: second[i]! }))
    .filter(({ one, other }) => isScored(one) && isScored(other));
  const balanced = (claims: readonly JudgedClaim[]) =>
    balancedAccuracy(confusionTable(BINARY_LABELS, claims.map(labelledPrediction)));
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

/** Two components that disagree about a claim, and the one that is right. */
export type ComponentDisagreement = ReturnType<typeof componentDisagreements>[number];

/** Lists every disagreement between two components, with both reasons. */
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
