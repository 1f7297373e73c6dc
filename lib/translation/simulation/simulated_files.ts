import { writeBytesAtomic } from "../../files/atomic.ts";
import { shownPath } from "../../files/shown_path.ts";
import { randomSource } from "../../stats/random.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import { simulatedWorkbookPath } from "../report/paths.ts";
import { type RatedFile, readSealedWorkbook, type RunMaterial } from "../report/read_rated.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import type { Persona } from "./persona.ts";
import { type KnownText, qualityOfTexts } from "./quality.ts";
import { simulateRater } from "./rate.ts";

/** What the simulated raters work with; the key only proves that the workbook is the demo's. */
export interface SimulationMaterial extends RunMaterial {
  readonly texts: readonly KnownText[];
  readonly seed: number;
}

const START = "2026-11-22T09:00:00.000Z";

/**
 * Has every persona rate the demo's workbook, and writes what each hands in.
 *
 * Throws Error where the workbook is refused or a rater cannot finish.
 */
export async function writeSimulatedWorkbooks(
  personas: readonly Persona[],
  { texts, seed, ...material }: SimulationMaterial,
): Promise<readonly RatedFile[]> {
  const { config } = material;
  const path = TRANSLATION_PATHS.demoWorkbook;
  const blank = await readSealedWorkbook(await Deno.readFile(path), shownPath(path), material);
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  const files: RatedFile[] = [];
  for (const persona of personas) {
    const random = randomSource(`${seed} ${persona.name}`);
    const rated = simulateRater(blank, { config, persona, qualityOf, random, start: START });
    const file = { rater: persona.name, path: simulatedWorkbookPath(persona.name) };
    writeBytesAtomic(file.path, await checkpoint(rated, config));
    files.push(file);
  }
  return files;
}
