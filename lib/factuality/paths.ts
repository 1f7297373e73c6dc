import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256Hex } from "../files/atomic.ts";

const projectPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Path of a file in the study's data, independent of the working directory. */
export const dataFile = (file: string) => projectPath(`data/factuality/${file}`);

/** Paths that no `tables.ts` describes, and paths that notebooks name. */
export const FACTUALITY_PATHS = {
  cache: projectPath(".cache"),
  /** Indexes of knowledge bases, by content hash. */
  retrievalCache: projectPath(".cache/retrieval"),
  configuration: dataFile("evaluation.yaml"),
  /** Judges that the study asks only on request. */
  largerJudge: dataFile("larger_judge.yaml"),
  prompts: dataFile("prompts.yaml"),
  verifierWeights: dataFile("verifier_weights.json"),
  /** Thresholds of the baselines. */
  verifierBaselines: dataFile("verifier_baselines.json"),
  verifierTraining: dataFile("verifier_training.csv"),
  verifierSources: dataFile("verifier_sources.csv"),
  verifierAnswers: dataFile("verifier_answers.csv"),
  judgeScores: dataFile("judge_scores.csv"),
  judgeCalibration: dataFile("judge_calibration.json"),
  largeVerifier: dataFile("large_verifier.json"),
  largeAnswers: dataFile("large_answers.csv"),
  abstentionClassifier: dataFile("abstention_classifier.json"),
  knowledgeCases: dataFile("knowledge_cases.csv"),
  componentAnswers: dataFile("component_answers.csv"),
  humanLabelled: dataFile("human_labelled.csv"),
  humanAnswers: dataFile("human_answers.csv"),
  /** Layers and head of the fine-tuned network. */
  verifierNetwork: dataFile("verifier_network.gguf"),
  fineTuningLoss: dataFile("fine_tuning_loss.csv"),
  figures: projectPath("figures/factuality"),
  results: projectPath("RESULTS.md"),
} as const;

/**
 * Folder for results of a user's files, outside of data/. Its name is the first file's name with
 * eight digits of a hash of all paths, so that files of one name in several folders do not collide.
 */
export function userFolder(command: string, ...files: readonly [string, ...string[]]): string {
  const places = files.map((file) => existsSync(file) ? Deno.realPathSync(file) : resolve(file));
  const digits = sha256Hex(places.join("\0")).slice(0, 8);
  return join(FACTUALITY_PATHS.cache, command, `${basename(files[0])}-${digits}`);
}
