import { writtenMeasure } from "../robustness/written_measure.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
import { TARGETS } from "../evaluation/takeaways.ts";
import { abstentionSentence, uncertaintySentence } from "../metrics/takeaways.ts";
import {
  missedSentence,
  readersSentence,
  verdictsSentence,
} from "../metrics/verifier_on_responses.ts";
import { metricWords } from "../../profile/page/metric_words.ts";
import { NETWORK, resultMeasure } from "../training/fine_tuning_views.ts";
import { curveSentence, gainWords, shippedSentence } from "../training/training_takeaways.ts";
import { KNOWLEDGE_TEST, REGIMES } from "../training/domain_training.ts";
import { VERIFIER } from "./evaluation_part.ts";
import type { StudyEvidence } from "./study_evidence.ts";

/** What a sentence says, and the files that its numbers stand in. */
interface Finding {
  readonly about: string;
  readonly words: string;
  readonly files: readonly string[];
}

/** The most useful sentences of the study, numbered; what was not measured is left out. */
export function keyFindings(evidence: StudyEvidence): string {
  const findings: readonly (Finding | undefined)[] = [
    ruleMade(evidence),
    modelMade(evidence),
    peopleMade(evidence),
    judges(evidence),
    rates(evidence),
    changes(evidence),
    uncertainty(evidence),
    abstention(evidence),
    moreTraining(evidence),
    ownKind(evidence),
    ownWeights(evidence),
  ];
  return findings.filter((one) => one !== undefined).map(({ about, words, files }, i) =>
    `${i + 1}. **${about}** ${words} (${files.map((file) => `\`${file}\``).join(", ")})`
  ).join("\n");
}

function ruleMade({ test }: StudyEvidence): Finding | undefined {
  const row = test.find(({ verifier, reading }) => verifier === VERIFIER && reading === "binary");
  return row && {
    about: `Claims like those it learnt from: the verifier ${trust(row.balanced_accuracy)}.`,
    words:
      `On ${row.n} claims made by rule about ${row.clusters} countries that it had not seen it ` +
      `tells supported from not with a balanced accuracy of ${row.balanced_accuracy.toFixed(2)} ` +
      `[${row.low.toFixed(2)}, ${row.high.toFixed(2)}].`,
    files: ["verifier_training.csv"],
  };
}

/** From where on a verdict is worth taking at its word, and from where on worth reading. */
function trust(share: number): string {
  if (share >= TARGETS.heldOut) return "can be trusted";
  return share >= TARGETS.humanLabelled ? "can be used with care" : "cannot be trusted";
}

function modelMade({ onResponses, claimLabels }: StudyEvidence): Finding {
  const { accuracy } = onResponses;
  return {
    about: accuracy.kind === "unavailable"
      ? "Claims that models make:"
      : `Claims that models make: the verifier ${trust(accuracy.estimate)}.`,
    words: `${verdictsSentence(onResponses)} ${missedSentence(onResponses)} The labels are a ` +
      `language-model reader’s. ${readersSentence(claimLabels)}`,
    files: ["response_claim_labels.csv", "response_claims.csv"],
  };
}

function peopleMade({ human }: StudyEvidence): Finding | undefined {
  const own = human.filter(({ cases, component, set }) =>
    cases === "all" && component === VERIFIER && !set.endsWith("with partial")
  );
  if (own.length === 0) return undefined;
  const sets = own.map(({ set, n, balanced_accuracy, balanced_accuracy_low: low, ...row }) => {
    const bounds = [low, row.balanced_accuracy_high].map((end) => Number(end).toFixed(2));
    return `${Number(balanced_accuracy).toFixed(2)} [${bounds.join(", ")}] on ${set} (n = ${n})`;
  });
  return {
    about: "Texts labelled by people: it depends on the kind of text.",
    words: `Balanced accuracy ${
      sets.join(", ")
    }; measure it on texts of your own before you use it.`,
    files: ["human_labelled.csv"],
  };
}

/** Components that ask a language model. */
const JUDGES = /\(|ensemble/u;

function judges({ comparisons: [all] }: StudyEvidence): Finding | undefined {
  const own = all?.figures.filter(({ component }) => JUDGES.test(component)) ?? [];
  if (all === undefined || own.length === 0) return undefined;
  const shares = own.map(({ component, balancedAccuracy }) =>
    `${component} ${writtenMeasure(balancedAccuracy, "decimal")}`
  );
  return {
    about: "Judges of this size: not for use.",
    words: `Balanced accuracy on ${all.claims} held-out claims: ${shares.join("; ")}; 0.50 is ` +
      "chance. They show that the machinery works; a larger model can be put in their place and " +
      "measured in the same way.",
    files: ["component_answers.csv"],
  };
}

function rates({ profiles, onResponses: { outcomes } }: StudyEvidence): Finding | undefined {
  if (profiles.length === 0 || outcomes.length === 0) return undefined;
  const shares = profiles.map(({ model, metrics }) =>
    `${model} ${metricWords(metrics.mihrPooled)}`
  );
  const unsupported = (who: "truth" | "predicted") =>
    (outcomes.filter((one) => one[who] !== "supported").length / outcomes.length).toFixed(2);
  return {
    about: "Hallucination rates by its word: not to be taken as they are.",
    words: `Share of claims not found supported: ${shares.join("; ")}. Of the ${outcomes.length} ` +
      `claims that were read as well it finds ${
        unsupported("predicted")
      } unsupported, the reader ` +
      `${unsupported("truth")}.`,
    files: ["hallucination_profiles.json", "response_claim_labels.csv"],
  };
}

function changes({ robustness }: StudyEvidence): Finding | undefined {
  if (robustness?.perturbations.kind !== "rows") return undefined;
  const own = robustness.perturbations.rows.filter(({ component, role }) =>
    component === VERIFIER && role === "perturbation"
  );
  const all = own.find(({ kind }) => kind === "all perturbations");
  if (all === undefined) return undefined;
  const worst = own.filter((one) => one !== all).toSorted((a, b) => detected(a) - detected(b))
    .slice(0, 2).map((one) =>
      `${one.kind} ${writtenMeasure(one.flaggedGivenAccepted, "percent")} %`
    );
  return {
    about: "One thing changed in a true text:",
    words: `Of ${all.originalsAccepted} it notices ${
      writtenMeasure(all.flaggedGivenAccepted, "percent")
    } %, and takes offence at ${
      writtenMeasure(all.falseAlarm, "percent")
    } % of rewordings that change nothing; least of all it notices ${worst.join(", ")}.`,
    files: ["robustness_report.json"],
  };
}

function detected({ flaggedGivenAccepted }: KindFigure): number {
  return flaggedGivenAccepted.kind === "unavailable" ? Infinity : flaggedGivenAccepted.estimate;
}

function uncertainty({ uncertainty }: StudyEvidence): Finding | undefined {
  if (uncertainty.length === 0) return undefined;
  return {
    about: "A model’s own uncertainty:",
    words: uncertaintySentence(uncertainty),
    files: ["choice_samples.csv"],
  };
}

function abstention({ abstention }: StudyEvidence): Finding | undefined {
  if (abstention.length === 0) return undefined;
  return {
    about: "Saying that one does not know:",
    words: abstentionSentence(abstention),
    files: ["abstention_rates.csv"],
  };
}

function moreTraining({ curve }: StudyEvidence): Finding | undefined {
  if (curve.length === 0) return undefined;
  return {
    about: "More claims of the same make:",
    words: curveSentence(curve, "binary"),
    files: ["learning_curve.csv"],
  };
}

/** Claims of the knowledge base and texts of one's own kind together. */
function ownKind({ domain }: StudyEvidence): Finding | undefined {
  const both = domain.filter((row) =>
    row.features === "readable" && row.head === "logistic" &&
    row.trained_on === REGIMES[3] && row.set !== KNOWLEDGE_TEST
  );
  if (both.length === 0) return undefined;
  return {
    about: "Labelled texts of one’s own kind, added to them, in points of balanced accuracy:",
    words: `To a head of the kind that ships they give ${
      both.map((row) => `${gainWords(row)} on ${row.set} (n = ${row.n})`).join("; ")
    }; an interval that holds 0 does not show a difference.`,
    files: ["domain_training.csv"],
  };
}

function ownWeights({ fineTuning }: StudyEvidence): Finding | undefined {
  const own = fineTuning.filter(({ labels, metric }) =>
    labels === "binary" && metric === "balanced accuracy"
  );
  const of = (model: string, set: string) => {
    const row = own.find((one) => one.model === model && one.set === set);
    return row === undefined ? "–" : writtenMeasure(resultMeasure(row), "decimal");
  };
  const shipped = own.filter(({ model }) => model === NETWORK.shipped);
  const sets = shipped.flatMap(({ set, n }) => {
    const tuned = own.find((one) => one.model === NETWORK.fineTuned && one.set === set);
    if (tuned === undefined) return [];
    return [[set, tuned.n === n ? `${n}` : `${tuned.n} and ${n}`] as const];
  });
  if (sets.length === 0) return undefined;
  const words = sets.map(([set, n]) =>
    `${of(NETWORK.fineTuned, set)} against ${of(NETWORK.shipped, set)} on ${set} (n = ${n})`
  );
  return {
    about: "Fine-tuning the encoder’s own weights, against the verifier that ships:",
    words: `balanced accuracy ${words.join("; ")}. ${shippedSentence(fineTuning)}`,
    files: ["fine_tuning_results.csv"],
  };
}
