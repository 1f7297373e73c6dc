/**
 * Describes the tables that training on labelled claims writes, and the sampling rates of sets.
 * @module
 */
import { resolve } from "node:path";
import { blankOr, decimals, name, number, oneOf, type RowOf } from "../../../files/table.ts";
import { table, text, wholeNumber } from "../../../files/table.ts";
import { dataFile, FACTUALITY_PATHS } from "../../paths.ts";
import { VERDICT_LABELS } from "../../types.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const LOW = "lower end of the 95 % interval, clustered by response or country";
const SHARE = { min: 0, max: 1 };

/** Measures of the shipped verifier on claims outside its fit. */
export const VERIFIER_TRAINING = table({
  path: FACTUALITY_PATHS.verifierTraining,
  about:
    "`deno task factcheck train verifier`: the head, its ablations and the baselines on held-out claims; computed from `verifier_answers.csv`, except the ablations",
  maker: "deno task factcheck train verifier",
  columns: {
    step: oneOf(
      ["ablation", "result", "source"],
      "ablation: the verifier without a group of inputs; result: a verifier; source: one source, with a head fitted without it",
    ),
    set: text(
      "claims made from the factbook by group of countries, a set of labelled claims, or their source",
    ),
    verifier: text("trained verifier with the inputs that it lacks, or a comparison"),
    reading: oneOf(["binary", "three-way"], "three-way, or binary (supported or not)"),
    n: wholeNumber("number of claims with a verdict"),
    unscored: wholeNumber("number of claims without a verdict"),
    clusters: wholeNumber("number of countries, sources or responses; intervals cluster by them"),
    accuracy: number("accuracy, 0–1", SHARE),
    balanced_accuracy: number("mean recall over the labels", SHARE),
    low: number(LOW, SHARE),
    high: number("upper end of the 95 % interval", SHARE),
    area_under_curve: number(
      "area under the ROC curve of P(supported), supported against the rest",
      SHARE,
    ),
    macro_f1: number("mean F1 over the labels", SHARE),
    calibration_error: number("expected calibration error with ten bins", SHARE),
    brier: number("Brier score, 0–2"),
  },
  key: ["step", "set", "verifier", "reading"],
});

export type TrainingResult = RowOf<typeof VERIFIER_TRAINING>;

/** A verifier's answer to a claim outside its fit. All figures are computed from these. */
export const VERIFIER_ANSWERS = table({
  path: FACTUALITY_PATHS.verifierAnswers,
  about:
    "`deno task factcheck train verifier`: answers of the verifiers about held-out claims. Of sets outside this repository it has ids and labels, no text. `verifier_training.csv` (except its ablations) and `verifier_sources.csv` are computed from it",
  maker: "deno task factcheck train verifier",
  columns: {
    set: name("set of `verifier_training.csv`, or source of `verifier_sources.csv`"),
    case_id: name("id of the claim in its set; `line-N` is line N of the file of labelled claims"),
    source: name("maker of the claims; one source is held out at a time"),
    cluster: name(
      "country, or a digest of the source; claims of one cluster are resampled together",
    ),
    label: oneOf([...VERDICT_LABELS, "not supported"], "label of the claim"),
    verifier: name("verifier, as in `verifier_training.csv`"),
    supported: blankOr(decimals(4, "P(supported); empty if there is no verdict", SHARE)),
    refuted: blankOr(decimals(4, "P(refuted); P(not enough info) is the remainder", SHARE)),
  },
  key: ["set", "case_id", "verifier"],
});

export type VerifierAnswer = RowOf<typeof VERIFIER_ANSWERS>;

/** Answers of the large verifier's model about labelled claims, to which its scaling is fitted. */
export const LARGE_ANSWERS = table({
  path: FACTUALITY_PATHS.largeAnswers,
  about:
    "`deno task study judges --large`: unscaled odds from the large verifier's model. Of sets outside this repository it has ids and labels, no text. `large_verifier.json` is computed from it and from `verifier_answers.csv`",
  maker: "deno task study judges --large",
  columns: {
    prompt_sha256: name("SHA-256 of the prompt"),
    source: name("maker of the claims, as in `verifier_answers.csv`"),
    case_id: name("id of the claim in its set; `line-N` is line N of the file of labelled claims"),
    case_sha256: text("SHA-256 of claim and source; empty if unknown"),
    cluster: name("cluster, as in `verifier_answers.csv`"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "label of the claim"),
    supported_odds: blankOr(
      decimals(4, "log-odds of supported against the rest in nats; empty if unscored"),
    ),
    refuted_odds: blankOr(
      decimals(4, "log-odds of refuted against not enough info in nats; empty if unknown"),
    ),
    other_words: blankOr(decimals(4, "total probability of words that are no answer", SHARE)),
  },
  key: ["prompt_sha256", "source", "case_id"],
});

export type LargeAnswer = RowOf<typeof LARGE_ANSWERS>;

/**
 * Answers of the verifier about labelled claims with other texts around or instead of their
 * evidence.
 */
export const VERIFIER_SOURCES = table({
  path: FACTUALITY_PATHS.verifierSources,
  about:
    "`deno task factcheck train verifier`: verdicts on labelled claims by type of source, from heads fitted without the claim's source; computed from `verifier_answers.csv`",
  maker: "deno task factcheck train verifier",
  columns: {
    source: name("source shown with the claim"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "label of the claim with this source"),
    n: wholeNumber("number of claims with a verdict"),
    supported: wholeNumber("number of verdicts “supported”"),
    refuted: wholeNumber("number of verdicts “refuted”"),
    not_enough_info: wholeNumber("number of verdicts “not enough info”"),
  },
  key: ["source", "label"],
});

export type VerifierSourceRow = RowOf<typeof VERIFIER_SOURCES>;

/** An answer of a judge under calibration. */
export const JUDGE_SCORES = table({
  path: FACTUALITY_PATHS.judgeScores,
  about: "`deno task study judges`: uncalibrated answers, one per row",
  licence: FACTBOOK,
  maker: "deno task study judges",
  columns: {
    judge: name("name of the model in `evaluation.yaml`"),
    readout: oneOf(["generation", "next-token"], "readout: generation or next-token"),
    prompt: name("name of the prompt in `prompts.yaml`"),
    prompt_sha256: name("SHA-256 of prompt, claim and source"),
    model_sha256: name("SHA-256 of the judge's settings"),
    case: name("claim made from the factbook, about a development country"),
    country: name("name of the country in the factbook"),
    claim: name("claim to be judged"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "label by construction"),
    status: name("scored, or the reason why not"),
    score: blankOr(number("score, 0–100; empty if there is none", { min: 0, max: 100 })),
  },
  key: ["judge", "readout", "prompt", "case"],
});

export type JudgeScore = RowOf<typeof JUDGE_SCORES>;

/** Loss at one step of a network's training. */
export const FINE_TUNING_LOSS = table({
  path: FACTUALITY_PATHS.fineTuningLoss,
  about: "`deno task factcheck train network`: loss by step",
  maker: "deno task factcheck train network",
  columns: {
    model: name("name of the trained model"),
    step: wholeNumber("number of batches seen"),
    steps: wholeNumber("number of batches of the whole training"),
    split: oneOf(
      ["train", "development"],
      "train (batches in their order) or development (claims excluded from training)",
    ),
    loss: number("cross-entropy in nats: mean of up to 50 batches, or of all development pairs"),
    accuracy: blankOr(
      number(
        "mean over sets of the balanced accuracy (supported or not); empty for batches",
        SHARE,
      ),
    ),
  },
});

export type LossRow = RowOf<typeof FINE_TUNING_LOSS>;

/** The table of losses in a user's folder. */
export const lossTable = (folder: string) =>
  FINE_TUNING_LOSS.at(resolve(folder, "fine_tuning_loss.csv"));

/** Number of times that the rows of a set are shown per round of a network's training. */
export const TRAINING_RATES = table({
  path: dataFile("rules/training_rates.csv"),
  about: "written by hand: sampling rates of the sets of labelled claims in training",
  maker: "git checkout",
  columns: {
    prefix: name("beginning of the set's name; the first matching row applies"),
    rate: number("mean number of times per round; 1 for a set without a matching row", { min: 0 }),
    reason: text("reason for the rate"),
  },
  key: ["prefix"],
});
