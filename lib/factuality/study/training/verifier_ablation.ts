import { z } from "zod";
import { formatCsv } from "../../../files/csv.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { FeatureGroup } from "../../features/features.ts";
import type { JudgedCase, Reading } from "../../training/measured_verdicts.ts";
import {
  FEATURE_GROUPS,
  featuresOf,
  fitHead,
  type VectorCase,
} from "../../training/verifier_fit.ts";
import type { TrainedHead } from "../../training/train_head.ts";
import { verdictProbabilities } from "../../verifiers/trained_verifier.ts";
import { trainClaimOnly } from "../acquisition/claim_only.ts";
import {
  balancedAccuracyDifference,
  claimsIn,
  type ClusterTable,
  clusterTables,
  meanBalancedAccuracy,
} from "./cluster_tables.ts";
import { FIGURE, shownBounds } from "./figure_bounds.ts";

const COLUMNS = [
  ...["model", "group", "reading", "n", "clusters", "balanced_accuracy", "low", "high"] as const,
  ...["difference", "difference_low", "difference_high"] as const,
];

const ROW = z.object({
  /** `claim alone` reads no source: what it finds above chance is how the claims were made. */
  model: z.enum(["all features", "without", "alone", "claim alone"]),
  /**
   * The group that is left out or alone; of the claim alone, `all claims` or `no opinions`, these being
   * claims that no source can bear out; empty for all features.
   */
  group: z.string(),
  reading: z.enum(["three-way", "binary"]),
  /** Held-out claims and countries. */
  n: z.coerce.number().int(),
  clusters: z.coerce.number().int(),
  /** 95 % by country. */
  balanced_accuracy: FIGURE,
  low: FIGURE,
  high: FIGURE,
  /** To all features, on the same resamples; empty where it cannot be had. */
  difference: FIGURE,
  difference_low: FIGURE,
  difference_high: FIGURE,
});

/** What a model can do with some of the features, on countries that nothing was trained on. */
export type AblationRow = Readonly<z.infer<typeof ROW>>;

/**
 * The shipped verifier's training without each group of features and with each alone, measured on the
 * test countries, with a model that reads the claim alone beside them.
 * @param l2 The penalty that the shipped weights were trained with.
 */
export function ablationRows(
  cases: readonly VectorCase[],
  l2: number,
  random: RandomSource,
  onModel?: (model: string) => void,
): readonly AblationRow[] {
  const judged = (groups: readonly FeatureGroup[]): readonly JudgedCase[] => {
    onModel?.(groups.join(", "));
    return judgedBy(fitHead(cases, l2, groups), cases);
  };
  const whole = fitHead(cases, l2, FEATURE_GROUPS);
  const all = judgedBy(whole, cases);
  const models: readonly Ablated[] = [
    { model: "all features", group: "", judged: all },
    ...FEATURE_GROUPS.map((group) => ({
      ...{ model: "without" as const, group },
      judged: judged(FEATURE_GROUPS.filter((other) => other !== group)),
    })),
    ...FEATURE_GROUPS.map((group) => ({
      ...{ model: "alone" as const, group, judged: judged([group]) },
    })),
  ];
  const readings = (["three-way", "binary"] as const).flatMap((reading) =>
    models.map((one) => rowOf(one, all, reading, random))
  );
  const factual = cases.filter((one) => one.case.kind !== "opinion");
  return [
    ...readings,
    rowOf(claimAlone("all claims", cases), all, "binary", random),
    rowOf(claimAlone("no opinions", factual), judgedBy(whole, factual), "binary", random),
  ];
}

interface Ablated extends Pick<AblationRow, "model" | "group"> {
  readonly judged: readonly JudgedCase[];
}

/** What a head says of the test countries. */
function judgedBy(head: TrainedHead, cases: readonly VectorCase[]): readonly JudgedCase[] {
  return cases.filter((one) => one.case.split === "test").map(({ case: one, vector }) => ({
    ...{ label: one.label, cluster: one.cluster },
    probabilities: vector && verdictProbabilities(featuresOf(vector), head),
  }));
}

/** Naive Bayes over the claim's words, learnt on the training countries. */
function claimAlone(group: string, cases: readonly VectorCase[]): Ablated {
  const of = (split: string) =>
    cases.filter((one) => one.case.split === split).map((one) => one.case);
  const model = trainClaimOnly(of("train"));
  const judged = of("test").map(({ claim, label, cluster }) => {
    const supported = model(claim);
    return {
      ...{ label, cluster },
      probabilities: { supported, refuted: 1 - supported, "not enough info": 0 },
    };
  });
  return { model: "claim alone", group, judged };
}

function rowOf(
  { model, group, judged }: Ablated,
  all: readonly JudgedCase[],
  reading: Reading,
  random: RandomSource,
): AblationRow {
  const [own, whole] = [judged, all].map((cases) => clusterTables(cases, reading)) as [
    readonly ClusterTable[],
    readonly ClusterTable[],
  ];
  const [balanced_accuracy, low, high] = shownBounds(meanBalancedAccuracy([own], random));
  const [difference, difference_low, difference_high] = shownBounds(
    balancedAccuracyDifference(own, whole, random),
  );
  return {
    ...{ model, group, reading, n: claimsIn(own), clusters: own.length },
    ...{ balanced_accuracy, low, high, difference, difference_low, difference_high },
  };
}

/** The ablation as CSV. */
export function ablationCsv(rows: readonly AblationRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The ablation. @throws {SyntaxError} naming the first damaged line. */
export function readAblation(path: string): readonly AblationRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task train --study");
}
