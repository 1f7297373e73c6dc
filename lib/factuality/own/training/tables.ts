/** What training on labelled claims writes, and how often it shows the claims of a set. */
import { resolve } from "node:path";
import { blankOr, decimals, name, number, oneOf, type RowOf } from "../../../files/table.ts";
import { table, text, whole } from "../../../files/table.ts";
import { dataFile, FACTUALITY_PATHS } from "../../paths.ts";
import { VERDICT_LABELS } from "../../types.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const LOW = "lower end of the 95 % interval, by response or country";
const SHARE = { min: 0, max: 1 };

/** How the verifier that ships did on what it was not fitted on. */
export const VERIFIER_TRAINING = table({
  path: FACTUALITY_PATHS.verifierTraining,
  about:
    "`deno task factcheck train verifier`: the head, its parts and the baselines on claims that they were not fitted on; computed from `verifier_answers.csv`, but for ablations",
  maker: "deno task factcheck train verifier",
  columns: {
    step: oneOf(
      ["ablation", "result", "source"],
      "ablation: without a group of inputs; result: a verifier; source: on one source, by a head fitted without it",
    ),
    set: text(
      "claims made of the factbook of which countries, or labelled claims, or their source",
    ),
    verifier: text("trained verifier, with what it lacks; or what it is compared to"),
    reading: oneOf(["binary", "three-way"], "three-way, or binary: supported or not"),
    n: whole("claims with a verdict"),
    unscored: whole("claims without"),
    clusters: whole("countries, sources or responses"),
    accuracy: number("0–1", SHARE),
    balanced_accuracy: number("mean recall over the labels", SHARE),
    low: number(LOW, SHARE),
    high: number("upper end", SHARE),
    area_under_curve: number("of P(supported), supported against the rest", SHARE),
    macro_f1: number("mean F1 over the labels", SHARE),
    calibration_error: number("expected calibration error, ten bins", SHARE),
    brier: number("Brier score, 0–2"),
  },
  key: ["step", "set", "verifier", "reading"],
});

export type TrainingResult = RowOf<typeof VERIFIER_TRAINING>;

/** A verifier's answer about one claim that it was not fitted on: all figures are computed from these. */
export const VERIFIER_ANSWERS = table({
  path: FACTUALITY_PATHS.verifierAnswers,
  about:
    "`deno task factcheck train verifier`: what verifiers answered about each claim that they were not " +
    "fitted on; of sets that are not part of this repository ids and labels, no text. " +
    "`verifier_training.csv` (but for its ablations) and `verifier_sources.csv` are computed from it",
  maker: "deno task factcheck train verifier",
  columns: {
    set: name("as in `verifier_training.csv`, or a source of `verifier_sources.csv`"),
    case_id: name("in its set; `line-N` is line N of the file of labelled claims"),
    source: name("what is held out together: who made the claims"),
    cluster: name("country, or a digest of the source; claims of one are resampled together"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "of the claim"),
    verifier: name("as in `verifier_training.csv`"),
    supported: blankOr(decimals(4, "P(supported); empty where there is no verdict", SHARE)),
    refuted: blankOr(decimals(4, "P(refuted); the rest is P(not enough info)", SHARE)),
  },
  key: ["set", "case_id", "verifier"],
});

export type VerifierAnswer = RowOf<typeof VERIFIER_ANSWERS>;

/** What the model of the large verifier read of labelled claims: its scaling is fitted to these. */
export const LARGE_ANSWERS = table({
  path: FACTUALITY_PATHS.largeAnswers,
  about:
    "`deno task study judges --large`: odds of the large verifier's model, not scaled; of sets that are not " +
    "part of this repository ids and labels, no text. `large_verifier.json` is computed from it and from " +
    "`verifier_answers.csv`",
  maker: "deno task study judges --large",
  columns: {
    prompt_sha256: name("of the prompt"),
    source: name("as in `verifier_answers.csv`: what is held out together"),
    case_id: name("as there; `line-N` is line N of the file of labelled claims"),
    case_sha256: text("address of claim and source; empty where it is not known"),
    cluster: name("as in `verifier_answers.csv`"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "of the claim"),
    supported_odds: blankOr(decimals(4, "nats against the rest; empty where it is unscored")),
    refuted_odds: blankOr(decimals(4, "nats against not enough info; empty where it is not known")),
    other_words: blankOr(decimals(4, "probability of all words that are no answer", SHARE)),
  },
  key: ["prompt_sha256", "source", "case_id"],
});

export type LargeAnswer = RowOf<typeof LARGE_ANSWERS>;

/** What the verifier says of labelled claims by what stands around their evidence, or in its place. */
export const VERIFIER_SOURCES = table({
  path: FACTUALITY_PATHS.verifierSources,
  about:
    "`deno task factcheck train verifier`: labelled claims by how their source is made up, each by a head fitted without its source; computed from `verifier_answers.csv`",
  maker: "deno task factcheck train verifier",
  columns: {
    source: name("what the claim was shown with"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "of the claim with this source"),
    n: whole("claims with a verdict"),
    supported: whole("verdicts “supported”"),
    refuted: whole("verdicts “refuted”"),
    not_enough_info: whole("verdicts “not enough info”"),
  },
  key: ["source", "label"],
});

export type VerifierSourceRow = RowOf<typeof VERIFIER_SOURCES>;

/** An answer of a judge that is being calibrated. */
export const JUDGE_SCORES = table({
  path: FACTUALITY_PATHS.judgeScores,
  about: "`deno task study judges`: an answer a row, not calibrated",
  licence: FACTBOOK,
  maker: "deno task study judges",
  columns: {
    judge: name("model, as named in `evaluation.yaml`"),
    readout: oneOf(["generation", "next-token"], "generation or next-token"),
    prompt: name("as named in `prompts.yaml`"),
    prompt_sha256: name("address of prompt, claim and source"),
    model_sha256: name("address of the judge's settings"),
    case: name("claim made of the factbook, of a development country"),
    country: name("as the factbook names it"),
    claim: name("what was to be judged"),
    label: oneOf([...VERDICT_LABELS, "not supported"], "by construction"),
    status: name("scored, or why not"),
    score: blankOr(number("0–100; empty where there is none", { min: 0, max: 100 })),
  },
  key: ["judge", "readout", "prompt", "case"],
});

export type JudgeScore = RowOf<typeof JUDGE_SCORES>;

/** The loss at one step of a network's training. */
export const FINE_TUNING_LOSS = table({
  path: FACTUALITY_PATHS.fineTuningLoss,
  about: "`deno task factcheck train network`: loss by step",
  maker: "deno task factcheck train network",
  columns: {
    model: name("what was trained"),
    step: whole("batches seen"),
    steps: whole("batches of the whole training"),
    split: oneOf(
      ["train", "development"],
      "train: batches as they came; development: claims that are not learnt from",
    ),
    loss: number("cross-entropy in nats: mean of up to 50 batches, or of all development pairs"),
    accuracy: blankOr(
      number("mean over sets of balanced accuracy, supported or not; empty for batches", SHARE),
    ),
  },
});

export type LossRow = RowOf<typeof FINE_TUNING_LOSS>;

/** The same table in a user's folder. */
export const lossTable = (folder: string) =>
  FINE_TUNING_LOSS.at(resolve(folder, "fine_tuning_loss.csv"));

/** How often the rows of a set are shown in a round of a network's training. */
export const TRAINING_RATES = table({
  path: dataFile("rules/training_rates.csv"),
  about: "written by hand: how often a set of labelled claims is shown in a round of training",
  maker: "git checkout",
  columns: {
    prefix: name("what the name of a set begins with; the first that fits counts"),
    rate: number("times a round, on average; 1 for a set that none fits", { min: 0 }),
    reason: text("why so often"),
  },
  key: ["prefix"],
});
