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

/** One simulated rater with everything found out about its ratings. */
export interface SimulatedRun {
  readonly persona: Persona;
  readonly run: UnblindedRun;
  readonly reliability: RaterReliability;
}

/** An effect that was put into a simulated rater, and what the analysis makes of it. */
type PlantedEffect = Pick<RepeatedEffect, "rater" | "effect" | "planted"> & {
  readonly found: RaterReliability["repeats"]["meanAbsoluteDifference"];
};

/** 1 in 5 scores is a multiple of 5, whoever rates. */
const CHANCE_OF_FIVE = 0.2;

/**
 * Planted beside found, for every rater: harshness beyond the first rater's, points per row of the
 * screen and per ten items, share of multiples of 5, and the mean difference between repeats. Scores
 * end with the scale and obey the buckets, which draws what is found somewhat towards zero.
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
      // Of a rater who does not always read it has no simple form.
      ...persona.inattention > 0
        ? []
        : [effect("mean difference of repeats", difference, repeats.meanAbsoluteDifference)],
    ];
  });
}

/**
 * E|x − y| of a text's two scores: a folded normal distribution (Leone, Nelson & Nottingham 1961,
 * Technometrics 3(4), 543–550), for noise and rows are drawn anew and drift moves the second score.
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

/** Items in the order of the workbook, with why they are there. */
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
    planted: pointsOff(other) - pointsOff(first),
    found: estimate(differences, average, options),
  };
}

/** Points taken off the rated items, which alone do not cancel a drift. */
function pointsOff({ persona, run }: SimulatedRun): number {
  const roles = rolesOf(run);
  const rated = roles.flatMap(([, { role }], ordinal) => role === "rated" ? [ordinal] : []);
  return persona.harshness - persona.drift * (mean(rated) - (roles.length - 1) / 2);
}

/** Rows of `planted_effects.csv`. */
export const plantedRows = (effects: readonly PlantedEffect[]) =>
  effects.map((row) => {
    const { rater, effect, planted } = row;
    const { estimate: found, low, high } = cellsOf(row.found);
    return { rater, effect, planted, found, low, high, covered: isCovered(row) === true };
  });

/** Whether the interval holds what was planted; undefined where there is none. */
export function isCovered({ planted, found }: PlantedEffect): boolean | undefined {
  return found.kind === "interval" ? found.low <= planted && planted <= found.high : undefined;
}

/** What all raters did in one session. */
export interface SimulatedSession {
  readonly runs: readonly SimulatedRun[];
  readonly effects: readonly PlantedEffect[];
}

/** Every rater does the workbook many times over, texts and errors drawn anew. */
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
 * Each effect over many sessions: one interval that misses may be bad luck, but 95 of 100 should hold
 * what was planted, and the mean should be it, as far as its standard error (empty after one session)
 * lets it. Effects that no session gives are left out.
 */
export function repeatedEffects(sessions: readonly SimulatedSession[]): readonly RepeatedEffect[] {
  const all = sessions.flatMap(({ effects }) => effects);
  const groups = Map.groupBy(all, ({ rater, effect }) => JSON.stringify([rater, effect]));
  return [...groups.values()].flatMap((own) => {
    const found = own.flatMap(({ found }) => found.kind === "interval" ? [found.estimate] : []);
    if (found.length === 0) return [];
    const { rater, effect } = own[0]!;
    return [{
      rater,
      effect,
      planted: mean(own.map(({ planted }) => planted)),
      found: mean(found),
      standard_error: found.length < 2
        ? "" as const
        : sampleStandardDeviation(found) / Math.sqrt(found.length),
      covered: own.filter(isCovered).length,
      sessions: found.length,
    }];
  });
}

/** How often each kind of interval holds what was planted, over all sessions and by rater. */
export function coverageByEffect(effects: readonly RepeatedEffect[]) {
  const kind = ({ effect }: RepeatedEffect) => effect.replace(/^points below .*/, "harshness");
  return [...Map.groupBy(effects, kind)].map(([effect, own]) => ({
    effect,
    share: sum(own.map(({ covered }) => covered)) / sum(own.map(({ sessions }) => sessions)),
    fewest: Math.min(...own.map(({ covered }) => covered)),
    most: Math.max(...own.map(({ covered }) => covered)),
  }));
}

/** Every rater's attention checks. Sessions without any that count are left out. */
export function repeatedChecks(sessions: readonly SimulatedSession[]): readonly RepeatedChecks[] {
  const runs = Map.groupBy(sessions.flatMap(({ runs }) => runs), ({ persona }) => persona);
  return [...runs].flatMap(([{ name, inattention }, own]) => {
    const counts = own.map(({ reliability: { attention: { checks } } }) => ({
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
