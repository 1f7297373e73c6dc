/**
 * Computes tables of figures from committed answers, claim by claim.
 *
 * No model is asked and no text is needed.
 * @module
 */
import {
  HUMAN_ANSWERS,
  HUMAN_LABELLED,
  humanFigures,
} from "../../lib/factuality/own/human_labelled.ts";
import { sourceCounts, trainingResults } from "../../lib/factuality/own/training/results.ts";
import {
  VERIFIER_ANSWERS,
  VERIFIER_SOURCES,
  VERIFIER_TRAINING,
} from "../../lib/factuality/own/training/tables.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { command, EXIT } from "../command.ts";

export const TASK = command(
  "study figures",
  "human_labelled.csv, verifier_training.csv (its ablations stay) and verifier_sources.csv anew from " +
    "human_answers.csv and verifier_answers.csv. Nothing is asked.",
  (c) => c,
  () => {
    HUMAN_LABELLED.write(humanFigures(HUMAN_ANSWERS.read()));
    const answers = VERIFIER_ANSWERS.read();
    const byKey = new Map(
      trainingResults(answers).map((row) => [VERIFIER_TRAINING.keyOf(row), row]),
    );
    VERIFIER_TRAINING.write(
      VERIFIER_TRAINING.read().map((row) => byKey.get(VERIFIER_TRAINING.keyOf(row)) ?? row),
    );
    VERIFIER_SOURCES.write(sourceCounts(answers));
    for (const { path } of [HUMAN_LABELLED, VERIFIER_TRAINING, VERIFIER_SOURCES]) {
      console.log(`Wrote ${shownPath(path)}.`);
    }
    return EXIT.done;
  },
);
