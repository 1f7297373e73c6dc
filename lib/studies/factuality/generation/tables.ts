/**
 * Tables of questions to models, their answers and labels. The commands `study respond`, `study
 * uncertainty` and `study abstention` write them, and notebook 43 reads them.
 */
import { blankOr, type Column, fileEntry, flag, name, number } from "../../../files/table.ts";
import { oneOf, type RowOf, table, text, wholeNumber } from "../../../files/table.ts";
import { REFUSAL_RATES } from "../../../factuality/metrics/rates.ts";
import { dataFile, FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { CLAIM_KINDS, UNSCORED_REASONS, VERDICT_LABELS } from "../../../factuality/types.ts";
import { INSTRUCTIONS } from "../../../factuality/own/prompts.ts";
import { FIGURE, RATE_COLUMNS } from "../../../factuality/own/refusal_rates.ts";
import { MATCHES } from "../../../factuality/own/claim_matching.ts";

/** Describes a table that a command writes. */
function by(command: string, file: string, what: string) {
  const maker = `deno task ${command}`;
  return { path: dataFile(file), maker, about: `\`${maker}\`: ${what}` };
}
/** Describes a table that people edit. */
const edited = (file: string, about: string) => {
  return { path: dataFile(file), maker: "git checkout", about };
};
const rules = (file: string, about: string) => edited(`rules/${file}`, `written by hand: ${about}`);
const READER = "a language-model reader (no person labelled)";
const ANSWERS_LICENCE =
  "texts written by SmolLM2, Qwen2.5-Coder (Apache-2.0) and Gemma (Gemma terms)";
const FACTBOOK = "MIT; texts of the CIA World Factbook, public domain";
const share = (sentence: string) => number(sentence, { min: 0, max: 1 });
const OF_CLAIM = {
  system: name("model, with passages in its prompt (open book) or without (closed book)"),
  question_id: text("id in `questions.csv`, the code of the country"),
};
const CLAIM_ID = text("number of the claim in the answer: c1, …");
const NAMED_CLAIM = {
  ...OF_CLAIM,
  claim_id: CLAIM_ID,
  claim: text("claim, as in `response_claims.csv`"),
};
const SETTINGS = text("SHA-256 of everything that could change the row");

export const QUESTIONS = table({
  ...by("study respond", "questions.csv", "questions to the systems about held-out countries"),
  columns: {
    id: text("code of the country"),
    country: text("name of the country in the factbook"),
    question: text("question as put to the model"),
  },
  key: ["id"],
});
/** Question to every system about one country; the passages' title is `country`. */
export type CountryQuestion = RowOf<typeof QUESTIONS>;

export const RESPONSES = table({
  ...by("study respond", "model_responses.csv", "answers of the systems"),
  licence: ANSWERS_LICENCE,
  columns: {
    ...OF_CLAIM,
    seed: number("seed of the sampling; without effect at temperature 0"),
    temperature: number("temperature of the sampling; 0 takes the most probable token each time", {
      min: 0,
    }),
    response: text("answer in whole sentences; a cut-off sentence is dropped"),
    tokens: wholeNumber("number of tokens generated"),
    ended: oneOf(
      ["complete", "length", "stopped"],
      "end of generation: complete, length or stopped",
    ),
    mean_token_entropy: blankOr(
      number("mean entropy of the next-token distributions in nats", { min: 0 }),
    ),
    mean_log_probability: blankOr(
      number("mean log-probability of the generated tokens in nats", { max: 0 }),
    ),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id"],
});
export type ResponseRow = RowOf<typeof RESPONSES>;

export const RESPONSE_CLAIMS = table({
  ...by(
    "study respond",
    "response_claims.csv",
    "claims of the answers with the trained verifier's verdicts",
  ),
  licence: `${ANSWERS_LICENCE}; evidence: ${FACTBOOK}`,
  columns: {
    ...OF_CLAIM,
    country: text("name of the country in the factbook"),
    claim_id: CLAIM_ID,
    claim: text("claim in a form that can be read without context"),
    kind: oneOf(CLAIM_KINDS, "type of claim: factual, temporal or numerical"),
    status: oneOf(["scored", ...UNSCORED_REASONS], "scored, or the reason why there is no verdict"),
    label: blankOr(
      oneOf(VERDICT_LABELS, "verdict: supported, refuted or not enough info; empty if unscored"),
    ),
    p_supported: blankOr(share("probability of supported, 0–1; empty if unscored")),
    p_refuted: blankOr(share("probability of refuted, 0–1; empty if unscored")),
    p_not_enough_info: blankOr(share("probability of not enough info, 0–1; empty if unscored")),
    evidence_passage: text("id of the factbook passage used as evidence"),
    evidence: text("words of the passage on which the verdict rests"),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id", "claim_id"],
  check({ status, label }) {
    if ((status === "scored") === (label !== "")) return;
    throw new RangeError("status and label contradict one another");
  },
});
export type ResponseClaimRow = RowOf<typeof RESPONSE_CLAIMS>;

/** Labels of claims by the whole factbook. Absence from a list does not refute a claim. */
export const RESPONSE_CLAIM_LABELS = table({
  ...edited(
    "response_claim_labels.csv",
    `${READER}: labels of 124 randomly sampled claims, then of all others that a verifier can check; a second reader of each part was blind to the first`,
  ),
  licence: ANSWERS_LICENCE,
  columns: {
    ...NAMED_CLAIM,
    label: oneOf(VERDICT_LABELS, "verdict against the whole factbook"),
    reason: text("reason for the verdict"),
    second_label: oneOf(
      VERDICT_LABELS,
      "verdict of a second reader, blind to verdicts and first labels",
    ),
  },
  key: ["system", "question_id", "claim_id"],
});
export type ResponseClaimLabel = RowOf<typeof RESPONSE_CLAIM_LABELS>;

export const CLAIM_RATINGS = table({
  ...by(
    "study respond",
    "claim_ratings.csv",
    "labels of several raters for a random sample of the claims",
  ),
  licence: ANSWERS_LICENCE,
  columns: {
    ...NAMED_CLAIM,
    rater: text("verifier or judge that rates the claim"),
    label: blankOr(
      oneOf(["supported", "not supported"], "supported or not supported; empty if unscored"),
    ),
    score: blankOr(share("probability that the claim is supported, 0–1")),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id", "claim_id", "rater"],
});
export type ClaimRatingRow = RowOf<typeof CLAIM_RATINGS>;

export const CLAIM_MATCHES = table({
  ...MATCHES,
  path: dataFile("claim_matches.csv"),
  about: "notebook 43: entailments between claims about a country",
  licence: ANSWERS_LICENCE,
  maker: "notebook 43",
});

export const CLAIM_PAIR_LABELS = table({
  ...edited("claim_pair_labels.csv", `${READER}: labels of pairs of claims about one country`),
  licence: ANSWERS_LICENCE,
  columns: {
    part: oneOf(["development", "test"], "development (used to choose thresholds) or test"),
    question_id: name("id in `questions.csv`, the code of the country"),
    first: name("first claim"),
    second: name("second claim"),
    label: oneOf(
      ["same", "first entails", "second entails", "neither"],
      "relation: same, first entails, second entails or neither",
    ),
  },
});
export type LabelledPair = RowOf<typeof CLAIM_PAIR_LABELS>;

const PLACES = [1, 2, 3, 4] as const;
/** Columns for the options, the right one first. */
export const inPlaces = <Name extends string, Value>(name: Name, values: readonly Value[]) =>
  Object.fromEntries(PLACES.map((place, i) => [`${name}_${place}`, values[i]])) as Readonly<
    Record<`${Name}_${typeof PLACES[number]}`, Value>
  >;
const others = <Value>(right: Column<Value>, wrong: Column<Value>) => [right, wrong, wrong, wrong];

/** Sampled thoughts, one per row, with the options' log-probabilities, the right one first. */
export const CHOICE_SAMPLES = table({
  ...by("study uncertainty", "choice_samples.csv", "one row per sampled thought"),
  licence: `${ANSWERS_LICENCE}; options: ${FACTBOOK}`,
  columns: {
    model: name("name of the model"),
    question_id: name("code of the country and kind of question"),
    cluster: name("code of the country; intervals cluster by it"),
    kind: name("kind of question"),
    question: name("question as put to the model, without the options"),
    ...inPlaces("option", others(text("correct option"), text("incorrect option"))),
    sample: wholeNumber("number of the sampled thought, from 1", { min: 1 }),
    seed: text("seed of its sampling"),
    thought: text("text that the model wrote at temperature 1"),
    thought_tokens: wholeNumber("number of tokens of the thought"),
    token_entropy: blankOr(number("mean entropy over the thought's tokens in nats", { min: 0 })),
    ...inPlaces(
      "log_probability",
      others(
        number("log-probability of option 1 after the thought, in nats", { max: 0 }),
        number("log-probability of this option after the thought, in nats", { max: 0 }),
      ),
    ),
    milliseconds: number("time in milliseconds on a machine with other load", { min: 0 }),
    settings_sha256: SETTINGS,
  },
  form: {
    read: (row) => ({
      ...row,
      options: PLACES.map((place) => row[`option_${place}`]),
      logProbabilities: PLACES.map((place) => row[`log_probability_${place}`]),
    }),
    write: (row) => row,
  },
  key: ["model", "question_id", "sample"],
});
export type ChoiceSampleRow = RowOf<typeof CHOICE_SAMPLES>;

/** Questions on structured fields whose values exclude each other. */
export const CHOICE_QUESTIONS = table({
  ...rules("choice_questions.csv", "multiple-choice questions and the factbook field of each"),
  columns: {
    kind: name("kind of question"),
    field: name("field of the factbook"),
    subfield: text("subfield of that field"),
    question: name("wording of the question, with C for the country"),
    value: name("regular expression whose first group is a correct answer"),
  },
  key: ["kind"],
});

export const METRIC_AGREEMENT = table({
  ...by("bench metrics", "metric_agreement.csv", "our statistics compared to Python's"),
  columns: {
    metric: text("name of the metric"),
    reference: text("name of the Python library"),
    version: text("version of the library"),
    tables: wholeNumber("number of random tables"),
    compared: wholeNumber("number of values that both implementations define"),
    largest_difference: number("largest absolute difference between the two", { min: 0 }),
    degenerate: wholeNumber("number of tables on which the metric is undefined"),
    degenerate_cases: text("result of each implementation on those tables"),
    note: text("difference between the definitions"),
    ours_ms: number("time of our implementation for all tables, in milliseconds", { min: 0 }),
    theirs_ms: number(
      "time of the Python library for all tables, in milliseconds; on small tables calls dominate",
      { min: 0 },
    ),
    ratio: number("ratio of the times, ours / theirs", { min: 0 }),
  },
  key: ["metric"],
});

export const MEASURE_COVERAGE = table({
  ...by("bench metrics", "measure_coverage.csv", "coverage of 95 % intervals in simulations"),
  columns: {
    quantity: oneOf(["share", "difference"], "share, or difference of two paired shares"),
    clusters: wholeNumber("number of clusters drawn", { min: 2 }),
    items: wholeNumber("number of items per cluster", { min: 1 }),
    correlation: number("intra-cluster correlation; shares of clusters follow a beta distribution"),
    truth: number(
      "true share; for a difference that of the second share, with the first 0.1 higher",
    ),
    effective: number(
      "effective n by the design effect, clusters × items / (1 + (items − 1) × correlation)",
    ),
    sessions: wholeNumber("number of data sets drawn"),
    coverage: number("share of the intervals that contain the true value", { min: 0, max: 1 }),
    width: number("mean width of the intervals", { min: 0 }),
  },
  key: ["quantity", "clusters", "items", "correlation", "truth"],
});
export type IntervalCoverageRow = RowOf<typeof MEASURE_COVERAGE>;

/** Kinds of entities in queries. */
export const QUERY_KINDS = [
  "country",
  "city",
  "river",
  "lake",
  "language",
  "person",
  "species",
  "treaty",
  "battle",
  "film",
] as const;

export const ABSTENTION_QUERIES = table({
  ...edited(
    "abstention_queries.csv",
    "written for this project: queries about invented things, and about real ones of the factbook in the same words; each invented name was checked for real bearers",
  ),
  columns: {
    id: name("kind, real or invented, and number"),
    kind: oneOf(QUERY_KINDS, "kind of thing"),
    exists: flag("True where the thing exists"),
    name: name("name of the thing"),
    question: name("question as put to the model"),
  },
  key: ["id"],
});
export type AbstentionQuery = RowOf<typeof ABSTENTION_QUERIES>;

export const ABSTENTION_PHRASES = table({
  ...rules("abstention_phrases.csv", "phrases that benchmarks search for in an answer"),
  columns: { phrase: name("phrase in lower case") },
});

/**
 * Labels of an answer by a reader. It abstains where its main message is that the speaker cannot or
 * will not answer, does not know the entity, or that the entity does not exist, whatever it adds
 * about others. It answers where it states anything about the entity as existing, however hedged or
 * wrong. That includes statements about a fictional namesake or a confused entity, repetition of
 * the question's words, and statements before an admission of limits.
 */
export const ABSTENTION_LABELS = ["abstains", "answers"] as const;
export type AbstentionLabel = typeof ABSTENTION_LABELS[number];
const LABEL = oneOf(ABSTENTION_LABELS, "abstains or answers");

export const ABSTENTION_TRAINING = table({
  ...edited(
    "abstention_training.csv",
    "written for this project: training data of the abstention classifier",
  ),
  columns: {
    label: LABEL,
    style: name("style of the answer"),
    name: name("name of the thing asked about"),
    question: name("question that was asked"),
    answer: name("text of the answer"),
  },
});
export type TrainingAnswer = RowOf<typeof ABSTENTION_TRAINING>;

export const ABSTENTION_ANSWERS = table({
  ...by("study abstention", "abstention_answers.csv", "answers of the models"),
  licence: ANSWERS_LICENCE,
  columns: {
    model: name("name of the model"),
    instruction: oneOf(
      INSTRUCTIONS,
      "instruction: none, permission to decline, or a reply begun for the model",
    ),
    temperature: number("temperature of the sampling", { min: 0 }),
    seed: number("seed of the sampling"),
    query_id: name("id of the query in `abstention_queries.csv`"),
    model_sha256: text("SHA-256 of the model and its settings"),
    prompt_sha256: text("SHA-256 of the prompt and the sampling settings"),
    answer: text("text of the answer on one line"),
    tokens: wholeNumber("number of tokens generated"),
    ended: oneOf(["complete", "length"], "end of generation: complete or length"),
    label: blankOr(oneOf(ABSTENTION_LABELS, "label of the reader; empty if unread")),
    probability: blankOr(share("probability of abstention from the classifier")),
  },
  key: ({ model, instruction, temperature, seed, query_id }) =>
    [model, instruction, temperature, seed, query_id].join("|"),
});
export type AbstentionAnswer = RowOf<typeof ABSTENTION_ANSWERS>;

export const ABSTENTION_HAND_LABELS = table({
  ...edited("abstention_labels.csv", `${READER}: labels of \`abstention_answers.csv\``),
  columns: {
    key: name("model, instruction, temperature, seed and query"),
    answer_sha256: text("SHA-256 of the labelled text"),
    label: LABEL,
  },
  key: ["key"],
});

/** Labels of answers whose texts are not part of the project; `id` is the line number from 1. */
export const ABSTENTION_SHARED_LABELS = table({
  ...edited(
    "abstention_shared_labels.csv",
    `${READER}: labels of answers whose texts are not part of this repository`,
  ),
  columns: {
    set: name("name of the collection"),
    id: wholeNumber("number of the line in the collection", { min: 1 }),
    label: LABEL,
  },
  key: ["set", "id"],
});

export const ABSTENTION_SECOND_LABELS = table({
  ...edited(
    "abstention_second_labels.csv",
    "a second language-model reader: labels made blind to the first ones",
  ),
  columns: {
    key: name("key of `abstention_labels.csv`, or set and id of `abstention_shared_labels.csv`"),
    label: LABEL,
  },
  key: ["key"],
});

export const ABSTENTION_MEASURED = table({
  ...by(
    "study abstention",
    "abstention_measured.csv",
    "performance of the classifier against labels",
  ),
  columns: {
    set: text("set of labelled answers, none of them in the training data"),
    method: text("method: classifier, list of phrases, or never"),
    measure: text("measure: precision, recall, F1, accuracy or balanced accuracy"),
    questions: wholeNumber("number of questions; intervals cluster by them"),
    abstaining: wholeNumber("number of answers labelled as abstaining"),
    ...FIGURE,
  },
  key: ["set", "method", "measure"],
});
export type RateRow = RowOf<typeof ABSTENTION_MEASURED>;

export const ABSTENTION_RATES = table({
  ...by("study abstention", "abstention_rates.csv", "false acceptance and over-refusal"),
  columns: {
    model: text("name of the model"),
    instruction: oneOf(INSTRUCTIONS, "instruction: none, or permission to decline"),
    temperature: number("temperature of the sampling"),
    kind: oneOf(["all", ...QUERY_KINDS], "kind of thing, or all"),
    read_by: oneOf(
      ["language model", "classifier"],
      "source of the labels: language model (a reader; no person read them) or classifier",
    ),
    rate: oneOf(REFUSAL_RATES, "measure: false acceptance or over-refusal"),
    ...FIGURE,
  },
  key: ["model", "instruction", "temperature", "kind", "read_by", "rate"],
});
export type AbstentionRate = RowOf<typeof ABSTENTION_RATES>;

export const ABSTENTION_CONCEPTS = table({
  ...by(
    "study abstention --concepts",
    "abstention_concepts.csv",
    "the same on a public collection, whose texts are not part of this repository",
  ),
  columns: RATE_COLUMNS,
  key: ["model", "instruction", "category", "rate"],
});

/** Paths of files that are no tables. */
export const GENERATION_FILES = {
  /** Settings of each system when its answers were generated. */
  responseSettings: dataFile("model_responses.json"),
  profiles: dataFile("hallucination_profiles.json"),
  profilesPage: dataFile("hallucination_profiles.html"),
} as const;

export const TABLES = [
  QUESTIONS,
  RESPONSES,
  fileEntry(
    GENERATION_FILES.responseSettings,
    "`deno task study respond`: settings of each system",
  ),
  RESPONSE_CLAIMS,
  RESPONSE_CLAIM_LABELS,
  CLAIM_RATINGS,
  CLAIM_MATCHES,
  CLAIM_PAIR_LABELS,
  CHOICE_QUESTIONS,
  CHOICE_SAMPLES,
  METRIC_AGREEMENT,
  MEASURE_COVERAGE,
  ABSTENTION_PHRASES,
  ABSTENTION_QUERIES,
  ABSTENTION_TRAINING,
  ABSTENTION_ANSWERS,
  ABSTENTION_HAND_LABELS,
  ABSTENTION_SHARED_LABELS,
  ABSTENTION_SECOND_LABELS,
  fileEntry(
    FACTUALITY_PATHS.abstentionClassifier,
    "`deno task study abstention --train`: weights, hashes and figures of the abstention classifier",
  ),
  ABSTENTION_MEASURED,
  ABSTENTION_RATES,
  ABSTENTION_CONCEPTS,
  fileEntry(GENERATION_FILES.profiles, "notebook 43: profiles of four systems, schema version 1"),
  fileEntry(GENERATION_FILES.profilesPage, "notebook 43: the same profiles as a page"),
];
