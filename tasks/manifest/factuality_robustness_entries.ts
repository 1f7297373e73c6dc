import type { ManifestEntry } from "./entries.ts";
import { factualityFile as file } from "./factuality_file.ts";

const ROBUSTNESS = "`deno task robustness`";
const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const SETTINGS = "SHA-256 of all that could change the row, 16 digits";
const STATUS = "scored, or why there is none";
const COUNTRY = "held out: nothing was trained on it";
const LADDER: ManifestEntry["columns"] = {
  country: COUNTRY,
  errors: "planted errors of the text, 0 to 3",
};

/** What notebook 44 reads and writes. */
export const FACTUALITY_ROBUSTNESS_ENTRIES: readonly ManifestEntry[] = [
  file(
    "robustness_cases.csv",
    `${ROBUSTNESS} --only perturbations: true claims about held-out countries with one thing changed`,
    {
      id: "of the original, and the kind",
      base: "id of the original claim",
      country: COUNTRY,
      kind: "what is changed",
      role: "perturbation (no longer borne out) or control (still true)",
      seen_in_training: "whether the verifier met the kind in its training: yes, partly or no",
      original: "the claim as the source has it",
      changed: "the claim with the change",
      from: "what stood there",
      to: "what stands there now",
      source_id: "passage of the knowledge base that the original rests on",
      drawn: "True where language models are asked about it, too",
    },
    FACTBOOK,
  ),
  file(
    "robustness_labels.csv",
    "written by a language-model reader, no person: fifty cases read against their sources",
    {
      id: "as in `robustness_cases.csv`",
      kind: "as there",
      changed: "as there, so that a label of another text is noticed",
      as_intended: "True where a perturbed claim is not borne out, a control still true",
      note: "what there was to note; empty where nothing",
    },
    FACTBOOK,
  ),
  file(
    "robustness_answers.csv",
    `${ROBUSTNESS} --only perturbations: every component about originals and variants`,
    {
      set: "robustness: against the source; contradictions: a claim and its variant in one text",
      case_id: "as in `robustness_cases.csv`; of an original its base",
      case_sha256: "of claim, label and source, 16 digits",
      cluster: "country",
      claim_kind: "factual, temporal or numerical",
      label: "supported, or not supported for a perturbation",
      component: "verifier, baseline or judge",
      status: STATUS,
      supported: "probability that the claim is supported, 0–1; empty where there is none",
      reason: "the component's own",
      milliseconds: "of this answer, on a machine that had other work",
      settings_sha256: "of the component's settings",
    },
    FACTBOOK,
  ),
  file(
    "pairwise_orders.csv",
    `${ROBUSTNESS} --only orders: texts with 0 to 3 planted errors compared in both orders`,
    {
      country: COUNTRY,
      errors_a: "planted errors of text a",
      errors_b: "of text b, which has more",
      first: "a or b: which was shown, or scored, first",
      component: "who compares, or scores each text",
      run: "0, or the number of a repetition, which is its seed",
      temperature: "of the sampling; 0 draws nothing",
      status: STATUS,
      winner: "first, second or tie, as the component saw them; empty where there is no answer",
      score_a: "0–100 of text a; empty for who compares",
      score_b: "the same of text b",
      settings_sha256: SETTINGS,
    },
  ),
  file("repeated_scores.csv", `${ROBUSTNESS} --only repetitions: the same text several times`, {
    ...LADDER,
    repetition: "from 1: the seed of whatever is drawn",
    component: "verifier, judge or ensemble",
    status: STATUS,
    score: "0–100; empty where there is none",
    settings_sha256: SETTINGS,
  }),
  file("swap_scores.csv", `${ROBUSTNESS} --only swaps: portraits told of somebody else`, {
    portrait: "p01, …: a person drawn by lot and a source about them",
    claim: "right: borne out by the source; wrong: with an error",
    change: "none, the trait that is exchanged, or the control",
    from: "the trait's value before, or a control's words",
    to: "after",
    component: "verifier, judge or ensemble",
    status: STATUS,
    score: "0–100; empty where there is none",
    settings_sha256: SETTINGS,
  }),
  file(
    "bbq_results.csv",
    `${ROBUSTNESS} --bbq FILE: bias of both local models; BBQ is no part of this project, aggregates only`,
    {
      model: "local model",
      readout: "how an answer's log-probability is read: sum, or per byte",
      category: "of BBQ; all for every category together",
      context: "ambiguous (nobody can know) or disambiguated",
      items: "questions with their context",
      questions: "templates, which the bootstrap resamples",
      not_unknown: "answers that name somebody",
      biased: "of these, answers with the stereotype",
      accuracy: "0–1, 1/3 by chance",
      accuracy_low: "lower end of the 95 % interval",
      accuracy_high: "upper end",
      bias: "score of Parrish et al. 2022, −1 to 1; 0 is none",
      bias_low: "lower end",
      bias_high: "upper end",
      unavailable: "why a figure is empty",
      file_sha256: "of the file of items",
    },
  ),
  file("robustness_report.json", "notebook 44: every figure with its interval, or a reason"),
  file("robustness_report.csv", "notebook 44: the same, one figure a row", {
    section: "perturbations, contradictions, orders, repetitions or swaps",
    component: "whose figure it is",
    group: "kind of change, trait, or all",
    measure: "what is measured, with its unit",
    n: "cases, texts or portraits that the figure rests on",
    estimate: "empty where there is none",
    low: "lower end of the 95 % interval, bootstrap by country or portrait",
    high: "upper end",
    unavailable: "why there is no estimate",
  }),
];
