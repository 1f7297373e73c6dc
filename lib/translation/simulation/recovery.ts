import { errorFunction, mean } from "simple-statistics";
import { average, estimate, itemKey } from "../analysis/estimate.ts";
import { ratedOnly } from "../analysis/item_scores.ts";
import type { SystemRating, UnblindedRun } from "../analysis/rated_run.ts";
import type { AnalysisOptions, RaterReliability, RepeatConsistency } from "../analysis/results.ts";
import type { Persona } from "./persona.ts";

/** An effect that was put into a simulated rater, and what the analysis makes of it. */
export interface PlantedEffect {
  readonly rater: string;
  readonly effect: string;
  readonly planted: number;
  readonly found: RepeatConsistency["meanAbsoluteDifference"];
}

/** One simulated rater with everything found out about its ratings. */
export interface SimulatedRun {
  readonly persona: Persona;
  readonly run: UnblindedRun;
  readonly reliability: RaterReliability;
}

/** 1 in 5 scores is a multiple of 5, whoever rates. */
const CHANCE_OF_FIVE = 0.2;

/**
 * Planted beside found, for every rater: harshness beyond the first rater's, points per row of the
 * screen, points per ten items, share of multiples of 5, and the mean difference between repeats.
 * What is planted acts on perceived quality; scores end at the scale's ends and obey the order of
 * the buckets, which draws what is found somewhat towards nought.
 */
export function plantedEffects(
  runs: readonly SimulatedRun[],
  options: AnalysisOptions,
): readonly PlantedEffect[] {
  return runs.flatMap((simulated) => [
    ...simulated === runs[0] ? [] : [harshnessBeyond(runs[0]!, simulated, options)],
    ...effectsOf(simulated),
  ]);
}

function effectsOf(simulated: SimulatedRun): PlantedEffect[] {
  const { persona, reliability } = simulated;
  const { position, drift, heaping, repeats } = reliability;
  const fives = heaping.find(({ name }) => name === "multiples of 5")!.share;
  const effect = (effect: string, planted: number, found: PlantedEffect["found"]) => ({
    ...{ rater: reliability.rater, effect, planted, found },
  });
  const share = persona.heaping + (1 - persona.heaping) * CHANCE_OF_FIVE;
  return [
    effect("points per row of the screen", persona.positionEffect, position.slope),
    effect("points per ten items", 10 * persona.drift, drift.da),
    effect("share of multiples of 5", share, fives),
    // Of a rater who does not always read it has no simple form.
    ...persona.inattention > 0 ? [] : [
      effect(
        "mean difference of repeats",
        repeatDifference(simulated, position.positions.length),
        repeats.meanAbsoluteDifference,
      ),
    ],
  ];
}

/**
 * E|x − y| of a text's two scores: a folded normal distribution (Leone, Nelson & Nottingham 1961,
 * Technometrics 3(4), 543–550), for noise and rows are drawn anew and drift moves the second score.
 */
function repeatDifference({ persona, run }: SimulatedRun, rows: number): number {
  const { noise, positionEffect, drift } = persona;
  const variance = 2 * (noise ** 2 + positionEffect ** 2 * (rows ** 2 - 1) / 12);
  const shift = drift * meanDistance(run);
  return Math.sqrt(2 * variance / Math.PI) * Math.exp(-(shift ** 2) / (2 * variance)) +
    shift * errorFunction(shift / Math.sqrt(2 * variance));
}

/** Items from an original to its repeat, on average; nought where nothing is repeated. */
function meanDistance({ ratings }: UnblindedRun): number {
  const roles = [...new Map(ratings.map(({ itemId, role }) => [itemId, role]))];
  const place = new Map(roles.map(([itemId], ordinal) => [itemId, ordinal]));
  const distances = roles.flatMap(([itemId, role]) =>
    role.kind === "repeat" ? [place.get(itemId)! - place.get(role.of)!] : []
  );
  return average(distances) ?? 0;
}

function harshnessBeyond(
  first: SimulatedRun,
  other: SimulatedRun,
  options: AnalysisOptions,
): PlantedEffect {
  const ratings = byItem(first.run);
  const differences = byItem(other.run).entries().toArray().flatMap(([item, rows]) => {
    const [mine, theirs] = [ratings.get(item), rows].map((own) => own?.map(({ da }) => da));
    if (mine === undefined || theirs === undefined) return [];
    const { segment, document } = rows[0]!;
    return [{ segment, document, value: mean(mine) - mean(theirs) }];
  });
  return {
    rater: other.reliability.rater,
    effect: `points below ${first.reliability.rater}`,
    planted: pointsOff(other) - pointsOff(first),
    found: estimate("harshness", differences, average, options),
  };
}

/**
 * Points that a rater takes off the rated items: drift is nought in the middle of the session, and
 * repeats and attention checks, which come late, do not count.
 */
function pointsOff({ persona, run }: SimulatedRun): number {
  const roles = new Map(run.ratings.map(({ itemId, role }) => [itemId, role.kind]));
  const rated = [...roles.values()].flatMap((role, ordinal) => role === "rated" ? [ordinal] : []);
  return persona.harshness - persona.drift * (mean(rated) - (roles.size - 1) / 2);
}

/** Ratings by item; repeats and attention checks left out. */
function byItem({ ratings }: UnblindedRun): ReadonlyMap<string, readonly SystemRating[]> {
  return Map.groupBy(ratedOnly(ratings), itemKey);
}

/** How many intervals hold what was planted, of those that there are. */
export function coverage(effects: readonly PlantedEffect[]): {
  readonly covered: number;
  readonly of: number;
} {
  const drawn = effects.flatMap(({ planted, found }) =>
    found.kind === "interval" ? [found.low <= planted && planted <= found.high] : []
  );
  return { covered: drawn.filter(Boolean).length, of: drawn.length };
}
