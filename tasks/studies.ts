import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { NORSE_STUDY } from "../lib/norse/study.ts";
import type { MinimalPair } from "../lib/pairs/pair.ts";
import type { PairStudy } from "../lib/pairs/study.ts";

/** A study of minimal pairs as commands open it. */
export interface OpenStudy {
  readonly study: PairStudy;
  /** @throws {SyntaxError | Deno.errors.NotFound} naming the notebook that makes the pairs. */
  readonly readPairs: () => readonly MinimalPair[];
}

const STUDIES = {
  norse: { study: NORSE_STUDY, readPairs: () => readNorseDataset().map(({ pair }) => pair) },
} as const satisfies Readonly<Record<string, OpenStudy>>;

/** The studies whose pairs models can be asked about. */
export const STUDY_NAMES = Object.keys(STUDIES) as readonly StudyName[];
export type StudyName = keyof typeof STUDIES;

/** A study by its name. @throws {SyntaxError} naming those there are. */
export function studyName(text: string): StudyName {
  const name = STUDY_NAMES.find((known) => known === text);
  if (name) return name;
  throw new SyntaxError(`--study ${text} is none of ${STUDY_NAMES.join(", ")}`);
}

export function openStudy(name: StudyName): OpenStudy {
  return STUDIES[name];
}

/** The panels that a command line may name; any other word is the path of a file. */
export const PANELS: Readonly<Record<string, string>> = {
  groq: NORSE_PATHS.hostedPanel,
  local: NORSE_PATHS.panel,
};
