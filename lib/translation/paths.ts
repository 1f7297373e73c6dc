import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The study's files, wherever the notebook or task was started from. Never imported by the page. */
export const TRANSLATION_PATHS = {
  data: inProject("data/translation"),
  demoOutputs: inProject("data/translation/demo_outputs.csv"),
  demoRun: inProject("data/translation/demo_run.yaml"),
  demoWorkbook: inProject("data/translation/demo_workbook.xlsx"),
  demoKey: inProject("data/translation/demo_key.json"),
  preparation: inProject("data/translation/preparation.csv"),
  figures: inProject("figures/translation"),
  results: inProject("RESULTS.md"),
  /** Real ratings of the WMT23 task; no part of the project, so that it may be absent. */
  wmt23: inProject("../shared/data/wmt23_ende_scores.tsv"),
} as const;
