import type { LanguageModel } from "../../lib/models/model.ts";
import { readNorseDataset } from "../../lib/studies/norse/dataset.ts";
import { furtherSets, NORSE_PATHS, NORSE_STUDY } from "../../lib/studies/norse/study.ts";
import type { PairSet } from "../../lib/pairs/study.ts";
import { characterModels } from "../../lib/studies/sanskrit/baselines.ts";
import { probePairs, readContrastSets } from "../../lib/studies/sanskrit/probes.ts";
import { PROBE_STUDY, SANSKRIT_PATHS, SANSKRIT_STUDY } from "../../lib/studies/sanskrit/study.ts";
import { VERSES } from "../../lib/studies/sanskrit/verses.ts";

/** A study of minimal pairs as commands open it. */
interface OpenStudy extends PairSet {
  /** Further pairs, asked about or only scored as their studies say. */
  readonly further: readonly PairSet[];
  /** Models counted from the study's own text, which score all of its pairs. */
  readonly ownModels: readonly LanguageModel[];
}

const STUDIES = {
  norse(): OpenStudy {
    const items = readNorseDataset();
    const pairs = items.map(({ pair }) => pair);
    return { study: NORSE_STUDY, pairs, further: furtherSets(items), ownModels: [] };
  },
  sanskrit(): OpenStudy {
    const sets = readContrastSets();
    return {
      study: SANSKRIT_STUDY,
      pairs: sets.main.map(({ pair }) => pair),
      further: [{ study: PROBE_STUDY, pairs: probePairs(sets) }],
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
  large: SANSKRIT_PATHS.largerPanel,
  local: NORSE_PATHS.panel,
};
