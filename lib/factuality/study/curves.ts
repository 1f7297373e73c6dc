/**
 * What `deno task train study` measures for notebook 45: heads on more and more countries, the shipped
 * verifier without groups of its features, and heads that learnt from texts of one's own kind.
 */
import type { Unavailable } from "../../stats/agreement.ts";
import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import type { FeatureGroup } from "../features/features.ts";
import { balancedAccuracy, confusionTable } from "../metrics/classification.ts";
import { countedCases, type JudgedCase, type Reading } from "../training/measures.ts";
import { type HeadSettings, judgedBy } from "../training/own_head.ts";
import { type SplitCase, type TrainedOwnHead, trainOwnHead } from "../training/own_head.ts";
import { groupFolds } from "../training/splits.ts";
import { FEATURE_GROUPS, fitHead, type VectorCase } from "../training/verifier_fit.ts";
import type { Vector } from "../training/vectors.ts";
import { FEATURE_SETS, type FeatureSet, type Head, SCHEME_LABELS } from "../verifiers/head.ts";
import { judgedByClaim, trainClaimOnly } from "./acquisition.ts";
import { type AblationRow, type CurveRow, type DomainRow, REGIMES } from "./tables.ts";

/** What a head said of one cluster's claims: `counts[i][j]` claims of label i taken for label j. */
export interface ClusterTable {
  readonly cluster: string;
  readonly counts: readonly (readonly number[])[];
}
type Tables = readonly ClusterTable[];
type Judged = readonly JudgedCase[];

/** One table a cluster, in the order in which clusters come; unscored claims are left out. */
export function clusterTables(cases: Judged, reading: Reading): Tables {
  const groups = Map.groupBy(countedCases(cases, reading), ({ cluster }) => cluster);
  return [...groups].map(([cluster, own]) => {
    const { counts } = confusionTable<string>(SCHEME_LABELS[reading], own);
    return { cluster, counts };
  });
}

const claimsIn = (tables: Tables) =>
  tables.flatMap(({ counts }) => counts.flat()).reduce((a, b) => a + b, 0);

/**
 * Mean balanced accuracy, 0–1, of several runs, with its interval for other clusters.
 * @throws {RangeError} where the runs are not on the same clusters.
 */
export const meanBalancedAccuracy = (runs: readonly Tables[], random: RandomSource) =>
  ofRuns(runs, random, (values) => values.reduce((sum, one) => sum + one, 0) / values.length);

/** Balanced accuracy of the first run less that of the second, resampled together. */
export const balancedAccuracyDifference = (first: Tables, second: Tables, random: RandomSource) =>
  ofRuns([first, second], random, ([one, other]) => one! - other!);

function ofRuns(
  runs: readonly Tables[],
  random: RandomSource,
  combine: (values: readonly number[]) => number,
): BootstrapInterval | Unavailable {
  const byCluster = runs.map((tables) => new Map(tables.map((one) => [one.cluster, one.counts])));
  const clusters = new Set(byCluster[0]?.keys());
  if (byCluster.some((run) => new Set(run.keys()).symmetricDifference(clusters).size > 0)) {
    throw new RangeError("Cannot compare runs: they were not measured on the same clusters.");
  }
  return clusterBootstrap({
    items: [...clusters].map((cluster) => {
      return { cluster, value: byCluster.map((tables) => tables.get(cluster)!) };
    }),
    statistic: (drawn) => {
      const values = runs.map((_, run) => pooled(drawn.map((one) => one[run]!)));
      return values.every((value) => value !== undefined) ? combine(values) : undefined;
    },
    confidence: 0.95,
    resamples: 2_000,
    random,
  });
}

/** In plain loops: it is done thousands of times for each interval. */
function pooled(tables: readonly ClusterTable["counts"][]): number | undefined {
  const labels = (tables[0] ?? []).map((_, i) => `${i}`);
  const counts = labels.map(() => labels.map(() => 0));
  let n = 0;
  for (const table of tables) {
    for (let i = 0; i < labels.length; i++) {
      for (let j = 0; j < labels.length; j++) {
        counts[i]![j]! += table[i]![j]!;
        n += table[i]![j]!;
      }
    }
  }
  const value = balancedAccuracy({ labels, counts, n });
  return typeof value === "number" ? value : undefined;
}

/** Hidden units of the heads. */
export const CURVE_HEADS = { logistic: 0, "MLP 32": 32 } as const;
/** What a head is called in the tables. */
export type CurveHead = keyof typeof CURVE_HEADS;

/** One head to train. */
export interface CurvePoint {
  readonly features: FeatureSet;
  readonly head: CurveHead;
  /** Of the training countries, 0–1. */
  readonly share: number;
  /** Other countries and other first weights. */
  readonly seed: number;
}

/** Every head of the curve, seed by seed: a run that is ended early has whole curves of some seeds. */
export const CURVE_POINTS: readonly CurvePoint[] = [1, 2, 3, 4, 5].flatMap((seed) =>
  FEATURE_SETS.flatMap((features) =>
    (Object.keys(CURVE_HEADS) as CurveHead[]).flatMap((head) =>
      [0.05, 0.1, 0.2, 0.4, 0.8, 1].map((share) => ({ features, head, share, seed }))
    )
  )
);

/** So many of the countries by lot, at least one; larger shares of one seed hold the smaller ones. */
export function shareOfCountries(countries: readonly string[], share: number, seed: number) {
  const order = randomSource(`learning curve/${seed}`).shuffle([...new Set(countries)].sort());
  return new Set(order.slice(0, Math.max(1, Math.round(share * order.length))));
}

/** A trained head's answers on the held-out countries, with what it learnt from. */
export interface CurveFit extends CurvePoint {
  readonly countries: number;
  readonly claims: number;
  readonly tables: Readonly<Record<Reading, Tables>>;
}

const READINGS = ["three-way", "binary"] as const;

/**
 * The curve's rows: of each seed, and of their mean.
 * @throws {RangeError} where there is no figure: held-out claims of each label are always there.
 */
export function curveRows(fits: readonly CurveFit[], random: RandomSource): readonly CurveRow[] {
  const groups = Map.groupBy(fits, ({ features, head, share }) => `${features}/${head}/${share}`);
  const rowOf = (own: readonly CurveFit[], seed: CurveRow["seed"], reading: Reading): CurveRow => {
    const { features, head, share, countries, tables } = own[0]!;
    const found = meanBalancedAccuracy(own.map((fit) => fit.tables[reading]), random);
    if (found.kind === "unavailable") {
      throw new RangeError(`Cannot draw the learning curve: ${found.reason}.`);
    }
    const claims = own.reduce((sum, fit) => sum + fit.claims, 0) / own.length;
    const point = { features, head, share, countries, seed, reading };
    return {
      ...point,
      claims: Number(claims.toFixed(1)),
      n: claimsIn(tables[reading]),
      clusters: tables[reading].length,
      balanced_accuracy: four(found.estimate),
      low: four(found.low),
      high: four(found.high),
    };
  };
  return [...groups.values()].flatMap((own) =>
    READINGS.flatMap((reading) => [
      ...own.map((fit) => rowOf([fit], fit.seed, reading)),
      rowOf(own, "mean", reading),
    ])
  );
}

/** Adding 0 makes 0 of −0, which CSV would tell apart. */
const four = (value: number) => Number(value.toFixed(4)) + 0;

/**
 * The shipped verifier's training without each group of features and with each alone, measured on
 * the test countries, with a model that reads the claim alone beside them; `l2` is the shipped
 * penalty.
 */
export function ablationRows(
  cases: readonly VectorCase[],
  l2: number,
  random: RandomSource,
  onModel: (model: string) => void = () => {},
): readonly AblationRow[] {
  const whole = fitHead(cases, l2, FEATURE_GROUPS);
  const all = onTest(whole, cases);
  const some = (model: AblationRow["model"], groupsOf: (group: FeatureGroup) => FeatureGroup[]) =>
    FEATURE_GROUPS.map((group) => {
      onModel(groupsOf(group).join(", "));
      return { model, group, judged: onTest(fitHead(cases, l2, groupsOf(group)), cases) };
    });
  const models = [
    { model: "all features" as const, group: "", judged: all },
    ...some("without", (group) => FEATURE_GROUPS.filter((other) => other !== group)),
    ...some("alone", (group) => [group]),
  ];
  const claimAlone = (group: string, cases: readonly VectorCase[]): AblationRow => {
    const of = (split: string) =>
      cases.filter((one) => one.case.split === split).map((one) => one.case);
    const judged = judgedByClaim(trainClaimOnly(of("train")), of("test"));
    const figures = figuresOf(judged, onTest(whole, cases), "binary", random);
    return { model: "claim alone", group, reading: "binary", ...figures };
  };
  return [
    ...READINGS.flatMap((reading) =>
      models.map(({ model, group, judged }): AblationRow => {
        return { model, group, reading, ...figuresOf(judged, all, reading, random) };
      })
    ),
    claimAlone("all claims", cases),
    claimAlone("no opinions", cases.filter((one) => one.case.kind !== "opinion")),
  ];
}

/** What a head says of the test countries. */
function onTest(head: Head, cases: readonly VectorCase[]): Judged {
  return judgedBy(head, cases.filter((one) => one.case.split === "test").map(asTest));
}

/** Balanced accuracy and its difference to another run; empty where they cannot be had. */
function figuresOf(judged: Judged, base: Judged, reading: Reading, random: RandomSource) {
  const own = clusterTables(judged, reading);
  const shown = (found: BootstrapInterval | Unavailable) => {
    if (found.kind === "unavailable") return ["", "", ""] as const;
    return [four(found.estimate), four(found.low), four(found.high)] as const;
  };
  const [balanced_accuracy, low, high] = shown(meanBalancedAccuracy([own], random));
  const [difference, difference_low, difference_high] = shown(
    balancedAccuracyDifference(own, clusterTables(base, reading), random),
  );
  const differences = { difference, difference_low, difference_high };
  return { n: claimsIn(own), clusters: own.length, balanced_accuracy, low, high, ...differences };
}

/** A case with its numbers, not yet placed. */
export interface VectorisedCase {
  readonly case: LabelledCase;
  readonly vector: Vector;
}

type Regime = (typeof REGIMES)[number];

/** What a head of a regime says of a set. */
type DomainAnswers = Readonly<{ regime: Regime; set: string; judged: Judged }>;

/**
 * Heads of every regime on every set, binary: half the sets' groups (which share a cluster, claim
 * or source) train the head that is measured on the other half; of the other sets all is trained
 * on.
 */
export function domainAnswers(
  /** Claims made out of the knowledge base, by their own splits, and other people's labelled texts. */
  { knowledge, human }: Readonly<
    { knowledge: readonly SplitCase[]; human: readonly VectorisedCase[] }
  >,
  settings: HeadSettings,
  onHead: (regime: Regime) => void = () => {},
): readonly DomainAnswers[] {
  const learnt = knowledge.filter(({ split }) => split !== "test");
  const test = knowledge.filter(({ split }) => split === "test");
  const sets = [...new Set(human.map((one) => one.case.set))];
  const train = (regime: Regime, cases: readonly SplitCase[]) => {
    onHead(regime);
    return trainOwnHead(cases, settings);
  };
  /** A head's answers to all texts of other people, set by set, and those to held-out claims. */
  const answers = (regime: Regime, judged: Judged, head: TrainedOwnHead) => [
    ...sets.map((set) => {
      return { regime, set, judged: judged.filter((_, i) => human[i]!.case.set === set) };
    }),
    { regime, set: "held-out claims of the knowledge base", judged: judgedBy(head, test) },
  ];
  const random = randomSource("domain training/halves");
  const halves = groupFolds(human.map((one) => one.case), 2, random);
  /** A head for each half, which judges the other one; claims of the knowledge base by the first. */
  const crossed = (regime: Regime, more: readonly SplitCase[]) => {
    const heads = [0, 1].map((fold) =>
      train(regime, [...more, ...placed(human.filter((_, i) => halves[i] !== fold))])
    );
    const judged = human.map((one, i) => judgedBy(heads[halves[i]!]!, [asTest(one)])[0]!);
    return answers(regime, judged, heads[0]!);
  };
  const first = train(REGIMES[0], learnt);
  return [
    ...answers(REGIMES[0], judgedBy(first, human.map(asTest)), first),
    ...crossed(REGIMES[1], []),
    ...sets.map((set) => {
      const head = train(REGIMES[2], placed(human.filter((one) => one.case.set !== set)));
      const own = human.filter((one) => one.case.set === set);
      return { regime: REGIMES[2], set, judged: judgedBy(head, own.map(asTest)) };
    }),
    ...crossed(REGIMES[3], learnt),
  ];
}

const asTest = <Case extends VectorisedCase>(one: Case) => ({ ...one, split: "test" as const });

/** All to learn from but a fifth, which stops the training. */
function placed(cases: readonly VectorisedCase[]): readonly SplitCase[] {
  const random = randomSource("domain training/development");
  const folds = groupFolds(cases.map((one) => one.case), 5, random);
  return cases.map((one, i) => ({ ...one, split: folds[i] === 0 ? "development" : "train" }));
}

/** The rows of one kind of head. */
export const domainRows = (
  { features, head }: Pick<DomainRow, "features" | "head">,
  answers: readonly DomainAnswers[],
  random: RandomSource,
): readonly DomainRow[] =>
  answers.map(({ regime: trained_on, set, judged }) => {
    const base = answers.find((one) => one.set === set && one.regime === REGIMES[0])!;
    return { features, head, trained_on, set, ...figuresOf(judged, base.judged, "binary", random) };
  });
