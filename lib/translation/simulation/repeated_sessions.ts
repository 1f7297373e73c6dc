import { mean } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { raterReliability } from "../analysis/reliability.ts";
import type { RunMaterial } from "../analysis/rated_run.ts";
import type { AnalysisOptions } from "../analysis/results.ts";
import { unblind } from "../analysis/unblind.ts";
import type { RatingWorkbook } from "../item.ts";
import type { Persona } from "./persona.ts";
import { type KnownText, qualityOfTexts } from "./quality.ts";
import { simulateRater } from "./rate.ts";
import { coverage, type PlantedEffect, plantedEffects } from "./recovery.ts";

/** One effect over many sessions of the same rater. */
export interface RepeatedEffect {
  readonly rater: string;
  readonly effect: string;
  /** Mean over sessions of what was planted and of what was found. */
  readonly planted: number;
  readonly found: number;
  /** Sessions whose interval holds what was planted, of those that gave an interval. */
  readonly covered: number;
  readonly sessions: number;
}

/** What many sessions are made from. */
export interface RepeatedOptions extends RunMaterial {
  readonly blank: RatingWorkbook;
  readonly texts: readonly KnownText[];
  /** One or more. */
  readonly sessions: number;
  readonly analysis: AnalysisOptions;
}

/**
 * One session is one draw, and an interval that misses may be bad luck: here every rater does the
 * workbook many times over, texts and errors drawn anew, and an interval of 95 % should hold what was
 * planted in 95 of 100 sessions.
 */
export function repeatedEffects(
  personas: readonly Persona[],
  options: RepeatedOptions,
): readonly RepeatedEffect[] {
  const all = Array.from(
    { length: options.sessions },
    (_, session) => effectsOfSession(personas, session, options),
  ).flat();
  const groups = Map.groupBy(all, ({ rater, effect }) => JSON.stringify([rater, effect]));
  return [...groups.values()].flatMap(summary);
}

function effectsOfSession(
  personas: readonly Persona[],
  session: number,
  { blank, texts, key, config, analysis }: RepeatedOptions,
): readonly PlantedEffect[] {
  const seed = `${analysis.seed} session ${session}`;
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  const runs = personas.map((persona) => {
    const random = randomSource(`${seed} ${persona.name}`);
    const start = "2026-11-22T09:00:00.000Z";
    const workbook = simulateRater(blank, { config, persona, qualityOf, random, start });
    const run = unblind({ rater: persona.name, workbook, key, config });
    return { persona, run, reliability: raterReliability(run, { ...analysis, seed }) };
  });
  return plantedEffects(runs, { ...analysis, seed });
}

function summary(sessions: readonly PlantedEffect[]): RepeatedEffect[] {
  const found = sessions.flatMap(({ found }) => found.kind === "interval" ? [found.estimate] : []);
  if (found.length === 0) return [];
  const { rater, effect } = sessions[0]!;
  const { covered, of } = coverage(sessions);
  const planted = mean(sessions.map(({ planted }) => planted));
  return [{ rater, effect, planted, found: mean(found), covered, sessions: of }];
}
