/** Measures of claims, responses and queries with their intervals. */
import { unavailable } from "../../stats/agreement.ts";
import { type Bounds, type Measure, share, statistic } from "../../stats/measure.ts";
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
 * Returns a figure of items, a smooth function of sums, with its interval by cluster: the claims of one
 * response are not independent. `bounds` are those of a share by default.
 */
export function figureInterval<Item extends Clustered>(
  items: readonly Item[],
  figure: FigureOf<Item>,
  bounds: Bounds | undefined = [0, 1],
): Measure {
  return statistic(
    items.map((value) => ({ cluster: value.cluster, value })),
    (drawn) => figure(drawn),
    { bounds },
  );
}

/** Interval of a measure of a confusion table. */
export const classificationInterval = <Label extends string>(
  labels: readonly Label[],
  outcomes: readonly (Outcome<Label> & Clustered)[],
  measure: (table: ConfusionTable<Label>) => Estimate,
) => figureInterval(outcomes, (drawn) => measure(confusionTable(labels, drawn)));

/** Returns the share of the outcomes called `label` that are, 0–1. */
export const precisionInterval = <Label extends string>(
  outcomes: readonly (Outcome<Label> & Clustered)[],
  label: Label,
) =>
  shareOf(outcomes.filter(({ predicted }) => predicted === label), ({ truth }) => truth === label);

/** Returns the share of the outcomes that are `label` which are called so, 0–1. */
export const recallInterval = <Label extends string>(
  outcomes: readonly (Outcome<Label> & Clustered)[],
  label: Label,
) =>
  shareOf(outcomes.filter(({ truth }) => truth === label), ({ predicted }) => predicted === label);

/** Returns the share of items of which something holds, 0–1. */
export const shareOf = <Item extends Clustered>(
  items: readonly Item[],
  holds: (item: Item) => boolean,
): Measure => share(items.map((item) => ({ cluster: item.cluster, value: holds(item) })));

/** What claims are called where refuted ones and those without enough info are one. */
export const SIDES = ["supported", "not supported"] as const;
export const sideOf = (isSupported: boolean) => SIDES[isSupported ? 0 : 1];

/** Balanced accuracy of "supported" against the rest, by cluster. */
export const sidesInterval = (
  claims: readonly (Clustered & { readonly isSupported: boolean; readonly isAccepted: boolean })[],
) => {
  const outcomes = claims.map(({ cluster, isSupported, isAccepted }) => {
    return { cluster, truth: sideOf(isSupported), predicted: sideOf(isAccepted) };
  });
  return classificationInterval(SIDES, outcomes, balancedAccuracy);
};

/** A claim of which the truth is known, and the probability of "supported" (0–1) that it was given. */
export interface ToldClaim extends Clustered {
  readonly label: CaseLabel;
  readonly supported: number;
}

/** {@link sidesInterval} of claims that are accepted as `decision.ts` has it. */
export const toldInterval = (told: readonly ToldClaim[]) =>
  sidesInterval(
    told.map(({ cluster, label, supported }) => (
      { cluster, isSupported: label === "supported", isAccepted: isAccepted(supported) }
    )),
  );

/** Something measured of one model's answer to one query. */
export interface QueryResult extends Clustered {
  readonly query: string;
}

/**
 * The first model's share less the second's on the queries for which both have it, in pairs, for what is
 * hard for one is hard for the other. Positive: the first has more. `n` is
 * the number of those queries. Unavailable without any, and as {@link figureInterval}. A model has one
 * result for a query.
 */
export function pairedDifference<Result extends QueryResult>(
  first: readonly Result[],
  second: readonly Result[],
  figure: FigureOf<Result>,
): Measure {
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
  return figureInterval(both, difference, [-1, 1]);
}
