import { type BootstrapInterval, clusterBootstrap } from "./intervals.ts";
import { type AgreementBand, agreementBand } from "./agreement_band.ts";
import type { RandomSource } from "./random.ts";
import { agreeingPairs, type RatedItem, type RatingCounts, ratingCounts } from "./rated_items.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** Agreement of several raters beyond chance, and what it comes from. */
export interface FleissKappa {
  readonly kind: "fleiss";
  /** (Po − Pe) / (1 − Pe): 1 = full agreement, 0 = as by chance, below 0 = less than by chance. */
  readonly kappa: number;
  readonly band: AgreementBand;
  /** Po: the share of pairs of raters who agree, 0–1. */
  readonly observed: number;
  /** Pe: the share expected from the frequencies of the labels alone, 0–1. */
  readonly expected: number;
  readonly items: number;
  readonly raters: number;
  /** Pᵢ: the share of pairs of raters who agree on each item, in the order of the items, 0–1. */
  readonly itemAgreement: readonly ItemAgreement[];
}

/** How far the raters of one item agree. */
export interface ItemAgreement {
  readonly id: string;
  readonly agreement: number;
}

/** κ is 0 / 0; what was observed is known all the same. */
export interface UndefinedFleissKappa extends Unavailable {
  /** Po, 0–1; undefined without items. */
  readonly observed: number | undefined;
  /** Pe; undefined without items. */
  readonly expected: number | undefined;
}

/** 95 % from 2,000 resamples, as elsewhere in the house. */
const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };

/**
 * Fleiss' κ = (Po − Pe) / (1 − Pe) for items that equally many raters gave a label each, not
 * necessarily the same raters (Fleiss 1971, Psychological Bulletin 76, 378–382). −1/(n − 1) to 1 for
 * n raters; labels that nobody gave change nothing. Where nearly all ratings are one label, κ is low
 * though nearly all agree: give Gwet's AC1 beside it.
 *
 * Unavailable, with Po, without items and where all ratings are one label: Pe = 1, κ is 0 / 0.
 *
 * @throws {RangeError} naming the item, for fewer than two raters, for another number of raters than
 * the first item's, and for a label that is none of `labels`.
 */
export function fleissKappa<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): FleissKappa | UndefinedFleissKappa {
  const counts = ratingCounts(items, labels);
  const raters = ratersOf(items);
  if (raters === undefined) {
    return { ...unavailable("no items"), observed: undefined, expected: undefined };
  }
  const pairs = raters * (raters - 1);
  const { observed, expected, kappa } = kappaOf(counts, raters);
  if (kappa === undefined) {
    return { ...unavailable("all ratings are one label"), observed, expected };
  }
  return {
    ...{ kind: "fleiss", kappa, band: agreementBand(kappa), observed, expected },
    ...{ items: items.length, raters },
    itemAgreement: items.map(({ id }, i) => ({ id, agreement: agreeingPairs(counts[i]!) / pairs })),
  };
}

/**
 * A 95 % percentile interval of {@link fleissKappa} by resampling items, or the clusters that they
 * name. Unavailable as the bootstrap is, so also where more than 5 % of the resamples hold one label
 * only. Throws as {@link fleissKappa} does.
 */
export function fleissKappaInterval<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const counts = ratingCounts(items, labels);
  const raters = ratersOf(items) ?? 0;
  return clusterBootstrap({
    items: items.map(({ id, cluster = id }, i) => ({ cluster, value: counts[i]! })),
    statistic: (drawn) => kappaOf(drawn, raters).kappa,
    ...BOOTSTRAP,
    random,
  });
}

/** Whole numbers up to the divisions, so that equal tables give equal bits. */
function kappaOf(counts: readonly RatingCounts[], raters: number) {
  const totals = counts[0]!.map(() => 0);
  let agreeing = 0;
  for (const item of counts) {
    agreeing += agreeingPairs(item);
    item.forEach((count, label) => totals[label]! += count);
  }
  const ratings = counts.length * raters;
  const byChance = totals.reduce((sum, total) => sum + total ** 2, 0);
  const all = ratings ** 2;
  const kappa = (agreeing * ratings - byChance * (raters - 1)) / ((raters - 1) * (all - byChance));
  return {
    observed: agreeing / (ratings * (raters - 1)),
    expected: byChance / all,
    kappa: byChance === all ? undefined : kappa,
  };
}

/** How many raters each item has; undefined without items. */
function ratersOf<Label extends string>(items: readonly RatedItem<Label>[]): number | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  const raters = first.labels.length;
  if (raters < 2) {
    throw new RangeError(
      `Cannot compute Fleiss' kappa: item ${first.id} was rated by ${raters}; two raters are the least.`,
    );
  }
  const odd = items.find(({ labels }) => labels.length !== raters);
  if (odd === undefined) return raters;
  throw new RangeError(
    `Cannot compute Fleiss' kappa: item ${odd.id} has ${odd.labels.length} raters, item ` +
      `${first.id} ${raters}. Krippendorff's alpha and Gwet's AC1 bear missing ratings.`,
  );
}
