/**
 * The study's stages: validation of the rating analysis.
 * Simulated raters with known faults rate a workbook, and the analysis is compared with the faults,
 * once and over many sessions; real ratings, those of WMT23, pass through the same code. Notebook
 * 32 shows the result of each stage. Every stage writes its table.
 */
import type { RaterReliability } from "../../translation/analysis/reliability.ts";
import type { AnalysisOptions } from "../../translation/analysis/estimate.ts";
import type { UnblindedRun } from "../../translation/analysis/ratings.ts";
import * as tables from "./tables.ts";
import { PERSONAS } from "./simulation/perception.ts";
import { type SimulationMaterial, writeSimulatedWorkbooks } from "./simulation/rate.ts";
import * as recovery from "./simulation/recovery.ts";
import { wmt23Rows } from "./wmt23.ts";

/**
 * Lets every persona rate the workbook, each into a file of the folder.
 * @throws {Error} if one cannot finish.
 */
export const simulateRaters = (material: SimulationMaterial, folder: string) =>
  writeSimulatedWorkbooks(PERSONAS, material, folder);

/** Runs and reliability of the simulated raters, in the order of the personas. */
interface KnownRaters {
  readonly runs: readonly UnblindedRun[];
  readonly raters: readonly RaterReliability[];
}

/** Compares the estimates of each persona's effects with the true ones. */
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

/** Repeats the comparison over many sessions with new texts and errors. */
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

/**
 * Writes the tables of WMT23's English–German scores, aggregates only.
 * @throws as {@link wmt23Rows}.
 */
export async function writeWmt23(text: string, file: string) {
  const { systems, pairs, rankAgreement } = await wmt23Rows(text, file);
  tables.WMT23_SYSTEMS.write(systems);
  tables.WMT23_PAIRS.write(pairs);
  tables.WMT23_RANK_AGREEMENT.write(rankAgreement);
  return [tables.WMT23_SYSTEMS, tables.WMT23_PAIRS, tables.WMT23_RANK_AGREEMENT];
}
