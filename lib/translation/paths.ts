import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The study's files, wherever the notebook or task was started from. Never imported by the page. */
export const TRANSLATION_PATHS = {
  data: inProject("data/translation"),
  demoOutputs: inProject("data/translation/demo_outputs.csv"),
  demoRun: inProject("data/translation/demo_run.yaml"),
  demoWorkbook: inProject("data/translation/demo_workbook.xlsx"),
  demoKey: inProject("data/translation/demo_key.json"),
  /** What notebook 31 writes besides workbook and key. */
  preparation: inProject("data/translation/preparation.csv"),
  figures: inProject("figures/translation"),
  results: inProject("RESULTS.md"),
  /** Real ratings of the WMT23 task; no part of the project, so that it may be absent. */
  wmt23: inProject("../shared/data/wmt23_ende_scores.tsv"),
} as const;

/** What notebook 32 and `deno task wmt23` write. */
export const TRANSLATION_REPORT_PATHS = {
  systemRatings: inProject("data/translation/system_ratings.csv"),
  systemRatingsWorkbook: inProject("data/translation/system_ratings.xlsx"),
  systemMeans: inProject("data/translation/system_means.csv"),
  pairwiseTests: inProject("data/translation/pairwise_tests.csv"),
  reliability: inProject("data/translation/reliability.csv"),
  plantedEffects: inProject("data/translation/planted_effects.csv"),
  repeatedSessions: inProject("data/translation/repeated_sessions.csv"),
  repeatedChecks: inProject("data/translation/repeated_checks.csv"),
  wmt23Systems: inProject("data/translation/wmt23_systems.csv"),
  wmt23Pairs: inProject("data/translation/wmt23_pairs.csv"),
  wmt23RankAgreement: inProject("data/translation/wmt23_rank_agreement.csv"),
} as const;
