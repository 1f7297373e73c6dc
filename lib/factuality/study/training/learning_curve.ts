import { z } from "zod";
import { formatCsv } from "../../../files/csv.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { FEATURE_SETS, type FeatureSet } from "../../verifiers/pair_vector.ts";
import type { Reading } from "../../training/measured_verdicts.ts";
import { claimsIn, type ClusterTable, meanBalancedAccuracy } from "./cluster_tables.ts";

/** Shares of the training countries that heads learn from, 0–1. */
export const CURVE_SHARES: readonly number[] = [0.05, 0.1, 0.2, 0.4, 0.8, 1];
/** Each with other countries and other first weights. */
export const CURVE_SEEDS: readonly number[] = [1, 2, 3, 4, 5];
/** Hidden units of the heads. */
export const CURVE_HEADS = { logistic: 0, "MLP 32": 32 } as const;

/** What a head is called in the tables. */
export type CurveHead = keyof typeof CURVE_HEADS;

/** One head to train. */
export interface CurvePoint {
  readonly features: FeatureSet;
  readonly head: CurveHead;
  readonly share: number;
  readonly seed: number;
}

/** Every head of the curve, seed by seed: a run that is ended early has whole curves of some seeds. */
export const CURVE_POINTS: readonly CurvePoint[] = CURVE_SEEDS.flatMap((seed) =>
  FEATURE_SETS.flatMap((features) =>
    (Object.keys(CURVE_HEADS) as CurveHead[]).flatMap((head) =>
      CURVE_SHARES.map((share) => ({ features, head, share, seed }))
    )
  )
);

/** So many of the countries by lot, at least one; larger shares of one seed hold the smaller ones. */
export function shareOfCountries(
  countries: readonly string[],
  share: number,
  seed: number,
): ReadonlySet<string> {
  const order = randomSource(`learning curve/${seed}`).shuffle([...new Set(countries)].sort());
  return new Set(order.slice(0, Math.max(1, Math.round(share * order.length))));
}

/** A trained head's answers on the held-out countries, with what it learnt from. */
export interface CurveFit extends CurvePoint {
  readonly countries: number;
  readonly claims: number;
  readonly tables: Readonly<Record<Reading, readonly ClusterTable[]>>;
}

const COLUMNS = [
  ...["features", "head", "share", "countries", "claims", "seed", "reading"] as const,
  ...["n", "clusters", "balanced_accuracy", "low", "high"] as const,
];

const ROW = z.object({
  features: z.enum(["readable", "embeddings", "both"]),
  head: z.enum(["logistic", "MLP 32"]),
  /** Of the training countries, 0–1; how many, and the claims about them (the mean of the seeds'). */
  share: z.coerce.number(),
  countries: z.coerce.number().int(),
  claims: z.coerce.number(),
  seed: z.union([z.literal("mean"), z.coerce.number().int()]),
  reading: z.enum(["three-way", "binary"]),
  /** Held-out claims and countries; 95 % by country. */
  n: z.coerce.number().int(),
  clusters: z.coerce.number().int(),
  balanced_accuracy: z.coerce.number(),
  low: z.coerce.number(),
  high: z.coerce.number(),
});

/** A point of the learning curve: of one seed, or the mean of all. */
export type CurveRow = Readonly<z.infer<typeof ROW>>;

const MAKER = "deno task train --study";

/** The curve's rows: of each seed, and of their mean. */
export function curveRows(fits: readonly CurveFit[], random: RandomSource): readonly CurveRow[] {
  const groups = Map.groupBy(fits, ({ features, head, share }) => `${features}/${head}/${share}`);
  return [...groups.values()].flatMap((own) =>
    (["three-way", "binary"] as const).flatMap((reading) => [
      ...own.map((fit) => rowOf([fit], fit.seed, reading, random)),
      rowOf(own, "mean", reading, random),
    ])
  );
}

function rowOf(
  fits: readonly CurveFit[],
  seed: CurveRow["seed"],
  reading: Reading,
  random: RandomSource,
): CurveRow {
  const [{ features, head, share, countries, tables }] = fits as [CurveFit];
  const measured = meanBalancedAccuracy(fits.map((fit) => fit.tables[reading]), random);
  const claims = fits.reduce((sum, fit) => sum + fit.claims, 0) / fits.length;
  return {
    ...{ features, head, share, countries, claims: Number(claims.toFixed(1)), seed, reading },
    ...{ n: claimsIn(tables[reading]), clusters: tables[reading].length },
    ...boundsOf(measured),
  };
}

/** @throws {RangeError} where there is none: held-out claims of each label are always there. */
function boundsOf(value: BootstrapInterval | Unavailable) {
  if (value.kind === "unavailable") {
    throw new RangeError(`Cannot draw the learning curve: ${value.reason}.`);
  }
  const [balanced_accuracy, low, high] = [value.estimate, value.low, value.high]
    .map((share) => Number(share.toFixed(4))) as [number, number, number];
  return { balanced_accuracy, low, high };
}

/** The curve as CSV. */
export function learningCurveCsv(rows: readonly CurveRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The curve. @throws {SyntaxError} naming the first damaged line. */
export function readLearningCurve(path: string): readonly CurveRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), MAKER);
}
