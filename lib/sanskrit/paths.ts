import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Every file of the study, wherever the notebook or task was started from. */
export const SANSKRIT_PATHS = {
  project: inProject("."),
  verses: inProject("data/sanskrit/verses.csv"),
  treebank: inProject("data/sanskrit/treebank.csv"),
  nouns: inProject("data/sanskrit/nouns.csv"),
  nounTokens: inProject("data/sanskrit/noun_tokens.csv"),
  pairs: inProject("data/sanskrit/morph_contrast_sets.jsonl"),
  certificates: inProject("data/sanskrit/certificates.csv"),
  rejections: inProject("data/sanskrit/rejections.csv"),
  bareForms: inProject("data/sanskrit/bare_forms.jsonl"),
  controls: inProject("data/sanskrit/control_sentences.jsonl"),
  iStems: inProject("data/sanskrit/i_stem_contrast_sets.jsonl"),
  responses: inProject("data/sanskrit/evaluation_results.csv"),
  likelihoods: inProject("data/sanskrit/likelihoods.csv"),
  responseSettings: inProject("data/sanskrit/evaluation_settings.json"),
  likelihoodSettings: inProject("data/sanskrit/likelihood_settings.json"),
  invalidAnswers: inProject("data/sanskrit/invalid_answers.csv"),
  metrics: inProject("data/sanskrit/metrics.csv"),
  statistics: inProject("data/sanskrit/statistics.csv"),
  artefacts: inProject("data/sanskrit/artefacts.csv"),
  panel: inProject("data/panels/local.yaml"),
  hostedPanel: inProject("data/panels/groq.yaml"),
  env: inProject(".env"),
  usage: inProject(".cache/hosted/usage.json"),
  answersLock: inProject(".cache/answers.lock"),
  figures: inProject("figures/sanskrit"),
  results: inProject("RESULTS.md"),
  cache: inProject(".cache"),
  packages: inProject(".cache/packages"),
} as const;
