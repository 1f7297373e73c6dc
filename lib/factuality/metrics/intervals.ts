/** How far off a figure may be: intervals by resampling whole clusters, Wilson's for plain shares. */
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { type BootstrapInterval, clusterBootstrap, type Interval } from "../../stats/intervals.ts";
import { wilsonInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { CaseLabel } from "../types.ts";
import { isAccepted } from "../decision.ts";
import { balancedAccuracy, type ConfusionTable, confusionTable } from "./classification.ts";
import type { Estimate, Outcome } from "./classification.ts";

/** What shares its luck with others of its cluster: the response, question, country or source. */
interface Clustered {
  readonly cluster: string;
}

/** A figure of some items. */
export type FigureOf<Item> = (items: readonly Item[]) => Estimate;

/**
 * A figure with its interval by resampling clusters: the claims of one response are not independent.
 * `n` counts items. Unavailable as `clusterBootstrap` says: of a single cluster, for one.
 */
export function figureInterval<Item extends Clustered>(
  items: readonly Item[],
  figure: FigureOf<Item>,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return clusterBootstrap({
    items: items.map((value) => ({ cluster: value.cluster, value })),
    statistic: (drawn) => {
      const value = figure(drawn);
      return typeof value === "number" ? value : undefined;
    },
    random,
  });
}

/**
 * Interval of a share of items: Wilson's where every cluster has one item, for a bootstrap of a
 * share of 0 or 1 has no width; else by resampling clusters. Unavailable without items.
 */
export function shareInterval<Item extends Clustered>(
  items: readonly Item[],
  share: FigureOf<Item>,
  random: RandomSource,
): Interval | Unavailable {
  if (items.length === 0) return unavailable("no items");
  const estimate = share(items);
  if (typeof estimate !== "number") return estimate;
  if (new Set(items.map(({ cluster }) => cluster)).size < items.length) {
    return figureInterval(items, share, random);
  }
  return wilsonInterval(Math.round(estimate * items.length), items.length, 0.95);
}

/** Interval of a measure of a confusion table. */
export const classificationInterval = <Label extends string>(
  labels: readonly Label[],
  outcomes: readonly (Outcome<Label> & Clustered)[],
  measure: (table: ConfusionTable<Label>) => Estimate,
  random: RandomSource,
) => figureInterval(outcomes, (drawn) => measure(confusionTable(labels, drawn)), random);

/** What claims are called where refuted ones and those without enough info are one. */
export const SIDES = ["supported", "not supported"] as const;
export const sideOf = (isSupported: boolean) => SIDES[isSupported ? 0 : 1];

/** Balanced accuracy of "supported" against the rest, resampled by cluster. */
export const sidesInterval = (
  claims: readonly (Clustered & { readonly isSupported: boolean; readonly isAccepted: boolean })[],
  random: RandomSource,
) => {
  const outcomes = claims.map(({ cluster, isSupported, isAccepted }) => {
    return { cluster, truth: sideOf(isSupported), predicted: sideOf(isAccepted) };
  });
  return classificationInterval(SIDES, outcomes, balancedAccuracy, random);
};

/** A claim of which the truth is known, and the probability of "supported" (0–1) that it was given. */
export interface ToldClaim extends Clustered {
  readonly label: CaseLabel;
  readonly supported: number;
}

/** {@link sidesInterval} of claims that are accepted as `decision.ts` has it. */
export const toldInterval = (told: readonly ToldClaim[], random: RandomSource) =>
  sidesInterval(
    told.map(({ cluster, label, supported }) => (
      { cluster, isSupported: label === "supported", isAccepted: isAccepted(supported) }
    )),
    random,
  );

/** Something measured of one model's answer to one query. */
export interface QueryResult extends Clustered {
  readonly query: string;
}

/**
 * The first model's figure less the second's on the queries for which both have it, resampled
 * together, for what is hard for one is hard for the other. Positive: the first has more. `n` is
 * the number of those queries. Unavailable without any, and as {@link figureInterval}. A model has one
 * result for a query.
 */
export function pairedDifference<Result extends QueryResult>(
  first: readonly Result[],
  second: readonly Result[],
  figure: FigureOf<Result>,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const others = new Map(second.map((result) => [result.query, result]));
  const shared = first.flatMap((one) => {
    const other = others.get(one.query);
    return other === undefined ? [] : [{ cluster: one.cluster, one, other }];
  });
  if (shared.length === 0) return unavailable("no query was answered by both");
  const has = (result: Result) => typeof figure([result]) === "number";
  const both = shared.filter(({ one, other }) => has(one) && has(other));
  if (both.length === 0) return unavailable("on no shared query do both have the figure");
  const difference = (drawn: readonly typeof both[number][]) => {
    const one = figure(drawn.map(({ one }) => one));
    const other = figure(drawn.map(({ other }) => other));
    if (typeof one !== "number") return one;
    return typeof other === "number" ? one - other : other;
  };
  return figureInterval(both, difference, random);
}
