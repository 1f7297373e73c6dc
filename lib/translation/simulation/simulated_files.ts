import { join } from "node:path";
import { writeBytesAtomic } from "../../files/atomic.ts";
import { randomSource } from "../../stats/random.ts";
import type { RatedFile } from "../analysis/rated_run.ts";
import type { RatingWorkbook } from "../item.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import type { RunConfig } from "../run_config.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import type { Persona } from "./persona.ts";
import { type KnownText, qualityOfTexts } from "./quality.ts";
import { simulateRater } from "./rate.ts";

/** What the simulated raters work with: no key, for they know of no system. */
export interface SimulationMaterial {
  /** The workbook as nobody has opened it. */
  readonly blank: RatingWorkbook;
  readonly config: RunConfig;
  readonly texts: readonly KnownText[];
  readonly seed: number;
}

const START = "2026-11-22T09:00:00.000Z";

/**
 * Has every persona rate the workbook, and writes what each hands in.
 *
 * Throws Error if one cannot finish.
 */
export async function writeSimulatedWorkbooks(
  personas: readonly Persona[],
  { blank, texts, config, seed }: SimulationMaterial,
): Promise<readonly RatedFile[]> {
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  const files: RatedFile[] = [];
  for (const persona of personas) {
    const random = randomSource(`${seed} ${persona.name}`);
    const rated = simulateRater(blank, { config, persona, qualityOf, random, start: START });
    const file = {
      rater: persona.name,
      path: join(TRANSLATION_PATHS.data, `${persona.name}.xlsx`),
    };
    writeBytesAtomic(file.path, await checkpoint(rated, config));
    files.push(file);
  }
  return files;
}
