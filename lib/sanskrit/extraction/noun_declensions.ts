import type { DeclensionClass } from "../declension.ts";

/** Declensions whose nouns are looked for. */
export const NOUN_DECLENSIONS = [
  "a_masculine",
  "a_neuter",
  "ā_feminine",
  "i_masculine",
  "i_feminine",
  "i_neuter",
] as const satisfies readonly DeclensionClass[];
