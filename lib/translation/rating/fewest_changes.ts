import type { RunConfig } from "../run_config.ts";
import { bucketWidth } from "./fitting.ts";
import type { RankedRating } from "./ordering.ts";
import { nextScore } from "./score.ts";

/** The part of the scale that a bucket gets, as indices into the scores; undefined for none. */
interface Share {
  readonly first: number;
  readonly last: number;
}

/** How best to share out the scores before an index, from the worst bucket up to some bucket. */
interface Plan {
  readonly cost: number;
  readonly share: Share | undefined;
  /** The plan of the buckets below; undefined at the worst. */
  readonly below: Plan | undefined;
}

/**
 * By rating, the score it must have (its own where it stays) for the fewest ratings to change and,
 * among as few, for the fewest points; undefined for a rating that must leave its bucket. Undefined
 * altogether where no bucket may be left empty and the scale is too short for all.
 *
 * The scale is cut between the buckets, and a rating changes just if it lies outside its bucket's
 * part: with its score moved to the part, or moved to the bucket that its score is in. So the
 * fewest changes are found by dynamic programming over buckets and cuts, in time proportional to
 * buckets × scores.
 */
export function fewestChanges(
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly (number | undefined)[] | undefined {
  const scores = usefulScores(ratings, config);
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => b - a);
  const unit = 1 + (config.daMax - config.daMin) * ratings.length;
  const start: Plan = { cost: 0, share: undefined, below: undefined };
  const plans = ranks.reduce<readonly Plan[]>(
    (below, rank) => {
      const members = ratings.filter((rating) => rating.rank === rank).map(({ da }) => da);
      return plansWith(members, below, scores, unit, config);
    },
    Array.from({ length: scores.length + 1 }, () => start),
  );
  const best = plans.at(-1)!;
  if (best.cost === Infinity) return undefined;
  const shares = new Map(sharesOf(best).map((share, index) => [ranks.at(-1 - index), share]));
  return ratings.map(({ da, rank }) => {
    const share = shares.get(rank);
    return share && Math.max(scores[share.first]!, Math.min(scores[share.last]!, da));
  });
}

/** From the best bucket down. */
function sharesOf({ share, below }: Plan): readonly (Share | undefined)[] {
  return below === undefined ? [] : [share, ...sharesOf(below)];
}

/**
 * Scores at which a cut can matter: those given, the ends of the scale and, since buckets may be
 * pushed aside one after the other, as many next to each as there are buckets.
 */
function usefulScores(ratings: readonly RankedRating[], config: RunConfig): readonly number[] {
  const found = new Set<number>();
  for (const given of [config.daMin, config.daMax, ...ratings.map(({ da }) => da)]) {
    for (const sign of [1, -1] as const) {
      let score = given;
      for (let step = 0; step < config.buckets.length; step++) {
        if (score >= config.daMin && score <= config.daMax) found.add(score);
        score = nextScore(score, sign, config);
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The best plans, by number of scores shared out, once the next bucket's members are in them. */
function plansWith(
  members: readonly number[],
  below: readonly Plan[],
  scores: readonly number[],
  unit: number,
  config: RunConfig,
): readonly Plan[] {
  const outside = (distance: (da: number) => number) => costOf(members.map(distance), unit);
  const emptied = config.allowEmptyBuckets
    ? members.length * (unit + bucketWidth(config))
    : Infinity;
  const plans = [{ cost: below[0]!.cost + emptied, share: undefined, below: below[0] } as Plan];
  let start = { cost: Infinity, first: 0 };
  scores.forEach((score, index) => {
    const starting = below[index]!.cost + outside((da) => score - da);
    if (starting < start.cost) start = { cost: starting, first: index };
    const under = below[index + 1]!;
    const candidates: readonly Plan[] = [
      plans[index]!,
      {
        cost: start.cost + outside((da) => da - score),
        share: { first: start.first, last: index },
        below: below[start.first],
      },
      { cost: under.cost + emptied, share: undefined, below: under },
    ];
    plans.push(candidates.reduce((best, plan) => plan.cost < best.cost ? plan : best));
  });
  return plans;
}

/** Of the changes of ratings that lie outside by so many points; nought or less is inside. */
function costOf(distances: readonly number[], unit: number): number {
  return distances.filter((points) => points > 0)
    .reduce((cost, points) => cost + unit + points, 0);
}
