import { errorFunction, mean, sampleStandardDeviation, sum } from "simple-statistics";
import { average, cellsOf, estimate, itemKey } from "../../../translation/analysis/estimate.ts";
import { ratedOnly } from "../../../translation/analysis/estimate.ts";
import type { AnalysisOptions } from "../../../translation/analysis/estimate.ts";
import {
  type RunMaterial,
  unblind,
  type UnblindedRun,
} from "../../../translation/analysis/ratings.ts";
import {
  type RaterReliability,
  raterReliability,
} from "../../../translation/analysis/reliability.ts";
import type { RepeatedChecks, RepeatedEffect } from "../tables.ts";
import type { Persona } from "./perception.ts";
import { rateInTurn, type SimulationMaterial } from "./rate.ts";

/** One simulated rater with ratings and reliability. */
export interface SimulatedRun {
  readonly persona: Persona;
  readonly run: UnblindedRun;
  readonly reliability: RaterReliability;
}

/** A known effect in a simulated rater, with its estimate. */
type PlantedEffect = Pick<RepeatedEffect, "rater" | "effect" | "planted"> & {
  readonly found: RaterReliability["repeats"]["meanAbsoluteDifference"];
};

/** Share of multiples of 5 among the scores 0–100, by chance. */
const CHANCE_OF_FIVE = 0.2;

/**
 * Compares known effects with their estimates, for every rater.
 * The effects are harshness relative to the first rater, points per row of the screen and per ten
 * items, share of multiples of 5, and the mean difference between repeats. The ends of the scale
 * and the buckets attenuate estimates somewhat.
 */
export function plantedEffects(
  runs: readonly SimulatedRun[],
  options: AnalysisOptions,
): readonly PlantedEffect[] {
  return runs.flatMap((simulated) => {
    const { persona, reliability: { rater, position, drift, heaping, repeats } } = simulated;
    const fives = heaping.find(({ name }) => name === "multiples of 5")!.share;
    const share = persona.heaping + (1 - persona.heaping) * CHANCE_OF_FIVE;
    const effect = (effect: string, planted: number, found: PlantedEffect["found"]) => {
      return { rater, effect, planted, found };
    };
    const difference = repeatDifference(simulated, position.positions.length);
    return [
      ...simulated === runs[0] ? [] : [harshnessBeyond(runs[0]!, simulated, options)],
      effect("points per row of the screen", persona.positionEffect, position.slope),
      effect("points per ten items", 10 * persona.drift, drift.da),
      effect("share of multiples of 5", share, fives),
      // For a rater who does not always read there is no simple formula.
      ...persona.inattention > 0
        ? []
        : [effect("mean difference of repeats", difference, repeats.meanAbsoluteDifference)],
    ];
  });
}

/**
 * Returns E|x − y| of a text's two scores.
 * It is the mean of a folded normal distribution (Leone, Nelson & Nottingham 1961, Technometrics
 * 3(4), 543–550). Noise and rows are drawn anew, and drift moves the second score.
 */
function repeatDifference({ persona, run }: SimulatedRun, rows: number): number {
  const { noise, positionEffect, drift } = persona;
  const variance = 2 * (noise ** 2 + positionEffect ** 2 * (rows ** 2 - 1) / 12);
  const roles = rolesOf(run);
  const places = new Map(roles.map(([itemId], place) => [itemId, place]));
  const distances = roles.flatMap(([, { role, role_of }], place) =>
    role === "repeat" ? [place - places.get(Number(role_of))!] : []
  );
  const shift = drift * (average(distances) ?? 0);
  return Math.sqrt(2 * variance / Math.PI) * Math.exp(-(shift ** 2) / (2 * variance)) +
    shift * errorFunction(shift / Math.sqrt(2 * variance));
}

/** Returns the items in workbook order, with their roles. */
const rolesOf = ({ ratings }: UnblindedRun) => [...new Map(ratings.map((it) => [it.item_id, it]))];

function harshnessBeyond(first: SimulatedRun, other: SimulatedRun, options: AnalysisOptions) {
  const byItem = ({ run }: SimulatedRun) => Map.groupBy(ratedOnly(run.ratings), itemKey);
  const ratings = byItem(first);
  const differences = [...byItem(other)].flatMap(([item, theirs]) => {
    const mine = ratings.get(item);
    if (mine === undefined) return [];
    const value = mean(mine.map(({ da }) => da)) - mean(theirs.map(({ da }) => da));
    return [{ ...theirs[0]!, value }];
  });
  return {
    rater: other.reliability.rater,
    effect: `points below ${first.reliability.rater}`,
    planted: meanPointsSubtracted(other) - meanPointsSubtracted(first),
    found: estimate(differences, average, options),
  };
}

/** Returns the mean points subtracted from rated items. Over these drift does not cancel out. */
function meanPointsSubtracted({ persona, run }: SimulatedRun): number {
  const roles = rolesOf(run);
  const rated = roles.flatMap(([, { role }], ordinal) => role === "rated" ? [ordinal] : []);
  return persona.harshness - persona.drift * (mean(rated) - (roles.length - 1) / 2);
}

/** Returns rows of `planted_effects.csv`. */
export const plantedRows = (effects: readonly PlantedEffect[]) =>
  effects.map((row) => {
    const { rater, effect, planted } = row;
    const { estimate: found, low, high } = cellsOf(row.found);
    return { rater, effect, planted, found, low, high, covered: isCovered(row) === true };
  });

/** Tests whether the interval contains the true effect; undefined without interval. */
export function isCovered({ planted, found }: PlantedEffect): boolean | undefined {
  return found.kind === "interval" ? found.low <= planted && planted <= found.high : undefined;
}

/** All raters' runs of one session, with their effects. */
export interface SimulatedSession {
  readonly runs: readonly SimulatedRun[];
  readonly effects: readonly PlantedEffect[];
}

/** Lets every rater rate the workbook many times, with new texts and errors. */
export function repeatedSessions(
  personas: readonly Persona[],
  { sessions, blank, texts, key, config, analysis }:
    & RunMaterial
    & Omit<SimulationMaterial, "seed">
    & {
      readonly sessions: number;
      readonly analysis: AnalysisOptions;
    },
): readonly SimulatedSession[] {
  return Array.from({ length: sessions }, (_, session) => {
    const seed = `${analysis.seed} session ${session}`;
    const handedIn = rateInTurn(personas, { blank, texts, config, seed });
    const runs = handedIn.map(({ persona, workbook }) => {
      const run = unblind({ rater: persona.name, workbook, key, config });
      return { persona, run, reliability: raterReliability(run, { ...analysis, seed }) };
    });
    return { runs, effects: plantedEffects(runs, { ...analysis, seed }) };
  });
}

/**
 * Summarises each effect over many sessions.
 * About 95 of 100 intervals should contain the true value, and the mean should agree with it within
 * its standard error (empty after one session). Effects missing in all sessions are omitted.
 */
export function repeatedEffects(sessions: readonly SimulatedSession[]): readonly RepeatedEffect[] {
  const all = sessions.flatMap(({ effects }) => effects);
  const groups = Map.groupBy(all, ({ rater, effect }) => JSON.stringify([rater, effect]));
  return [...groups.values()].flatMap((group) => {
    const estimates = group.flatMap(({ found }) =>
      found.kind === "interval" ? [found.estimate] : []
    );
    if (estimates.length === 0) return [];
    const { rater, effect } = group[0]!;
    return [{
      rater,
      effect,
      planted: mean(group.map(({ planted }) => planted)),
      found: mean(estimates),
      standard_error: estimates.length < 2
        ? "" as const
        : sampleStandardDeviation(estimates) / Math.sqrt(estimates.length),
      covered: group.filter(isCovered).length,
      sessions: estimates.length,
    }];
  });
}

/** Returns the coverage of each kind of interval, also by rater. */
export function coverageByEffect(effects: readonly RepeatedEffect[]) {
  const kind = ({ effect }: RepeatedEffect) => effect.replace(/^points below .*/, "harshness");
  return [...Map.groupBy(effects, kind)].map(([effect, group]) => ({
    effect,
    share: sum(group.map(({ covered }) => covered)) / sum(group.map(({ sessions }) => sessions)),
    fewest: Math.min(...group.map(({ covered }) => covered)),
    most: Math.max(...group.map(({ covered }) => covered)),
  }));
}

/** Summarises every rater's attention checks; sessions without a counted check are omitted. */
export function repeatedChecks(sessions: readonly SimulatedSession[]): readonly RepeatedChecks[] {
  const runs = Map.groupBy(sessions.flatMap(({ runs }) => runs), ({ persona }) => persona);
  return [...runs].flatMap(([{ name, inattention }, raterRuns]) => {
    const counts = raterRuns.map(({ reliability: { attention: { checks } } }) => ({
      checks: checks.length,
      passed: checks.filter(({ passed }) => passed).length,
    })).filter(({ checks }) => checks > 0);
    if (counts.length === 0) return [];
    return [{
      rater: name,
      unread: inattention,
      sessions: counts.length,
      checks: sum(counts.map(({ checks }) => checks)),
      passed: sum(counts.map(({ passed }) => passed)),
      all_passed: counts.filter(({ checks, passed }) => checks === passed).length,
      all_read: sum(counts.map(({ checks }) => (1 - inattention) ** checks)) / counts.length,
    }];
  });
}
