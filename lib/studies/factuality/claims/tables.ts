import { z } from "zod";
import { field, fileEntry } from "../../../files/table.ts";
import { name, number, oneOf, type RowOf, table, text, wholeNumber } from "../../../files/table.ts";
import { dataFile, FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { VERDICT_LABELS } from "../../../factuality/types.ts";
import {
  FINE_TUNING_LOSS,
  JUDGE_SCORES,
  LARGE_ANSWERS,
  TRAINING_RATES,
  VERIFIER_ANSWERS,
  VERIFIER_SOURCES,
  VERIFIER_TRAINING,
} from "../../../factuality/own/training/tables.ts";

/** Claims of language models about training and development countries, with a reader's labels. */
export const WRITTEN_CLAIMS = table({
  path: dataFile("written_claims.csv"),
  about:
    "language models (no person labelled): claims about training and development countries, labelled against the factbook. Some are answers of the systems of model_responses.csv, the others imitate such claims and their typical mistakes",
  maker: "git checkout",
  columns: {
    code: name("factbook code of the country"),
    writer: name("system that wrote the claim; reader: the labeller wrote it"),
    claim: name("claim in one sentence"),
    label: oneOf(VERDICT_LABELS, "label against the entry"),
    passages: name(
      "ids of the passages retrieved for the claim, separated by semicolons: of the country and of others that it names",
    ),
  },
  key: ["code", "claim"],
});

/** Kinds of natural contradiction: what a writer gets wrong about a source in fluent words. */
export const CONTRADICTION_KINDS = [
  "negated event",
  "age limit",
  "dose",
  "time of day",
  "postponed or decided",
  "attributes swapped",
  "from and until",
  "speakers swapped",
  "first and second",
  "reached and won",
  "quantifier",
  "order of events",
  "cause",
  "scope",
  "hedged and certain",
  "relative size",
] as const;

/** Ending of the id of a corrected contradiction. */
export const RIGHT = "/right";

/** Labelled claims on invented passages: supported, contradicted in a natural way, or not stated. */
export const NATURAL_CONTRADICTIONS = table({
  path: dataFile("natural_contradictions.csv"),
  about:
    "written by a language model, no person: claims on invented passages, supported in other words, " +
    "contradicted as writers do it, each of these also set right in nearly the same words, or not stated. The " +
    "same model read 200 of the first 1,120 again, shuffled and without their labels, and agreed on 196, which " +
    "is no independent check; rows in doubt were left out. Columns are those of `--cases`",
  maker: "git checkout",
  columns: {
    id: name(
      "passage and number of the claim, some of them left out; `/right`: that contradiction set right",
    ),
    cluster: name("the passage: claims of one are resampled and split together"),
    split: oneOf(
      ["train", "test"],
      "train: may be learnt from; test: passages on other topics, measured on alone",
    ),
    genre: name("kind of text, e.g. medicine leaflet"),
    topic: name("topic of the passage"),
    label: oneOf(
      [...VERDICT_LABELS, "not supported"],
      "not supported: certain in the claim, left open by the passage",
    ),
    kind: oneOf(
      ["supported", ...CONTRADICTION_KINDS, "not stated"],
      "detail that the claim gets wrong or corrects; supported in other words or not stated otherwise",
    ),
    claim: name("one sentence"),
    evidence: field(
      z.string().min(1).transform((text) => text.replaceAll("\\n", "\n")),
      "the passage, 2 to 12 sentences, all facts invented; `\\n` for a line break of a Markdown table",
      (text) => text.replaceAll("\n", "\\n"),
    ),
  },
  key: ["id"],
  check({ id, label, kind }) {
    const isRight = kind === "supported"
      ? label === "supported"
      : kind === "not stated"
      ? label === "not enough info"
      : id.endsWith(RIGHT)
      ? label === "supported"
      : label === "refuted" || (label === "not supported" && kind === "hedged and certain");
    if (!isRight) throw new SyntaxError(`label ${label} contradicts kind ${kind}`);
  },
});

/** Trials that learnt from natural contradictions; none of them ships. */
export const NATURAL_TRIALS = table({
  path: dataFile("natural_trials.csv"),
  about:
    "measured once: the verifier as shipped and two trials that learnt from the training part of " +
    "`natural_contradictions.csv`, on each source by a head fitted without it. The network was trained " +
    "further for 260 batches of 32, a third of them natural contradictions",
  maker: "git checkout",
  columns: {
    trial: oneOf(
      ["as shipped", "head fitted to them", "network trained further on them"],
      "the part trained on natural contradictions",
    ),
    set: name("source, as in `verifier_training.csv`, or natural contradictions, test"),
    n: wholeNumber("number of claims with a verdict"),
    balanced_accuracy: number("mean of the recalls of supported and of the rest", {
      min: 0,
      max: 1,
    }),
    low: number("lower end of the 95 % interval, by source, response or passage", {
      min: 0,
      max: 1,
    }),
    high: number("upper end", { min: 0, max: 1 }),
    area_under_curve: number("of P(supported), supported against the rest", { min: 0, max: 1 }),
  },
  key: ["trial", "set"],
});

/** Schema of several texts in one field, separated by `|`. */
const PARTS = z.string().min(1).transform((joined) => joined.split("|"));
const several = (sentence: string) => field(PARTS, sentence, (parts) => parts.join("|"));

/** Regular expressions for the value at the beginning of a field's text, by kind of value. */
const VALUES: Readonly<Record<string, string>> = {
  number: "^(-?\\$?[\\d.,]+(?: (?:million|billion|trillion))?)",
  percent: "^(-?[\\d.]+%)",
  kilometres: "^([\\d.,]+ (?:sq )?km)",
  years: "^([\\d.]+ years)",
  name: "^([A-Z][\\p{L}' -]+?)(?:[;,(]|$)",
  words: "^([a-z][\\p{L} -]+?)(?:[;,(]|$)",
};

/** Wordings of claims from one structured field of the factbook. */
const FACT_TEMPLATES = table({
  path: dataFile("rules/fact_templates.csv"),
  about: "written by hand: single-valued fields of the factbook with statement templates",
  maker: "git checkout",
  columns: {
    field: name("field of the factbook"),
    subfield: text("name of the subfield, or its beginning where a year follows"),
    value: field(
      z.string().min(1),
      `type of value: ${
        Object.keys(VALUES).join(", ")
      }, or a regular expression whose first group is the value`,
    ),
    question: name("question that the value answers, with C for the country"),
    phrasings: several("statements separated by `|`, with C for the country and V for the value"),
  },
});

/** A compiled template that extracts values from texts. */
export interface FactTemplate extends Omit<RowOf<typeof FACT_TEMPLATES>, "value"> {
  readonly value: RegExp;
}

let templates: readonly FactTemplate[] | undefined;

export const factTemplates = () =>
  templates ??= FACT_TEMPLATES.read().map((row): FactTemplate => (
    { ...row, value: new RegExp(VALUES[row.value] ?? row.value, "u") }
  ));

/** Words that replace each other. */
const CLAIM_WORDS = table({
  path: dataFile("rules/claim_words.csv"),
  about: "written by hand: words that falsify or reword statements about countries",
  maker: "git checkout",
  columns: {
    kind: oneOf(
      ["exclusive", "opposite", "same meaning"],
      "relation of the words. exclusive: an exchange makes a true statement false; opposite: two antonyms; same meaning: the first can be replaced by the others",
    ),
    words: several("words separated by `|`"),
  },
});

let words: ReadonlyMap<string, readonly RowOf<typeof CLAIM_WORDS>[]> | undefined;

/** Word lists of one kind, in the order of the file. */
export function editWords(kind: RowOf<typeof CLAIM_WORDS>["kind"]) {
  words ??= Map.groupBy(CLAIM_WORDS.read(), (row) => row.kind);
  return (words.get(kind) ?? []).map((row) => row.words);
}

/** Tables that training reads or writes. */
export const TABLES = [
  FACT_TEMPLATES,
  CLAIM_WORDS,
  fileEntry(
    FACTUALITY_PATHS.verifierWeights,
    "`deno task factcheck train verifier`: the trained verifier's head over network and features, with the hash of the network and names of countries",
  ),
  fileEntry(
    FACTUALITY_PATHS.verifierBaselines,
    "`deno task factcheck train verifier`: thresholds of the baselines, from the development countries",
  ),
  VERIFIER_TRAINING,
  VERIFIER_SOURCES,
  VERIFIER_ANSWERS,
  LARGE_ANSWERS,
  JUDGE_SCORES,
  fileEntry(
    FACTUALITY_PATHS.judgeCalibration,
    "`deno task study judges`: Platt's scaling and the measured accuracy of each judge and prompt",
  ),
  FINE_TUNING_LOSS,
  TRAINING_RATES,
  WRITTEN_CLAIMS,
  NATURAL_CONTRADICTIONS,
  NATURAL_TRIALS,
  fileEntry(
    FACTUALITY_PATHS.verifierNetwork,
    "`deno task factcheck train network`: layers and head of the fine-tuned MiniLM at 8 bits; the word embeddings come with the package",
    {
      licence:
        "Apache-2.0, as all-MiniLM-L6-v2; trained on labelled claims that are no part of this project",
    },
  ),
];
