import { sum } from "simple-statistics";
import { type Unavailable, unavailable, weightedKappa } from "../../stats/agreement.ts";
import { type Correlation, kendallTauB, pearson, spearman } from "../../stats/correlation.ts";
import { type Bounds, proportion } from "../../stats/measure.ts";
import { blockPermutationTest } from "../../stats/paired_tests.ts";
import { randomSource } from "../../stats/random.ts";
import type { RunConfig } from "../configuration.ts";
import { quartiles, wallClockSeconds } from "../session/summary.ts";
import { wordsOf } from "../text.ts";
import {
  type AnalysisOptions,
  average,
  coefficientOf,
  estimate,
  groupedBy,
  type ItemValue,
  ratedOnly,
  shareEstimate,
} from "./estimate.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** Returns a rater's label: `anna`, or `anna, batch 2`. */
export const labelOf = ({ rater, batch }: Pick<UnblindedRun, "rater" | "batch">) =>
  batch === undefined ? rater : `${rater}, batch ${batch}`;

/** Reliability measures of one rater. */
export type RaterReliability = ReturnType<typeof raterReliability>;

/** Returns the reliability measures of a run's rater, without repeats and checks. */
export function raterReliability(
  { rater, batch, config, ratings }: UnblindedRun,
  options: AnalysisOptions,
) {
  const rated = ratedOnly(ratings);
  const attention = attentionResult(ratings, config);
  const distinctScores = new Set(rated.map(({ da }) => da)).size;
  const hasty = hastyItems(rated, config, options);
  return {
    rater,
    batch,
    /** Label in tables and figures, with the batch if the rater has several. */
    label: labelOf({ rater, batch }),
    items: new Set(rated.map(({ item_id }) => item_id)).size,
    warnings: raterWarnings(attention, distinctScores, hasty),
    distinctScores,
    hasty,
    meanDa: estimate(rated.map((it) => ({ ...it, value: it.da })), average, options),
    bucketAndScore: bucketScoreAgreement(rated, options),
    heaping: heaping(rated, config, options),
    position: positionBias(ratings, options),
    repeats: repeatConsistency(ratings, [0, config.daMax - config.daMin], options),
    attention,
    ...sessionCourse(ratings, options),
  };
}

/**
 * Returns the association of bucket and score.
 * `spearman` and `kendall` are means over items of the correlation within an item, which strict
 * ordering makes high by construction. η² is the share of the scores' variance that buckets explain
 * over all ratings.
 */
function bucketScoreAgreement(rated: readonly SystemRating[], options: AnalysisOptions) {
  const items = groupedBy(rated, ({ item_id }) => item_id);
  const within = (correlate: (one: number[], other: number[]) => Correlation | Unavailable) => {
    const coefficients = items.flatMap(({ value, ...place }) => {
      // Rank 1 is the best bucket; the negative makes higher values better.
      const ranks = value.map(({ bucket_rank }) => -bucket_rank);
      const coefficient = coefficientOf(correlate(ranks, value.map(({ da }) => da)));
      return coefficient === undefined ? [] : [{ ...place, value: coefficient }];
    });
    return estimate(coefficients, average, options, [-1, 1]);
  };
  return {
    spearman: within(spearman),
    kendall: within(kendallTauB),
    etaSquared: estimate(items, (drawn) => etaSquared(drawn.flat()), options, [0, 1]),
  };
}

/** Returns η²: between-bucket over total sum of squares; undefined if the total is 0. */
function etaSquared(ratings: readonly SystemRating[]): number | undefined {
  const squares = (group: readonly SystemRating[]) => {
    const centre = average(group.map(({ da }) => da)) ?? 0;
    return sum(group.map(({ da }) => (da - centre) ** 2));
  };
  const total = squares(ratings);
  if (total === 0) return undefined;
  return 1 - sum([...Map.groupBy(ratings, ({ bucket }) => bucket).values()].map(squares)) / total;
}

/**
 * Returns the shares of round and extreme scores.
 * The chance share of round ones is given too. Raters in ESA gave multiples of 5 in 30–40 % of
 * cases.
 */
function heaping(
  rated: readonly SystemRating[],
  { daMin, daMax, integerOnly }: RunConfig,
  options: AnalysisOptions,
) {
  const scale = Array.from({ length: daMax - daMin + 1 }, (_, index) => daMin + index);
  const share = (name: string, holds: (da: number) => boolean) => ({
    name,
    share: shareEstimate(rated.map((it) => ({ ...it, value: holds(it.da) })), options),
    chance: integerOnly && name.startsWith("multiples")
      ? scale.filter(holds).length / scale.length
      : undefined,
  });
  return [
    share("multiples of 5", (da) => da % 5 === 0),
    share("multiples of 10", (da) => da % 10 === 0),
    share("lowest score", (da) => da === daMin),
    share("highest score", (da) => da === daMax),
  ];
}

/**
 * Returns a rater's consistency on items repeated without notice.
 * Mean difference in points, correlations, share in the same bucket and weighted κ of buckets.
 * Repeats whose original was left out do not count. A rater's noise limits the possible agreement
 * between raters.
 */
function repeatConsistency(
  ratings: readonly SystemRating[],
  range: Bounds,
  options: AnalysisOptions,
) {
  const pairs = ratings.flatMap((again) => {
    const { role, role_of, segment, document, system } = again;
    if (role !== "repeat") return [];
    const first = ratings.find((other) => other.item_id === role_of && other.system === system);
    return first === undefined ? [] : [{ segment, document, first, again }];
  });
  const both = (figure: (rating: SystemRating) => number) =>
    [pairs.map(({ first }) => figure(first)), pairs.map(({ again }) => figure(again))] as const;
  const items = new Set(pairs.map(({ again }) => again.item_id)).size;
  const differences = pairs
    .map(({ first, again, ...it }) => ({ ...it, value: Math.abs(first.da - again.da) }));
  const sameBucket = pairs
    .map(({ first, again, ...it }) => ({ ...it, value: first.bucket === again.bucket }));
  const scores = both(({ da }) => da);
  return {
    items,
    pairs: pairs.length,
    meanAbsoluteDifference: estimate(differences, average, options, range),
    pearson: pearson(...scores),
    spearman: spearman(...scores),
    sameBucket: shareEstimate(sameBucket, options),
    kappa: isConstant(pairs.flatMap(({ first, again }) => [first.bucket_rank, again.bucket_rank]))
      ? unavailable("undefined: constant")
      : weightedKappa(...both(({ bucket_rank }) => bucket_rank), "quadratic"),
  };
}

const isConstant = (values: readonly number[]) => new Set(values).size === 1;

/** Reasons not to count a check. They reduce n and are always reported. */
const NOT_COUNTED = {
  unrated: "the unspoiled item was not rated",
  lowest: "the unspoiled text stood in the lowest tenth of the scale",
} as const;

/**
 * Returns a rater's results on the attention checks (spoiled translations).
 * A check fails if the spoiled text scores as high as the unspoiled one or higher. It does not
 * count if the unspoiled text was not rated or lies in the lowest tenth of the scale, where little
 * room is left. The share passed has Wilson's interval with checks as trials; a rater who does not
 * read passes about half, and fewer with ties.
 */
export function attentionResult(ratings: readonly SystemRating[], { daMin, daMax }: RunConfig) {
  const items = Map.groupBy(ratings, ({ item_id }) => item_id);
  const checks: { item_id: number; spoiled: number; unspoiled: number; passed: boolean }[] = [];
  const notCounted: string[] = [];
  for (const { item_id, role_of, system, spoiled_by, da } of ratings) {
    if (spoiled_by === undefined) continue;
    const unspoiled = items.get(Number(role_of))?.find((other) => other.system === system)?.da;
    if (unspoiled === undefined) notCounted.push(NOT_COUNTED.unrated);
    else if (unspoiled <= daMin + (daMax - daMin) / 10) notCounted.push(NOT_COUNTED.lowest);
    else checks.push({ item_id, spoiled: da, unspoiled, passed: da < unspoiled });
  }
  const passed = checks.filter((check) => check.passed).length;
  return {
    checks,
    /** The reason for each check not counted. */
    notCounted,
    passed: checks.length + notCounted.length === 0
      ? unavailable("the workbook has no attention checks")
      : checks.length === 0
      ? unavailable(formatNotCounted(notCounted))
      // Checks are the trials, whatever other intervals cluster by.
      : { ...proportion(passed, checks.length), clusters: undefined },
  };
}

/**
 * Counts checks by reason; may be empty.
 * Example: `2 not counted because the unspoiled item was not rated`.
 */
export const formatNotCounted = (reasons: readonly string[]) =>
  [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length }]) => `${length} not counted because ${reason}`).join("; ");

/** Formats the passed checks for tables: `5 of 6; 2 not counted because …`. */
export const formatChecksPassed = (
  { checks, notCounted }: Pick<ReturnType<typeof attentionResult>, "checks" | "notCounted">,
): string =>
  [
    `${checks.filter(({ passed }) => passed).length} of ${checks.length}`,
    ...notCounted.length > 0 ? [formatNotCounted(notCounted)] : [],
  ].join("; ");

/** Implausible reading speed: 720 words per minute; skimming reaches 8 to 10 words per second. */
const WORDS_PER_SECOND = 12;

/** Returns the share of rated items confirmed in less than their reading time. */
function hastyItems(rated: readonly SystemRating[], config: RunConfig, options: AnalysisOptions) {
  const { sourceLanguage, targetLanguage } = config;
  const items = groupedBy(rated, ({ item_id }) => item_id).map(({ value, ...place }) => {
    const [{ source, active_seconds }] = value as [SystemRating];
    const words = wordsOf(source, sourceLanguage).length +
      sum(value.map(({ text }) => wordsOf(text, targetLanguage).length));
    return { ...place, value: active_seconds < words / WORDS_PER_SECOND };
  });
  return { count: items.filter(({ value }) => value).length, share: shareEstimate(items, options) };
}

/** Returns warnings about a rater by the measure they concern. */
function raterWarnings(
  { checks, notCounted }: ReturnType<typeof attentionResult>,
  distinctScores: number,
  hasty: ReturnType<typeof hastyItems>,
): Readonly<Partial<Record<"distinct_scores" | "attention_passed" | "items_hasty", string>>> {
  const failed = checks.filter(({ passed }) => !passed).length;
  const left = notCounted.length === 0 ? "" : ` (${formatNotCounted(notCounted)})`;
  return {
    ...distinctScores === 1 && {
      distinct_scores: "gave every translation the same score, which says nothing of systems",
    },
    ...failed > 0 && {
      attention_passed: `failed ${failed} of ${checks.length} attention checks${left}: ` +
        "the spoiled text scored as high as the unspoiled one or higher",
    },
    ...hasty.count > 0 && {
      items_hasty:
        `confirmed ${hasty.count} of ${hasty.share.kind === "unavailable" ? 0 : hasty.share.n} ` +
        `items faster than ${WORDS_PER_SECOND} words a second over the words on the screen`,
    },
  };
}

/**
 * Returns time per item, with its drift and the score's.
 * Drifts are per ten items. The order is that of confirmation. Repeats and checks keep their places
 * but do not count, since raters recognise the sentence and are faster.
 */
function sessionCourse(ratings: readonly SystemRating[], options: AnalysisOptions) {
  const items = [...Map.groupBy(ratings, ({ item_id }) => item_id).values()]
    .toSorted(([a], [b]) => Date.parse(a!.committed_at) - Date.parse(b!.committed_at))
    // Counted in tens of items, 0 for the first.
    .map((itemRatings, order) => {
      return {
        ...itemRatings[0]!,
        tens: order / 10,
        meanDa: average(itemRatings.map(({ da }) => da))!,
      };
    });
  const counted = ratedOnly(items);
  const slopeOf = (figure: (item: typeof items[number]) => number) => {
    const points = counted
      .map((item) => ({ ...item, value: { x: item.tens, y: figure(item) } }));
    return estimate(points, slope, options);
  };
  const active = counted.map(({ active_seconds }) => active_seconds);
  const wallClock = counted.flatMap((item) =>
    wallClockSeconds(item.started_at, item.committed_at) ?? []
  );
  return {
    time: {
      activeSeconds: quartiles(active, "no items"),
      idleSeconds: quartiles(counted.map(({ idle_seconds }) => idle_seconds), "no items"),
      wallClockSeconds: quartiles(wallClock, "no items"),
    },
    drift: {
      da: slopeOf(({ meanDa }) => meanDa),
      seconds: slopeOf(({ active_seconds }) => active_seconds),
    },
  };
}

/** Returns the least-squares slope of y on x. The result is undefined if x is constant. */
function slope(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  const centre = average(points.map(({ x }) => x)) ?? 0;
  const squares = sum(points.map(({ x }) => (x - centre) ** 2));
  if (squares === 0) return undefined;
  return sum(points.map(({ x, y }) => (x - centre) * y)) / squares;
}

type Blocks = readonly (readonly number[])[];

/**
 * Returns the effect of the row on the screen on a rater's scores.
 * Scores are taken net of item and system: the mean deviation in points at each position 1 … N, and
 * points per row downwards. Display orders are random, so tests of |slope| and of the positions'
 * spread permute scores within items.
 */
function positionBias(ratings: readonly SystemRating[], options: AnalysisOptions) {
  const items = remaindersByItem(ratings);
  const blocks = items.map(({ value }) => value.map(({ score }) => score));
  const rows = Math.max(0, ...blocks.map(({ length }) => length));
  const { seed, permutations = 10_000 } = options;
  const test = (statistic: (blocks: Blocks) => number) => {
    const random = randomSource(`${seed}|positions`);
    return blockPermutationTest({ blocks, statistic, permutations, random });
  };
  const scoresAt = (row: number) =>
    items.map(({ value, ...place }) => ({ ...place, value: value[row]!.score }));
  return {
    positions: Array.from({ length: rows }, (_, row) => ({
      position: row + 1,
      deviation: estimate(scoresAt(row), average, options),
    })),
    slope: estimate(items, (drawn) => slopeBeyond(drawn.flat()), options),
    slopeTest: test((drawn) => Math.abs(meanSlope(drawn))),
    spreadTest: test(spread),
  };
}

/**
 * Returns the residuals of score and screen row, in display order.
 * They are net of item and system.
 */
function remaindersByItem(ratings: readonly SystemRating[]) {
  const items = groupedBy(ratedOnly(ratings), ({ item_id }) => item_id);
  const scores = beyondItemAndSystem(items, ({ da }) => da);
  const rows = beyondItemAndSystem(items, ({ position }) => position);
  return items.map(({ value, ...place }) => ({
    ...place,
    value: value.toSorted((a, b) => a.position - b.position)
      .map((rating) => ({ score: scores.get(rating)!, row: rows.get(rating)! })),
  }));
}

/**
 * Returns deviations from the item's mean, corrected for the system.
 * The system's mean deviation on other items is subtracted.
 */
function beyondItemAndSystem(
  items: readonly ItemValue<readonly SystemRating[]>[],
  figure: (rating: SystemRating) => number,
): ReadonlyMap<SystemRating, number> {
  const deviations = items.flatMap(({ value: itemRatings }) => {
    const centre = average(itemRatings.map(figure))!;
    return itemRatings.map((rating) => ({ rating, deviation: figure(rating) - centre }));
  });
  const bySystem = Map.groupBy(deviations, ({ rating }) => rating.system).values();
  return new Map([...bySystem].flatMap((group) => {
    const total = sum(group.map(({ deviation }) => deviation));
    const others = Math.max(1, group.length - 1);
    return group.map(({ rating, deviation }) =>
      [rating, deviation - (total - deviation) / others] as const
    );
  }));
}

/**
 * Returns points per row by least squares, controlling for item and system.
 * Method: Frisch & Waugh 1933, Econometrica 1, 387–401. Undefined if item and system determine the
 * row.
 */
function slopeBeyond(remainders: readonly Record<"score" | "row", number>[]): number | undefined {
  const squares = sum(remainders.map(({ row }) => row ** 2));
  if (squares < 1e-9) return undefined;
  return sum(remainders.map(({ score, row }) => score * row)) / squares;
}

/** Returns the mean over items of the least-squares slope on rows. Values need no centring. */
function meanSlope(blocks: Blocks): number {
  const slopes = blocks.map((values) => {
    const middle = (values.length - 1) / 2;
    let [products, squares] = [0, 0];
    for (let row = 0; row < values.length; row++) {
      products += (row - middle) * values[row]!;
      squares += (row - middle) ** 2;
    }
    return products / squares;
  });
  return average(slopes) ?? 0;
}

/** Returns the mean square of the rows' mean deviations. */
function spread(blocks: Blocks): number {
  const rows = new Float64Array(blocks[0]?.length ?? 0);
  for (const block of blocks) {
    for (let row = 0; row < rows.length; row++) rows[row]! += block[row]! / blocks.length;
  }
  return rows.reduce((sum, deviation) => sum + deviation ** 2, 0) / rows.length;
}
