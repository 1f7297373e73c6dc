import { conceptsTable, measuredTable, ratesTable } from "../metrics/abstention_views.ts";
import { metricsTable, reliabilityTable } from "../metrics/profile_views.ts";
import {
  missedSentence,
  readersSentence,
  unsupportedTable,
  verdictsSentence,
  verdictsTable,
} from "../metrics/verifier_on_responses.ts";
import { abstentionSentence, riskSentence, uncertaintySentence } from "../metrics/takeaways.ts";
import { answersTable, separationTable } from "../uncertainty/uncertainty_views.ts";
import { whereMeasured } from "./part_of_results.ts";
import { METRICS_SEED, type StudyEvidence } from "./study_evidence.ts";

const RATES = ["mihr", "mihrPooled", "mahr", "factualPrecision"] as const;
const SCORES = ["factScore", "respondRatio", "consensusF1", "fleissKappa"] as const;

const UNCERTAINTY =
  "![Uncertainty of right and wrong answers](figures/factuality/uncertainty_right_wrong.png)";

/** What models write: hallucination rates and how far they go, uncertainty, abstention. */
export function metricsPart(
  evidence: Pick<
    StudyEvidence,
    | "onResponses"
    | "claimLabels"
    | "responseClaims"
    | "profiles"
    | "uncertainty"
    | "abstention"
    | "abstentionMeasured"
    | "concepts"
  >,
): string {
  const {
    onResponses,
    claimLabels,
    responseClaims,
    profiles,
    uncertainty,
    abstention,
    abstentionMeasured,
    concepts,
  } = evidence;
  return [
    "### What models write: rates, profiles, uncertainty, abstention",
    "Notebook 43. First how far the verifier's word goes on such claims " +
    "(`response_claim_labels.csv`, labelled by a language-model reader; rows: the reader; columns: " +
    "the verifier):",
    `${verdictsSentence(onResponses)} ${missedSentence(onResponses)} ${
      readersSentence(claimLabels)
    }`,
    verdictsTable(onResponses),
    "So its rates do not compare the systems either; the share of the labelled claims that is not " +
    "supported:",
    unsupportedTable(responseClaims, claimLabels, METRICS_SEED),
    "Four systems on the same questions about held-out countries, by the verifier's word " +
    "(`hallucination_profiles.json`, with intervals by question):",
    whereMeasured(
      profiles,
      { file: "hallucination_profiles.json", task: "deno task notebooks 43" },
      (
        all,
      ) =>
        [
          riskSentence(all),
          "![Rates of each system with intervals](figures/factuality/hallucination_profiles.png)",
          metricsTable(all, RATES),
          metricsTable(all, SCORES),
          reliabilityTable(all),
          "κ is of the raters, judges near chance among them: it flags every system here and says " +
          "nothing of one.",
        ]
          .join("\n\n"),
    ),
    "Whether models know when they do not know (`choice_samples.csv`: questions with four options, " +
    "probabilities after sampled thoughts):",
    whereMeasured(
      uncertainty,
      { file: "choice_samples.csv", task: "deno task uncertainty" },
      (all) =>
        [uncertaintySentence(all), UNCERTAINTY, answersTable(all), separationTable(all)].join(
          "\n\n",
        ),
    ),
    "Questions about what does not exist (`abstention_rates.csv`):",
    whereMeasured(
      abstention,
      { file: "abstention_rates.csv", task: "deno task abstention" },
      (all) => `${abstentionSentence(all)}\n\n${ratesTable(all)}`,
    ),
    "What recognises an abstention, on answers labelled by a language-model reader that none of the " +
    "methods was trained on (`abstention_measured.csv`):",
    whereMeasured(
      abstentionMeasured,
      { file: "abstention_measured.csv", task: "deno task abstention" },
      measuredTable,
    ),
    "Another collection of invented and existing things, whose own labels are noisy " +
    "(`abstention_concepts.csv`, aggregates only):",
    whereMeasured(
      concepts,
      { file: "abstention_concepts.csv", task: "deno task abstention --concepts FILE" },
      (rows) => conceptsTable(rows.filter(({ category }) => category === "all")),
    ),
  ].join("\n\n");
}
