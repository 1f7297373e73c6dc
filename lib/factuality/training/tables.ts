import { z } from "zod";
import { blankOr, field, fileEntry } from "../../files/table.ts";
import { name, number, oneOf, type RowOf, table, text, whole } from "../../files/table.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { CLAIM_WORDS, FACT_TEMPLATES } from "./rules.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const LOW = "lower end of the 95 % interval, bootstrap by response or country";
const SHARE = { min: 0, max: 1 };

/** How the verifier that ships did, step by step of its training. */
export const VERIFIER_TRAINING = table({
  path: FACTUALITY_PATHS.verifierTraining,
  about:
    "`deno task train verifier`: penalties tried, groups of features left out, and every verifier on each split",
  maker: "deno task train verifier",
  columns: {
    step: oneOf(["penalty", "ablation", "result"], "penalty, ablation or result"),
    set: text("claims made of the factbook, and of which countries"),
    verifier: text("with its setting where there are several"),
    reading: oneOf(["binary", "three-way"], "three-way, or binary: supported or not"),
    n: whole("claims with a verdict"),
    unscored: whole("claims without"),
    clusters: whole("countries"),
    accuracy: number("0–1", SHARE),
    balanced_accuracy: number("mean recall over the labels", SHARE),
    low: number(LOW, SHARE),
    high: number("upper end", SHARE),
    macro_f1: number("mean F1 over the labels", SHARE),
    calibration_error: number("expected calibration error, ten bins", SHARE),
    brier: number("Brier score, 0–2"),
  },
});
export type TrainingResult = RowOf<typeof VERIFIER_TRAINING>;

/** Every verifier on the countries that nothing was fitted on. */
export function testResults(): readonly TrainingResult[] {
  return VERIFIER_TRAINING.read()
    .filter(({ step, set }) => step === "result" && set.endsWith(", test"));
}

/** An answer of a judge that is being calibrated. */
export const JUDGE_SCORES = table({
  path: FACTUALITY_PATHS.judgeScores,
  about: "`deno task train judges`: an answer a row, not calibrated",
  licence: FACTBOOK,
  maker: "deno task train judges",
  columns: {
    judge: name("model, as named in `evaluation.yaml`"),
    readout: oneOf(["generation", "next-token"], "generation or next-token"),
    prompt: name("as named in `prompts.yaml`"),
    prompt_sha256: name("of the prompt"),
    model_sha256: name("of the model's file"),
    case: name("claim made of the factbook, of a development country"),
    country: name("as the factbook names it"),
    claim: name("what was to be judged"),
    label: oneOf(["supported", "refuted", "not enough info"], "by construction"),
    status: name("scored, or why not"),
    score: blankOr(number("0–100; empty where there is none", { min: 0, max: 100 })),
  },
  key: ["judge", "readout", "prompt", "case"],
});
export type JudgeScore = RowOf<typeof JUDGE_SCORES>;

/** The loss at one step of a network's training. */
export const FINE_TUNING_LOSS = table({
  path: FACTUALITY_PATHS.fineTuningLoss,
  about: "`deno task train network`: loss by step of each network",
  maker: "deno task train network",
  columns: {
    model: name("as in `fine_tuning_results.csv`"),
    step: whole("batches seen"),
    steps: whole("batches of the whole training"),
    split: oneOf(["train", "development"], "train: one batch; development: all of it"),
    loss: number("cross-entropy in nats, each label weighted the same"),
    accuracy: blankOr(number("share of right answers, 0–1; empty for a batch", SHARE)),
  },
});
export type LossRow = RowOf<typeof FINE_TUNING_LOSS>;

/** One figure of one network on one set. */
export const FINE_TUNING_RESULTS = table({
  path: FACTUALITY_PATHS.fineTuningResults,
  about:
    "`deno task train network`: before and after; rows of the human-labelled sets are no part of this project; aggregates only",
  maker: "deno task train network",
  columns: {
    model: name(
      "fine-tuned, its encoder frozen, claims alone, or trained head: the verifier that ships",
    ),
    set: name("what is measured on; training: what it took"),
    labels: field(
      z.enum(["three-way", "binary", ""]),
      "three-way or binary; empty for what has none",
    ),
    metric: name("with its unit where it is no share"),
    n: whole("claims with a score, or what the note says"),
    clusters: whole("countries or responses that they are of"),
    estimate: blankOr(number("empty where it cannot be had")),
    low: blankOr(
      number(
        "lower end of the 95 % interval, bootstrap by cluster; empty where there is none",
      ),
    ),
    high: blankOr(number("upper end")),
    note: text("what was left out, or where the figure is from"),
  },
});
export type FineTuningResult = RowOf<typeof FINE_TUNING_RESULTS>;

/** Every file that training reads or makes. */
export const TABLES = [
  FACT_TEMPLATES,
  CLAIM_WORDS,
  fileEntry(
    FACTUALITY_PATHS.verifierWeights,
    "`deno task train verifier`: the trained verifier's head, with its features, temperature, names of countries and SHA-256",
  ),
  fileEntry(
    FACTUALITY_PATHS.verifierBaselines,
    "`deno task train verifier`: thresholds of the baselines, from the development countries; `deno task train judges` adds that of PMI",
  ),
  VERIFIER_TRAINING,
  JUDGE_SCORES,
  fileEntry(
    FACTUALITY_PATHS.judgeCalibration,
    "`deno task train judges`: Platt's scaling and the measured accuracy of each judge and prompt",
  ),
  FINE_TUNING_LOSS,
  FINE_TUNING_RESULTS,
];
