import { resolve } from "node:path";
import { z } from "zod";
import { blankOr, field, fileEntry } from "../../../files/table.ts";
import { name, number, oneOf, type RowOf, table, text, whole } from "../../../files/table.ts";
import { dataFile, FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { VERDICT_LABELS } from "../../../factuality/types.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const LOW = "lower end of the 95 % interval, bootstrap by response or country";
const SHARE = { min: 0, max: 1 };

/** How the verifier that ships did on what it was not fitted on. */
export const VERIFIER_TRAINING = table({
  path: FACTUALITY_PATHS.verifierTraining,
  about:
    "`deno task train verifier`: the head, its parts and the baselines on claims that they were not fitted on; rows of sets beside the project are aggregates only",
  maker: "deno task train verifier",
  columns: {
    step: oneOf(["ablation", "result"], "ablation: without a group of inputs; result: a verifier"),
    set: text("claims made of the factbook of which countries, or a set of labelled claims"),
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

/** Every verifier on the countries that nothing was fitted on. */
export const testResults = () =>
  VERIFIER_TRAINING.read().filter(({ step, set }) => step === "result" && set.endsWith(", test"));

/** What the verifier says of labelled claims by what stands around their evidence, or in its place. */
export const VERIFIER_SOURCES = table({
  path: FACTUALITY_PATHS.verifierSources,
  about:
    "`deno task train verifier`: labelled claims by how their source is made up, each by a head fitted without its fifth; rows of sets beside the project are counts only",
  maker: "deno task train verifier",
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
  about: "`deno task train network`: loss by step",
  maker: "deno task train network",
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

/** What language models claimed of countries that may be learnt from, and what a reader made of it. */
export const WRITTEN_CLAIMS = table({
  path: dataFile("written_claims.csv"),
  about:
    "claims of language models about training and development countries, labelled by a language model, no person, against the factbook's entries: those of the systems of model_responses.csv as they answered, the others written in the manner of what models claim and of the mistakes they make",
  maker: "git checkout",
  columns: {
    code: name("the factbook's code of the country"),
    writer: name("the system that answered; reader: whoever labelled wrote it, too"),
    claim: name("one sentence"),
    label: oneOf(VERDICT_LABELS, "what the entry says of it"),
    passages: name(
      "identifiers, between semicolons, of the passages that are looked up for the claim: of the country and, where it is named, of others",
    ),
  },
  key: ["code", "claim"],
});

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

/** Several texts in one field, `|` between them. */
const PARTS = z.string().min(1).transform((joined) => joined.split("|"));
const several = (sentence: string) => field(PARTS, sentence, (parts) => parts.join("|"));

/** What a field's text begins with where its value is of one of these kinds. */
const VALUES: Readonly<Record<string, string>> = {
  number: "^(-?\\$?[\\d.,]+(?: (?:million|billion|trillion))?)",
  percent: "^(-?[\\d.]+%)",
  kilometres: "^([\\d.,]+ (?:sq )?km)",
  years: "^([\\d.]+ years)",
  name: "^([A-Z][\\p{L}' -]+?)(?:[;,(]|$)",
  words: "^([a-z][\\p{L} -]+?)(?:[;,(]|$)",
};

/** How claims are worded from one structured field of the factbook. */
const FACT_TEMPLATES = table({
  path: dataFile("rules/fact_templates.csv"),
  about: "written by hand: fields of the factbook with one value that says all, and how it is said",
  maker: "git checkout",
  columns: {
    field: name("of the factbook"),
    subfield: text("the subfield, or the start of its name where a year follows"),
    value: field(
      z.string().min(1),
      `${Object.keys(VALUES).join(", ")}, or a regular expression whose first group is the value`,
    ),
    question: name("what the value answers; C is the country"),
    phrasings: several("statements, `|` between them; C is the country, V the value"),
  },
});

/** A template, ready to take values out of texts. */
export interface FactTemplate extends Omit<RowOf<typeof FACT_TEMPLATES>, "value"> {
  readonly value: RegExp;
}

let templates: readonly FactTemplate[] | undefined;

export const factTemplates = () =>
  templates ??= FACT_TEMPLATES.read().map((row): FactTemplate => (
    { ...row, value: new RegExp(VALUES[row.value] ?? row.value, "u") }
  ));

/** Words that are put in the place of one another. */
const CLAIM_WORDS = table({
  path: dataFile("rules/claim_words.csv"),
  about: "written by hand: words by which statements about countries are made false, or reworded",
  maker: "git checkout",
  columns: {
    kind: oneOf(
      ["exclusive", "opposite", "same meaning"],
      "exclusive: one for another makes a true statement false; opposite: two that say the contrary; same meaning: the first can be said as the others",
    ),
    words: several("`|` between them"),
  },
});

let words: ReadonlyMap<string, readonly RowOf<typeof CLAIM_WORDS>[]> | undefined;

/** The lists of words of one kind, in the order of the file. */
export function claimWords(kind: RowOf<typeof CLAIM_WORDS>["kind"]) {
  words ??= Map.groupBy(CLAIM_WORDS.read(), (row) => row.kind);
  return (words.get(kind) ?? []).map((row) => row.words);
}

/** Every file that training reads or makes. */
export const TABLES = [
  FACT_TEMPLATES,
  CLAIM_WORDS,
  fileEntry(
    FACTUALITY_PATHS.verifierWeights,
    "`deno task train verifier`: the trained verifier's head over network and features, with the hash of the network and names of countries",
  ),
  fileEntry(
    FACTUALITY_PATHS.verifierBaselines,
    "`deno task train verifier`: thresholds of the baselines, from the development countries",
  ),
  VERIFIER_TRAINING,
  VERIFIER_SOURCES,
  JUDGE_SCORES,
  fileEntry(
    FACTUALITY_PATHS.judgeCalibration,
    "`deno task train judges`: Platt's scaling and the measured accuracy of each judge and prompt",
  ),
  FINE_TUNING_LOSS,
  TRAINING_RATES,
  WRITTEN_CLAIMS,
  fileEntry(
    FACTUALITY_PATHS.verifierNetwork,
    "`deno task train network`: layers and head of the fine-tuned MiniLM at 8 bits; the word embeddings come with the package",
    {
      licence:
        "Apache-2.0, as all-MiniLM-L6-v2; trained on labelled claims that are no part of this project",
    },
  ),
];
