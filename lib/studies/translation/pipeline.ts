/**
 * The study's stages in order: raters with known faults rate a workbook, the analysis is held against what was
 * planted, once and over many sessions; and real ratings, those of WMT23, go the same way. Notebook 32 shows
 * what each gives. Every stage writes its table.
 */
import type { RaterReliability } from "../../translation/analysis/reliability.ts";
import type { AnalysisOptions } from "../../translation/analysis/estimate.ts";
import type { UnblindedRun } from "../../translation/analysis/ratings.ts";
import * as tables from "./tables.ts";
import { PERSONAS } from "./simulation/perception.ts";
import { type SimulationMaterial, writeSimulatedWorkbooks } from "./simulation/rate.ts";
import * as recovery from "./simulation/recovery.ts";
import { wmt23Rows } from "./wmt23.ts";

/** Has every persona rate the workbook, each into a file of the folder. @throws {Error} if one cannot finish. */
export const simulateRaters = (material: SimulationMaterial, folder: string) =>
  writeSimulatedWorkbooks(PERSONAS, material, folder);

/** What is known of the simulated raters, in the order of the personas. */
interface KnownRaters {
  readonly runs: readonly UnblindedRun[];
  readonly raters: readonly RaterReliability[];
}

/** Holds what the analysis found of each persona against what was planted in it. */
export function recoverPlanted(
  { runs, raters }: KnownRaters,
  options: AnalysisOptions,
  folder: string,
) {
  const simulated = PERSONAS.map((persona, at) => {
    return { persona, run: runs[at]!, reliability: raters[at]! };
  });
  const effects = recovery.plantedEffects(simulated, options);
  tables.PLANTED_EFFECTS.at(`${folder}/planted_effects.csv`).write(recovery.plantedRows(effects));
  return effects;
}

/** Does the same over many sessions, texts and errors drawn anew. */
export function recoverRepeatedly(
  material: Parameters<typeof recovery.repeatedSessions>[1],
  folder: string,
) {
  const sessions = recovery.repeatedSessions(PERSONAS, material);
  const [effects, checks] = [recovery.repeatedEffects(sessions), recovery.repeatedChecks(sessions)];
  tables.REPEATED_SESSIONS.at(`${folder}/repeated_sessions.csv`).write(effects);
  tables.REPEATED_CHECKS.at(`${folder}/repeated_checks.csv`).write(checks);
  return { effects, checks };
}

/** Writes the tables of WMT23's English–German scores; aggregates alone. @throws as {@link wmt23Rows}. */
export async function writeWmt23(text: string, file: string) {
  const { systems, pairs, rankAgreement } = await wmt23Rows(text, file);
  tables.WMT23_SYSTEMS.write(systems);
  tables.WMT23_PAIRS.write(pairs);
  tables.WMT23_RANK_AGREEMENT.write(rankAgreement);
  return [tables.WMT23_SYSTEMS, tables.WMT23_PAIRS, tables.WMT23_RANK_AGREEMENT];
}
