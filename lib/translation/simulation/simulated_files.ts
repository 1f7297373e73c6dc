import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import type { RatedFile } from "../analysis/rated_run.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import type { Persona } from "./persona.ts";
import { rateInTurn, type SimulationMaterial } from "./rate_in_turn.ts";

/**
 * Has every persona rate the workbook, and writes what each hands in.
 *
 * Throws Error if one cannot finish.
 */
export async function writeSimulatedWorkbooks(
  personas: readonly Persona[],
  material: SimulationMaterial,
): Promise<readonly RatedFile[]> {
  const files: RatedFile[] = [];
  for (const { persona, workbook } of rateInTurn(personas, material)) {
    const file = {
      rater: persona.name,
      path: join(TRANSLATION_PATHS.data, `${persona.name}.xlsx`),
    };
    writeBytesAtomic(file.path, await checkpoint(workbook, material.config));
    files.push(file);
  }
  return files;
}
