import type { LanguageModel } from "../lib/models/model.ts";
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { NORSE_PATHS, NORSE_STUDY } from "../lib/norse/study.ts";
import type { MinimalPair } from "../lib/pairs/pair.ts";
import type { PairStudy } from "../lib/pairs/study.ts";
import { characterModels } from "../lib/sanskrit/baselines.ts";
import { probePairs, readContrastSets } from "../lib/sanskrit/probes.ts";
import { PROBE_STUDY, SANSKRIT_STUDY } from "../lib/sanskrit/study.ts";
import { VERSES } from "../lib/sanskrit/verses.ts";

/** Pairs with the files of what models say of them. */
export interface PairSet {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
}

/** A study of minimal pairs as commands open it. */
interface OpenStudy extends PairSet {
  /** Pairs that are only scored, never asked about. */
  readonly probes: readonly PairSet[];
  /** Models counted from the study's own text, which score all of its pairs. */
  readonly ownModels: readonly LanguageModel[];
}

const STUDIES = {
  norse(): OpenStudy {
    const pairs = readNorseDataset().map(({ pair }) => pair);
    return { study: NORSE_STUDY, pairs, probes: [], ownModels: [] };
  },
  sanskrit(): OpenStudy {
    const sets = readContrastSets();
    return {
      study: SANSKRIT_STUDY,
      pairs: sets.main.map(({ pair }) => pair),
      probes: [{ study: PROBE_STUDY, pairs: probePairs(sets) }],
      ownModels: characterModels(VERSES.read(), sets),
    };
  },
};

/** The studies whose pairs models can be asked about. */
export const STUDY_NAMES = Object.keys(STUDIES) as readonly StudyName[];
export type StudyName = keyof typeof STUDIES;

/** @throws {SyntaxError | Deno.errors.NotFound} naming the notebook that makes the pairs. */
export function openStudy(name: StudyName): OpenStudy {
  return STUDIES[name]();
}

/** The panels that a command line may name; any other word is the path of a file. */
export const PANELS: Readonly<Record<string, string>> = {
  groq: NORSE_PATHS.hostedPanel,
  local: NORSE_PATHS.panel,
};
