import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import { exactMcNemar } from "../../stats/paired_tests.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { LabelledCase } from "../cases/labelled_case.ts";
import { CLAIM_KINDS, type ClaimKind } from "../claims/claim.ts";
import { claimKind } from "../claims/claim_kind.ts";
import { balancedAccuracy, confusionTable } from "../metrics/classification.ts";
import { everyTwo } from "../every_two.ts";
import type { ComponentAnswer, ComponentRun } from "./component_answer.ts";
import {
  BINARY_LABELS,
  type ComponentFigures,
  componentFigures,
  type JudgedClaim,
  outcomeOf,
} from "./component_figures.ts";

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
export interface ComponentDifference {
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
  return {
    kind,
    claims: cases.length,
    clusters: new Set(cases.map(({ cluster }) => cluster)).size,
    figures: runs.map((run) => componentFigures(run.component, judged(cases, run), random)),
    differences: everyTwo(runs).map(([first, second]) => difference(cases, first, second, random)),
  };
}

function judged(cases: readonly LabelledCase[], run: ComponentRun): readonly JudgedClaim[] {
  return cases.map((labelled) => judgedClaim(labelled, run.answers.get(labelled.id)!));
}

function judgedClaim({ cluster, label }: LabelledCase, answer: ComponentAnswer): JudgedClaim {
  return { cluster, supported: label === "supported", answer };
}

interface BothJudged {
  readonly first: JudgedClaim;
  readonly second: JudgedClaim;
}

function difference(
  cases: readonly LabelledCase[],
  first: ComponentRun,
  second: ComponentRun,
  random: RandomSource,
): ComponentDifference {
  const both = cases.flatMap((labelled): BothJudged[] => {
    const [one, other] = [first, second].map(({ answers }) =>
      judgedClaim(labelled, answers.get(labelled.id)!)
    ) as [JudgedClaim, JudgedClaim];
    const scored = one.answer.supported !== undefined && other.answer.supported !== undefined;
    return scored ? [{ first: one, second: other }] : [];
  });
  const interval = clusterBootstrap({
    items: both.map((value) => ({ cluster: value.first.cluster, value })),
    statistic: balancedDifference,
    ...{ resamples: 2_000, confidence: 0.95, random },
  });
  return {
    first: first.component,
    second: second.component,
    claims: both.length,
    difference: interval,
    mcNemarP: exactMcNemar({
      onlyFirst: both.filter(({ first, second }) => isRight(first) && !isRight(second)).length,
      onlySecond: both.filter(({ first, second }) => !isRight(first) && isRight(second)).length,
    }),
    better: betterOf(interval, first.component, second.component),
  };
}

function balancedDifference(both: readonly BothJudged[]): number | undefined {
  const [first, second] = (["first", "second"] as const).map((which) =>
    balancedAccuracy(confusionTable(BINARY_LABELS, both.map((pair) => outcomeOf(pair[which]))))
  );
  return typeof first === "number" && typeof second === "number" ? first - second : undefined;
}

function isRight(claim: JudgedClaim): boolean {
  const { truth, predicted } = outcomeOf(claim);
  return truth === predicted;
}

function betterOf(
  interval: BootstrapInterval | Unavailable,
  first: string,
  second: string,
): string {
  if (interval.kind === "unavailable") return CANNOT_TELL;
  if (interval.low > 0) return first;
  return interval.high < 0 ? second : CANNOT_TELL;
}
