import { mean, sampleStandardDeviation } from "simple-statistics";
import { raterReliability } from "../analysis/reliability.ts";
import type { RunMaterial } from "../analysis/rated_run.ts";
import type { AnalysisOptions } from "../analysis/results.ts";
import { unblind } from "../analysis/unblind.ts";
import type { Persona } from "./persona.ts";
import { rateInTurn, type SimulationMaterial } from "./rate_in_turn.ts";
import { coverage, type PlantedEffect, plantedEffects, type SimulatedRun } from "./recovery.ts";

/** What all raters did in one session. */
export interface SimulatedSession {
  readonly runs: readonly SimulatedRun[];
  readonly effects: readonly PlantedEffect[];
}

/** One effect over many sessions of the same rater. */
export interface RepeatedEffect {
  readonly rater: string;
  readonly effect: string;
  /** Mean over sessions of what was planted and of what was found. */
  readonly planted: number;
  readonly found: number;
  /** Of the mean that was found: its Monte-Carlo error. Undefined after one session. */
  readonly standardError: number | undefined;
  /** Sessions whose interval holds what was planted, of those that gave an interval. */
  readonly covered: number;
  readonly sessions: number;
}

/** What many sessions are made from. */
export interface RepeatedOptions extends RunMaterial, Omit<SimulationMaterial, "seed"> {
  /** One or more. */
  readonly sessions: number;
  readonly analysis: AnalysisOptions;
}

/** Every rater does the workbook many times over, texts and errors drawn anew. */
export function repeatedSessions(
  personas: readonly Persona[],
  options: RepeatedOptions,
): readonly SimulatedSession[] {
  return Array.from(
    { length: options.sessions },
    (_, session) => simulatedSession(personas, session, options),
  );
}

function simulatedSession(
  personas: readonly Persona[],
  session: number,
  { blank, texts, key, config, analysis }: RepeatedOptions,
): SimulatedSession {
  const seed = `${analysis.seed} session ${session}`;
  const handedIn = rateInTurn(personas, { blank, texts, config, seed });
  const runs = handedIn.map(({ persona, workbook }) => {
    const run = unblind({ rater: persona.name, workbook, key, config });
    return { persona, run, reliability: raterReliability(run, { ...analysis, seed }) };
  });
  return { runs, effects: plantedEffects(runs, { ...analysis, seed }) };
}

/**
 * One session is one draw, and an interval that misses may be bad luck: over many, an interval of
 * 95 % should hold what was planted in 95 of 100, and the mean of what is found should be what was
 * planted, as far as its own error lets it. Effects that no session gives are left out.
 */
export function repeatedEffects(
  sessions: readonly SimulatedSession[],
): readonly RepeatedEffect[] {
  const all = sessions.flatMap(({ effects }) => effects);
  const groups = Map.groupBy(all, ({ rater, effect }) => JSON.stringify([rater, effect]));
  return [...groups.values()].flatMap(summary);
}

function summary(sessions: readonly PlantedEffect[]): RepeatedEffect[] {
  const found = sessions.flatMap(({ found }) => found.kind === "interval" ? [found.estimate] : []);
  if (found.length === 0) return [];
  const { rater, effect } = sessions[0]!;
  const { covered, of } = coverage(sessions);
  return [{
    ...{ rater, effect, covered, sessions: of },
    planted: mean(sessions.map(({ planted }) => planted)),
    found: mean(found),
    standardError: found.length < 2
      ? undefined
      : sampleStandardDeviation(found) / Math.sqrt(found.length),
  }];
}
