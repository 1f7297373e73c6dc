/** The studies and panels that a command line may name. A study is loaded where it is named, never before. */
import type { LanguageModel } from "../lib/models/model.ts";
import type { ExportedStudy } from "../lib/pairs/export.ts";
import { IN_PROJECT, type PairSet } from "../lib/pairs/study.ts";

/** A study of minimal pairs as commands open it. */
export interface OpenStudy extends PairSet {
  /** Further pairs, asked about or only scored as their studies say. */
  readonly further: readonly PairSet[];
  /** Models counted from the study's text, which score all of its pairs. */
  readonly ownModels: readonly LanguageModel[];
}

const STUDIES = {
  norse: async (): Promise<OpenStudy> =>
    (await import("../lib/studies/norse/pipeline.ts")).openNorse(),
  sanskrit: async (): Promise<OpenStudy> =>
    (await import("../lib/studies/sanskrit/pipeline.ts")).openSanskrit(),
};

/** The studies whose pairs models can be asked about. */
export const STUDY_NAMES = Object.keys(STUDIES) as readonly StudyName[];
export type StudyName = keyof typeof STUDIES;

/** Opens a study. @throws {SyntaxError | Deno.errors.NotFound} naming the notebook that makes the pairs. */
export const openStudy = (name: StudyName): Promise<OpenStudy> => STUDIES[name]();

/** The panels that a command line may name; any other word is the path of a file. */
export const PANELS: Readonly<Record<string, string>> = {
  groq: IN_PROJECT.panels.hosted,
  large: IN_PROJECT.panels.larger,
  local: IN_PROJECT.panels.local,
};

/** Reads the pairs of a study as they are exported. Throws as {@link openStudy} does. */
export const exportedStudy = (name: StudyName): Promise<ExportedStudy> => EXPORTS[name]();
const EXPORTS = {
  norse: async () => (await import("../lib/studies/norse/pipeline.ts")).exportedNorse(),
  sanskrit: async () => (await import("../lib/studies/sanskrit/pipeline.ts")).exportedSanskrit(),
};

/**
 * Labelled claims made from the factbook. Training of a user's verifier or judge may include them.
 */
export const FACTBOOK_CLAIMS = {
  stated: () => import("../lib/studies/factuality/claims/knowledge_claims.ts"),
  varied: () => import("../lib/studies/factuality/robustness/made_claims.ts"),
};

/** Claims that people labelled, which a head is measured on: no part of this repository. */
export const PEOPLES_CLAIMS = () => import("../lib/studies/factuality/measurement_claims.ts");
