import type { FineTuningResult } from "../../lib/factuality/fine_tuning/results_table.ts";
import {
  shippedHumanResults,
  shippedTestResults,
} from "../../lib/factuality/fine_tuning/shipped_results.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { readHumanLabelled } from "../../lib/factuality/study/evaluation/human_labelled.ts";
import { readTestResults } from "../../lib/factuality/study/evaluation/training_results.ts";
import { shippedModelClaims } from "./model_claims.ts";

/** The verifier that ships, on the sets that the networks were measured on. */
export function shippedResults(sets: readonly string[]): readonly FineTuningResult[] {
  return [
    ...shippedTestResults(readTestResults(FACTUALITY_PATHS.verifierTraining)),
    ...shippedModelClaims(),
    ...shippedHumanResults(readHumanLabelled(FACTUALITY_PATHS.humanLabelled), sets),
  ];
}
