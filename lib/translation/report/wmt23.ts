import { readWhole } from "../../files/whole_table.ts";
import { TRANSLATION_REPORT_PATHS } from "../paths.ts";

/** A system's mean by one measure, with its bootstrap interval over documents. */
export interface Wmt23System {
  readonly measure: string;
  readonly rank: number;
  readonly system: string;
  readonly segments: number;
  readonly documents: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** 1 is the best: by tests with Holm's adjustment, and by the same tests without any. */
  readonly cluster: number;
  readonly clusterUnadjusted: number;
}

/** Two systems by one measure. */
export interface Wmt23Pair {
  readonly measure: string;
  readonly p: number;
  readonly adjustedP: number;
  /** adjustedP is at most 0.05. */
  readonly different: boolean;
}

/** Kendall's τ-b of the systems' means by two measures, intervals over documents. */
export interface Wmt23Agreement {
  readonly first: string;
  readonly second: string;
  readonly systems: number;
  readonly segments: number;
  readonly documents: number;
  readonly tauB: number;
  readonly low: number;
  readonly high: number;
  /** Share of pairs of systems that both put in the same order. */
  readonly pairwiseAccuracy: number;
  /** τ-b less that of ESA-1 and ESA-2, on the same resamples; of these two undefined. */
  readonly difference: Difference | undefined;
}

/** A difference with the ends of its 95 % interval. */
export interface Difference {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Aggregates of real ratings, as `deno task wmt23` wrote them. */
export interface Wmt23 {
  readonly systems: readonly Wmt23System[];
  readonly pairs: readonly Wmt23Pair[];
  readonly agreements: readonly Wmt23Agreement[];
}

/** Columns of `wmt23_systems.csv`. */
export const SYSTEM_COLUMNS = [
  "measure",
  "rank",
  "system",
  "segments",
  "documents",
  "mean",
  "low",
  "high",
  "cluster",
  "cluster_unadjusted",
] as const;

/** Columns of `wmt23_pairs.csv`. */
export const PAIR_COLUMNS = [
  "measure",
  "first",
  "second",
  "difference",
  "p",
  "adjusted_p",
  "different",
] as const;

/** Columns of `wmt23_rank_agreement.csv`. */
export const AGREEMENT_COLUMNS = [
  "first",
  "second",
  "systems",
  "segments",
  "documents",
  "kendall_tau_b",
  "low",
  "high",
  "pairwise_accuracy",
  "difference",
  "difference_low",
  "difference_high",
] as const;

/** How the measures are called. */
export const WMT23_MEASURES: Readonly<Record<string, string>> = {
  esa1: "ESA-1",
  esa2: "ESA-2",
  da_sqm: "DA+SQM",
  mqm: "MQM",
};

const MAKER = "deno task wmt23";

/** Reads the three tables. Throws SyntaxError that names a damaged file, NotFound without one. */
export function readWmt23(): Wmt23 {
  const { wmt23Systems, wmt23Pairs, wmt23RankAgreement } = TRANSLATION_REPORT_PATHS;
  const systems = readWhole(wmt23Systems, SYSTEM_COLUMNS, (row): Wmt23System => ({
    ...{ measure: nameOf(row.measure), system: row.system, rank: Number(row.rank) },
    ...{ segments: Number(row.segments), documents: Number(row.documents) },
    ...{ mean: Number(row.mean), low: Number(row.low), high: Number(row.high) },
    ...{ cluster: Number(row.cluster), clusterUnadjusted: Number(row.cluster_unadjusted) },
  }), MAKER);
  const pairs = readWhole(wmt23Pairs, PAIR_COLUMNS, (row): Wmt23Pair => ({
    ...{ measure: nameOf(row.measure), p: Number(row.p), adjustedP: Number(row.adjusted_p) },
    different: row.different === "True",
  }), MAKER);
  const agreements = readWhole(wmt23RankAgreement, AGREEMENT_COLUMNS, (row): Wmt23Agreement => ({
    ...{ first: nameOf(row.first), second: nameOf(row.second), tauB: Number(row.kendall_tau_b) },
    ...{ systems: Number(row.systems), segments: Number(row.segments) },
    ...{ documents: Number(row.documents), pairwiseAccuracy: Number(row.pairwise_accuracy) },
    ...{ low: Number(row.low), high: Number(row.high), difference: differenceOf(row) },
  }), MAKER);
  return { systems, pairs, agreements };
}

function differenceOf(
  row: Readonly<Record<"difference" | "difference_low" | "difference_high", string>>,
): Difference | undefined {
  if (row.difference === "") return undefined;
  const [estimate, low, high] = [row.difference, row.difference_low, row.difference_high]
    .map(Number) as [number, number, number];
  return { estimate, low, high };
}

function nameOf(measure: string): string {
  const name = WMT23_MEASURES[measure];
  if (name === undefined) throw new SyntaxError(`"${measure}" is no measure of WMT23`);
  return name;
}
