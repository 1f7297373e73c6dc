/**
 * What models were asked, what they answered, and what was read of it: the tables that the commands
 * `study respond`, `study uncertainty` and `study abstention` write and that notebook 43 reads.
 */
import { blankOr, type Column, fileEntry, flag, name, number } from "../../../files/table.ts";
import { oneOf, type RowOf, table, text, whole } from "../../../files/table.ts";
import { REFUSAL_RATES } from "../../../factuality/metrics/rates.ts";
import { dataFile, FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { CLAIM_KINDS, UNSCORED_REASONS, VERDICT_LABELS } from "../../../factuality/types.ts";
import { INSTRUCTIONS } from "../../../factuality/own/prompts.ts";
import { FIGURE, OWN_RATE } from "../../../factuality/own/refusal_rates.ts";
import { MATCHES } from "../../../factuality/own/claim_matching.ts";

/** A table that a command writes. */
function by(command: string, file: string, what = "") {
  const maker = `deno task ${command}`;
  return { path: dataFile(file), maker, about: `\`${maker}\`${what && `: ${what}`}` };
}
/** One that people write. */
const edited = (file: string, about: string) => {
  return { path: dataFile(file), maker: "git checkout", about };
};
const rules = (file: string, about: string) => edited(`rules/${file}`, `edited by hand: ${about}`);
const READER = "a language-model reader; no person labelled anything";
const ANSWERS_LICENCE =
  "texts written by SmolLM2, Qwen2.5-Coder (Apache-2.0) and Gemma (Gemma terms)";
const FACTBOOK = "MIT; texts of the CIA World Factbook, public domain";
const share = (sentence: string) => number(sentence, { min: 0, max: 1 });
const OF_CLAIM = {
  system: name("model, with (open book) or without (closed book) passages in its prompt"),
  question_id: text("id in `questions.csv`: the country's code"),
};
const CLAIM_ID = text("c1, … in the order of the answer");
const NAMED_CLAIM = { ...OF_CLAIM, claim_id: CLAIM_ID, claim: text("as in `response_claims.csv`") };
const SETTINGS = text("SHA-256 of all that could change the row");

export const QUESTIONS = table({
  ...by("study respond", "questions.csv", "what the systems are asked about held-out countries"),
  columns: {
    id: text("country code"),
    country: text("as the factbook names it"),
    question: text("as it is asked"),
  },
  key: ["id"],
});
/** What every system is asked about one country, whose passages have `country` as their title. */
export type CountryQuestion = RowOf<typeof QUESTIONS>;

export const RESPONSES = table({
  ...by("study respond", "model_responses.csv"),
  licence: ANSWERS_LICENCE,
  columns: {
    ...OF_CLAIM,
    seed: number("of the sampling; without effect at temperature 0"),
    temperature: number("0: the most probable token each time", { min: 0 }),
    response: text("whole sentences; what was cut off is left out"),
    tokens: whole("drawn"),
    ended: oneOf(["complete", "length", "stopped"], "complete, length or stopped"),
    mean_token_entropy: blankOr(number("of the next-token distributions, nats", { min: 0 })),
    mean_log_probability: blankOr(number("of the tokens drawn, nats", { max: 0 })),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id"],
});
export type ResponseRow = RowOf<typeof RESPONSES>;

export const RESPONSE_CLAIMS = table({
  ...by(
    "study respond",
    "response_claims.csv",
    "the answers' claims with the trained verifier's verdicts",
  ),
  licence: `${ANSWERS_LICENCE}; evidence: ${FACTBOOK}`,
  columns: {
    ...OF_CLAIM,
    country: text("as the factbook names it"),
    claim_id: CLAIM_ID,
    claim: text("to be read on its own"),
    kind: oneOf(CLAIM_KINDS, "factual, temporal or numerical"),
    status: oneOf(["scored", ...UNSCORED_REASONS], "scored, or why there is no verdict"),
    label: blankOr(
      oneOf(VERDICT_LABELS, "supported, refuted or not enough info; empty where unscored"),
    ),
    p_supported: blankOr(share("0–1")),
    p_refuted: blankOr(share("0–1")),
    p_not_enough_info: blankOr(share("0–1")),
    evidence_passage: text("id of the passage of the factbook"),
    evidence: text("the words that the verdict rests on"),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id", "claim_id"],
  check({ status, label }) {
    if ((status === "scored") === (label !== "")) return;
    throw new RangeError("status and label contradict one another");
  },
});
export type ResponseClaimRow = RowOf<typeof RESPONSE_CLAIMS>;

/** What the whole factbook says of a claim; that a list lacks something does not refute it. */
export const RESPONSE_CLAIM_LABELS = table({
  ...edited(
    "response_claim_labels.csv",
    `${READER}: 124 claims of a random draw, then all others that a verifier can check; the second reader of either part knew nothing of the first`,
  ),
  licence: ANSWERS_LICENCE,
  columns: {
    ...NAMED_CLAIM,
    label: oneOf(VERDICT_LABELS, "what the whole factbook says of it"),
    reason: text("why, in some words"),
    second_label: oneOf(VERDICT_LABELS, "of a second reader, blind to verdicts and first labels"),
  },
  key: ["system", "question_id", "claim_id"],
});
export type ResponseClaimLabel = RowOf<typeof RESPONSE_CLAIM_LABELS>;

export const CLAIM_RATINGS = table({
  ...by("study respond", "claim_ratings.csv", "a draw of the claims as several raters call them"),
  licence: ANSWERS_LICENCE,
  columns: {
    ...NAMED_CLAIM,
    rater: text("verifier or judge"),
    label: blankOr(oneOf(["supported", "not supported"], "supported or not; empty where unscored")),
    score: blankOr(share("probability of supported, 0–1")),
    settings_sha256: SETTINGS,
  },
  key: ["system", "question_id", "claim_id", "rater"],
});
export type ClaimRatingRow = RowOf<typeof CLAIM_RATINGS>;

export const CLAIM_MATCHES = table({
  ...MATCHES,
  path: dataFile("claim_matches.csv"),
  about: "notebook 43: which claims about a country entail one another",
  licence: ANSWERS_LICENCE,
  maker: "notebook 43",
});

export const CLAIM_PAIR_LABELS = table({
  ...edited("claim_pair_labels.csv", `${READER}: pairs of claims about one country`),
  licence: ANSWERS_LICENCE,
  columns: {
    part: oneOf(["development", "test"], "development (thresholds were chosen on it) or test"),
    question_id: name("id in `questions.csv`: the country's code"),
    first: name("a claim"),
    second: name("another"),
    label: oneOf(
      ["same", "first entails", "second entails", "neither"],
      "same, first entails, second entails or neither",
    ),
  },
});
export type LabelledPair = RowOf<typeof CLAIM_PAIR_LABELS>;

const PLACES = [1, 2, 3, 4] as const;
/** A column for each option, the right one first. */
export const inPlaces = <Name extends string, Value>(name: Name, values: readonly Value[]) =>
  Object.fromEntries(PLACES.map((place, i) => [`${name}_${place}`, values[i]])) as Readonly<
    Record<`${Name}_${typeof PLACES[number]}`, Value>
  >;
const others = <Value>(right: Column<Value>, wrong: Column<Value>) => [right, wrong, wrong, wrong];

/** A sampled thought a row; options and their log-probabilities have the right one first. */
export const CHOICE_SAMPLES = table({
  ...by("study uncertainty", "choice_samples.csv", "a row a sampled thought"),
  licence: `${ANSWERS_LICENCE}; options: ${FACTBOOK}`,
  columns: {
    model: name("name"),
    question_id: name("country code and kind"),
    cluster: name("country code: what intervals cluster by"),
    kind: name("of question"),
    question: name("as it is asked; the options are not shown"),
    ...inPlaces("option", others(text("the right one"), text("a wrong one"))),
    sample: whole("number of the thought", { min: 1 }),
    seed: text("of its sampling"),
    thought: text("what the model wrote at temperature 1"),
    thought_tokens: whole("their number"),
    token_entropy: blankOr(number("mean over the thought's tokens, nats", { min: 0 })),
    ...inPlaces(
      "log_probability",
      others(
        number("of the option's text after the thought, nats", { max: 0 }),
        number("likewise", { max: 0 }),
      ),
    ),
    milliseconds: number("on a machine that had other work", { min: 0 }),
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

/** What is asked of structured fields whose values exclude one another. */
export const CHOICE_QUESTIONS = table({
  ...rules("choice_questions.csv", "what is asked with options, of which field of the factbook"),
  columns: {
    kind: name("of question"),
    field: name("of the factbook"),
    subfield: text("of that field"),
    question: name("C stands for the country"),
    value: name("regular expression whose first group is a right answer"),
  },
  key: ["kind"],
});

export const METRIC_AGREEMENT = table({
  ...by("bench metrics", "metric_agreement.csv", "our statistics against Python's"),
  columns: {
    metric: text("name"),
    reference: text("Python library"),
    version: text("its version"),
    tables: whole("random tables"),
    compared: whole("numbers that both have"),
    largest_difference: number("of them", { min: 0 }),
    degenerate: whole("tables on which it is undefined"),
    degenerate_cases: text("what each says then"),
    note: text("where definitions differ"),
    ours_ms: number("for all tables", { min: 0 }),
    theirs_ms: number("for all tables; calls of small tables cost Python most", { min: 0 }),
    ratio: number("ours / theirs", { min: 0 }),
  },
  key: ["metric"],
});

export const MEASURE_COVERAGE = table({
  ...by("bench metrics", "measure_coverage.csv", "how often 95 % intervals hold the true value"),
  columns: {
    quantity: oneOf(["share", "difference"], "a share, or the difference of two paired shares"),
    clusters: whole("clusters drawn", { min: 2 }),
    items: whole("items of each cluster", { min: 1 }),
    correlation: number("within clusters; their shares are drawn from a beta distribution"),
    truth: number("true share, or that of the second of two whose first is 0.1 higher"),
    effective: number("n by the design effect, clusters × items / (1 + (items − 1) × correlation)"),
    sessions: whole("data sets drawn"),
    coverage: number("share of the intervals that hold the truth", { min: 0, max: 1 }),
    width: number("mean width of the intervals", { min: 0 }),
  },
  key: ["quantity", "clusters", "items", "correlation", "truth"],
});
export type CoverageRow = RowOf<typeof MEASURE_COVERAGE>;

/** What a query can be about. */
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
    "invented things, and real ones of the factbook in the same words; each invented name was read for whether it is somebody's",
  ),
  columns: {
    id: name("kind, real or invented, number"),
    kind: oneOf(QUERY_KINDS, "of thing"),
    exists: flag("whether there is such a thing"),
    name: name("its name"),
    question: name("as it is asked"),
  },
  key: ["id"],
});
export type AbstentionQuery = RowOf<typeof ABSTENTION_QUERIES>;

export const ABSTENTION_PHRASES = table({
  ...rules("abstention_phrases.csv", "phrases as benchmarks look for them, anywhere in an answer"),
  columns: { phrase: name("in lower case") },
});

/**
 * What a reader decides of an answer. It abstains where its main message is that the speaker cannot
 * or will not answer, does not know the thing, or that there is no such thing, whatever it adds about
 * other things. It answers where it says anything of the thing as if there were one, however hedged
 * or wrong: also what "the fictional city in the game …" is, what another thing is that it takes for
 * it, the question's own words again, and what comes before an admission of limits.
 */
export const ABSTENTION_LABELS = ["abstains", "answers"] as const;
export type AbstentionLabel = typeof ABSTENTION_LABELS[number];
const LABEL = oneOf(ABSTENTION_LABELS, "abstains or answers");

export const ABSTENTION_TRAINING = table({
  ...edited(
    "abstention_training.csv",
    "written for this project: answers the classifier learns from",
  ),
  columns: {
    label: LABEL,
    style: name("of the answer"),
    name: name("what it is about"),
    question: name("that it answers"),
    answer: name("its text"),
  },
});
export type TrainingAnswer = RowOf<typeof ABSTENTION_TRAINING>;

export const ABSTENTION_ANSWERS = table({
  ...by("study abstention", "abstention_answers.csv"),
  licence: ANSWERS_LICENCE,
  columns: {
    model: name("name"),
    instruction: oneOf(INSTRUCTIONS, "none, may decline, or a reply begun for the model"),
    temperature: number("of sampling", { min: 0 }),
    seed: number("of sampling"),
    query_id: name("id in `abstention_queries.csv`"),
    model_sha256: text("address of the model and its settings"),
    prompt_sha256: text("address of the prompt and the way of sampling"),
    answer: text("on one line"),
    tokens: whole("drawn"),
    ended: oneOf(["complete", "length"], "complete or length"),
    label: blankOr(oneOf(ABSTENTION_LABELS, "of the reader; empty where nobody read it")),
    probability: blankOr(share("that it abstains, by the classifier")),
  },
  key: ({ model, instruction, temperature, seed, query_id }) =>
    [model, instruction, temperature, seed, query_id].join("|"),
});
export type AbstentionAnswer = RowOf<typeof ABSTENTION_ANSWERS>;

export const ABSTENTION_HAND_LABELS = table({
  ...edited("abstention_labels.csv", `${READER}: labels of \`abstention_answers.csv\``),
  columns: {
    key: name("model, instruction, temperature, seed, query"),
    answer_sha256: text("of the text that was labelled"),
    label: LABEL,
  },
  key: ["key"],
});

/** Labels of answers whose texts are not part of the project; `id` is the line, the first being 1. */
export const ABSTENTION_SHARED_LABELS = table({
  ...edited(
    "abstention_shared_labels.csv",
    `${READER}; the texts are no part of this project`,
  ),
  columns: {
    set: name("name of the collection"),
    id: whole("line in it", { min: 1 }),
    label: LABEL,
  },
  key: ["set", "id"],
});

export const ABSTENTION_SECOND_LABELS = table({
  ...edited(
    "abstention_second_labels.csv",
    "another language-model reader, blind to the first labels",
  ),
  columns: {
    key: name("of `abstention_labels.csv`, or set and id of `abstention_shared_labels.csv`"),
    label: LABEL,
  },
  key: ["key"],
});

export const ABSTENTION_MEASURED = table({
  ...by("study abstention", "abstention_measured.csv", "the classifier against labels"),
  columns: {
    set: text("which labelled answers; none was trained on"),
    method: text("classifier, list of phrases, or never"),
    measure: text("precision, recall, F1, accuracy, balanced accuracy"),
    questions: whole("what intervals cluster by"),
    abstaining: whole("answers that abstain by the labels"),
    ...FIGURE,
  },
  key: ["set", "method", "measure"],
});
export type MeasuredRow = RowOf<typeof ABSTENTION_MEASURED>;

export const ABSTENTION_RATES = table({
  ...by("study abstention", "abstention_rates.csv"),
  columns: {
    model: text("name"),
    instruction: oneOf(INSTRUCTIONS, "none, or may decline"),
    temperature: number("of sampling"),
    kind: oneOf(["all", ...QUERY_KINDS], "of thing, or all"),
    read_by: oneOf(
      ["language model", "classifier"],
      "language model (the reader's labels; no person read any) or classifier",
    ),
    rate: oneOf(REFUSAL_RATES, "false acceptance or over-refusal"),
    ...FIGURE,
  },
  key: ["model", "instruction", "temperature", "kind", "read_by", "rate"],
});
export type AbstentionRate = RowOf<typeof ABSTENTION_RATES>;

export const ABSTENTION_CONCEPTS = table({
  ...by("study abstention --concepts", "abstention_concepts.csv"),
  about:
    "`deno task study abstention --concepts … --out data/factuality`; the texts are no part of this project",
  columns: OWN_RATE,
  key: ["model", "instruction", "category", "rate"],
});

/** Files that are no tables, by path. */
export const GENERATION_FILES = {
  /** Settings of each system, as answers were asked with. */
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
    "`deno task study abstention --train`: weights, hashes, figures",
  ),
  ABSTENTION_MEASURED,
  ABSTENTION_RATES,
  ABSTENTION_CONCEPTS,
  fileEntry(GENERATION_FILES.profiles, "notebook 43: profiles of four systems, schema version 1"),
  fileEntry(GENERATION_FILES.profilesPage, "notebook 43: the same as a page"),
];
