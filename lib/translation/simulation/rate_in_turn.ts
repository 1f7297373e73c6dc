import { randomSource } from "../../stats/random.ts";
import type { RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import type { Persona } from "./persona.ts";
import { type KnownText, qualityOfTexts } from "./quality.ts";
import { simulateRater } from "./rate.ts";

/** What the simulated raters work with: no key, for they know of no system. */
export interface SimulationMaterial {
  /** The workbook as nobody has opened it. */
  readonly blank: RatingWorkbook;
  readonly config: RunConfig;
  readonly texts: readonly KnownText[];
  /** Of the texts' quality and, with the rater's name, of the rater's errors. */
  readonly seed: number | string;
}

/** A workbook as a simulated rater hands it in. */
export interface SimulatedWorkbook {
  readonly persona: Persona;
  readonly workbook: RatingWorkbook;
}

const START = "2026-11-22T09:00:00.000Z";

/** Has every persona rate the workbook. Throws Error if one cannot finish. */
export function rateInTurn(
  personas: readonly Persona[],
  { blank, texts, config, seed }: SimulationMaterial,
): readonly SimulatedWorkbook[] {
  const qualityOf = qualityOfTexts(texts, randomSource(`${seed} texts`));
  return personas.map((persona) => {
    const random = randomSource(`${seed} ${persona.name}`);
    const options = { config, persona, qualityOf, random, start: START };
    return { persona, workbook: simulateRater(blank, options) };
  });
}
