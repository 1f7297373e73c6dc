/** Studies and panels that commands accept by name. Studies are loaded lazily. */
import type { LanguageModel } from "../lib/models/model.ts";
import type { ExportedStudy } from "../lib/pairs/export.ts";
import { IN_PROJECT, type PairSet } from "../lib/pairs/study.ts";

/** A study of minimal pairs, opened for commands. */
export interface OpenStudy extends PairSet {
  /** Additional sets of pairs, asked about or only scored. */
  readonly further: readonly PairSet[];
  /** Count-based models of the study's text, which score all its pairs. */
  readonly ownModels: readonly LanguageModel[];
}

const STUDIES = {
  norse: async (): Promise<OpenStudy> =>
    (await import("../lib/studies/norse/pipeline.ts")).openNorse(),
  sanskrit: async (): Promise<OpenStudy> =>
    (await import("../lib/studies/sanskrit/pipeline.ts")).openSanskrit(),
};

/** Names of the studies of minimal pairs. */
export const STUDY_NAMES = Object.keys(STUDIES) as readonly StudyName[];
export type StudyName = keyof typeof STUDIES;

/** Opens a study. @throws {SyntaxError | Deno.errors.NotFound} naming the notebook that makes the pairs. */
export const openStudy = (name: StudyName): Promise<OpenStudy> => STUDIES[name]();

/** Files of the panels that commands accept by name. Other values are paths. */
export const PANELS: Readonly<Record<string, string>> = {
  groq: IN_PROJECT.panels.hosted,
  large: IN_PROJECT.panels.larger,
  local: IN_PROJECT.panels.local,
};

/** Reads a study's pairs for export. Throws as {@link openStudy} does. */
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

/** Human-labelled claims on which a head is measured. They are not part of this repository. */
export const PEOPLES_CLAIMS = () => import("../lib/studies/factuality/measurement_claims.ts");
