import { join } from "node:path";
import { TRANSLATION_PATHS } from "../paths.ts";

const inData = (name: string) => join(TRANSLATION_PATHS.data, name);

/** What notebook 32 and `deno task wmt23` write. */
export const TRANSLATION_REPORT_PATHS = {
  systemRatings: inData("system_ratings.csv"),
  systemRatingsWorkbook: inData("system_ratings.xlsx"),
  systemMeans: inData("system_means.csv"),
  pairwiseTests: inData("pairwise_tests.csv"),
  reliability: inData("reliability.csv"),
  plantedEffects: inData("planted_effects.csv"),
  repeatedSessions: inData("repeated_sessions.csv"),
  repeatedChecks: inData("repeated_checks.csv"),
  wmt23Systems: inData("wmt23_systems.csv"),
  wmt23Pairs: inData("wmt23_pairs.csv"),
  wmt23RankAgreement: inData("wmt23_rank_agreement.csv"),
} as const;
