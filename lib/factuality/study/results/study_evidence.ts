import { existsSync } from "node:fs";
import { randomSource } from "../../../stats/random.ts";
import { readTable } from "../../../files/resumable_table.ts";
import { ABSTENTION_PATHS } from "../../abstention/abstention_paths.ts";
import { type MeasuredRow, readMeasured } from "../../abstention/measured_table.ts";
import { type ConceptRate, readConceptRates } from "../../abstention/concepts.ts";
import { type AbstentionRate, readRates } from "../../abstention/rates.ts";
import { type BbqResult, readBbqResults } from "../../bias/bbq_results.ts";
import {
  compareComponents,
  type ComponentComparison,
} from "../../evaluation/component_comparison.ts";
import { type FineTuningResult, readFineTuningResults } from "../../fine_tuning/results_table.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";
import type { HallucinationProfile } from "../../profile/hallucination_profile.ts";
import { readProfileJson } from "../../profile/profile_json.ts";
import {
  CLAIM_LABEL_TABLE,
  CLAIM_TABLE,
  type ClaimLabelRow,
  type ResponseClaimRow,
} from "../../responses/response_tables.ts";
import { readRobustnessReport, type RobustnessReport } from "../../robustness/report.ts";
import { readKnowledgeCases } from "../acquisition/case_table.ts";
import {
  completeRuns,
  componentRuns,
  readComponentAnswers,
} from "../evaluation/component_answers.ts";
import { type HumanLabelledRow, readHumanLabelled } from "../evaluation/human_labelled.ts";
import { readTestResults, type TrainingResult } from "../evaluation/training_results.ts";
import { type VerifierOnResponses, verifierOnResponses } from "../metrics/verifier_on_responses.ts";
import { type DomainRow, readDomainTraining } from "../training/domain_table.ts";
import { type CurveRow, readLearningCurve } from "../training/learning_curve.ts";
import { type AblationRow, readAblation } from "../training/verifier_ablation.ts";
import { readChoiceSamples } from "../uncertainty/choice_samples.ts";
import { questionUncertainties } from "../uncertainty/question_uncertainty.ts";
import {
  uncertaintySummaries,
  type UncertaintySummary,
} from "../uncertainty/uncertainty_summary.ts";

/** Everything that the study's part of RESULTS.md is made of; an empty list is a file not there. */
export interface StudyEvidence {
  /** All claims first, then by kind. */
  readonly comparisons: readonly ComponentComparison[];
  readonly human: readonly HumanLabelledRow[];
  /** Every verifier on all claims about the test countries. */
  readonly test: readonly TrainingResult[];
  readonly onResponses: VerifierOnResponses;
  /** Claims of the systems with the verdicts on them. */
  readonly responseClaims: readonly ResponseClaimRow[];
  readonly claimLabels: readonly ClaimLabelRow[];
  readonly profiles: readonly HallucinationProfile[];
  readonly uncertainty: readonly UncertaintySummary[];
  readonly abstention: readonly AbstentionRate[];
  readonly abstentionMeasured: readonly MeasuredRow[];
  readonly concepts: readonly ConceptRate[];
  readonly robustness: RobustnessReport | undefined;
  readonly bbq: readonly BbqResult[];
  readonly curve: readonly CurveRow[];
  readonly ablation: readonly AblationRow[];
  readonly domain: readonly DomainRow[];
  readonly fineTuning: readonly FineTuningResult[];
}

/** Of the comparison of components: as in notebook 42, so that a figure has one interval. */
const COMPARISON_SEED = 42;

/** Of what models write and how sure they are: as in notebook 43. */
export const METRICS_SEED = 43;

/** Reads the study's tables. @throws {Error} naming the file that is damaged. */
export function readStudyEvidence(): StudyEvidence {
  const paths = FACTUALITY_PATHS;
  const labels = readTable(CLAIM_LABEL_TABLE);
  const responseClaims = readTable(CLAIM_TABLE);
  const report = `${paths.robustnessReport}.json`;
  return {
    comparisons: comparisons(),
    human: readHumanLabelled(paths.humanLabelled),
    test: readTestResults(paths.verifierTraining),
    onResponses: verifierOnResponses(responseClaims, labels, METRICS_SEED),
    responseClaims,
    claimLabels: labels,
    profiles: rows(
      paths.hallucinationProfiles,
      (path) => readProfileJson(Deno.readTextFileSync(path), path),
    ),
    uncertainty: rows(paths.choiceSamples, uncertaintyOf),
    abstention: rows(ABSTENTION_PATHS.rates, readRates),
    abstentionMeasured: rows(ABSTENTION_PATHS.measured, readMeasured),
    concepts: rows(ABSTENTION_PATHS.concepts, readConceptRates),
    robustness: existsSync(report)
      ? readRobustnessReport(Deno.readTextFileSync(report), report)
      : undefined,
    bbq: rows(paths.bbqResults, readBbqResults),
    curve: rows(paths.learningCurve, readLearningCurve),
    ablation: rows(paths.verifierAblation, readAblation),
    domain: rows(paths.domainTraining, readDomainTraining),
    fineTuning: rows(paths.fineTuningResults, readFineTuningResults),
  };
}

function comparisons(): readonly ComponentComparison[] {
  const cases = readKnowledgeCases(FACTUALITY_PATHS.knowledgeCases);
  const runs = componentRuns(readComponentAnswers(FACTUALITY_PATHS.componentAnswers), cases);
  return compareComponents(cases, completeRuns(runs), randomSource(COMPARISON_SEED));
}

function uncertaintyOf(path: string): readonly UncertaintySummary[] {
  const { questions } = questionUncertainties(readChoiceSamples(path));
  return uncertaintySummaries(questions, { random: randomSource(METRICS_SEED) });
}

/** Tables of long runs and of what is no part of the project may not be there. */
function rows<Row>(path: string, read: (path: string) => readonly Row[]): readonly Row[] {
  return existsSync(path) ? read(path) : [];
}
