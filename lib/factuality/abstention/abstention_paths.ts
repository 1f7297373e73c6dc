import { dirname, join } from "node:path";
import { FACTUALITY_PATHS } from "../paths.ts";

const beside = (name: string) => join(dirname(FACTUALITY_PATHS.abstentionAnswers), name);

/** Further files of this part; queries, answers and classifier are in `FACTUALITY_PATHS`. */
export const ABSTENTION_PATHS = {
  /** Answers written to learn from. */
  training: beside("abstention_training.csv"),
  /** Real answers labelled by a reader who had not seen the classifier's opinion. */
  labels: beside("abstention_labels.csv"),
  /** The same for answers whose texts are not part of the project. */
  sharedLabels: beside("abstention_shared_labels.csv"),
  /** A second reader's labels of a hundred of both. */
  secondLabels: beside("abstention_second_labels.csv"),
  /** Classifier and baselines on labelled answers. */
  measured: beside("abstention_measured.csv"),
  /** False acceptance and over-refusal by model, instruction and kind. */
  rates: beside("abstention_rates.csv"),
  /** Aggregates of a draw of nonexistent_concepts.jsonl. */
  concepts: beside("abstention_concepts.csv"),
} as const;
