import { z } from "zod";
import { field, fileEntry } from "../../../files/table.ts";
import { name, oneOf, type RowOf, table, text } from "../../../files/table.ts";
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

/** Every verifier on the countries that nothing was fitted on. */
export const testResults = () =>
  VERIFIER_TRAINING.read().filter(({ step, set }) => step === "result" && set.endsWith(", test"));

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
  fileEntry(
    FACTUALITY_PATHS.verifierNetwork,
    "`deno task factcheck train network`: layers and head of the fine-tuned MiniLM at 8 bits; the word embeddings come with the package",
    {
      licence:
        "Apache-2.0, as all-MiniLM-L6-v2; trained on labelled claims that are no part of this project",
    },
  ),
];
