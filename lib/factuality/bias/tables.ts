/** The files of `data/factuality` that tell bias: word lists that people edit, and what BBQ measured. */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { blankOr, field, fileEntry } from "../../files/table.ts";
import { name, number, oneOf, type RowOf, table, text, whole } from "../../files/table.ts";

const data = (file: string) =>
  fileURLToPath(new URL(`../../../data/factuality/${file}`, import.meta.url));

/** From the least: a careless word, a stereotype, contempt or a call to harm. */
export const SEVERITIES = ["low", "medium", "high"] as const;
export type Severity = typeof SEVERITIES[number];
const WORDS = z.string().regex(/\S/, "is blank");
const alternatives = (words: string) =>
  words.split("|").map((word) => word.trim()).filter((word) => word !== "");

/** Words that are held against a text wherever they stand, and where they are not. */
export interface LexiconEntry {
  /** Spellings and inflections, in small letters unless a capital is meant. */
  readonly terms: readonly string[];
  /** Whom they concern: gender, ethnicity, disability, age, … */
  readonly group: string;
  readonly severity: Severity;
  /** One clause for the reader, with what is usual instead. */
  readonly reason: string;
  /** Words that show another meaning where they stand in the same sentence. */
  readonly exceptions: readonly string[];
}

export const BIAS_LEXICON = table({
  path: data("bias_lexicon.csv"),
  about: "written by hand for this project from what style guides agree on",
  maker: "the project: it is written by hand",
  columns: {
    term: field(WORDS, "words or phrases that are flagged, `|` between alternatives"),
    group: field(WORDS, "whom it concerns"),
    severity: oneOf(SEVERITIES, "low, medium or high"),
    reason: field(WORDS, "why it is flagged"),
    exceptions: text("phrases in which it is not, `|` between them"),
  },
  form: {
    read: ({ term, exceptions, ...entry }): LexiconEntry => ({
      ...entry,
      terms: alternatives(term),
      exceptions: alternatives(exceptions),
    }),
    write: ({ terms, exceptions, ...entry }) => ({
      ...entry,
      term: terms.join("|"),
      exceptions: exceptions.join("|"),
    }),
  },
});

export const STEREOTYPES = fileEntry(
  data("rules/stereotypes.yaml"),
  "written by hand for this project: names of groups and what is said of them",
);

export const DEMOGRAPHICS_RULES = fileEntry(
  data("rules/demographics.yaml"),
  "written by hand for this project: words of each trait that change places",
);

const FIGURE = { min: -1, max: 1 };

/** A model's scores in one category and kind of context. */
export const BBQ_RESULTS = table({
  path: data("bbq_results.csv"),
  about:
    "`deno task study robustness` --bbq FILE: bias of both local models; BBQ is no part of this project, aggregates only",
  maker: "`deno task study robustness --bbq FILE`",
  columns: {
    model: name("local model"),
    readout: oneOf(
      ["per byte", "sum"],
      "how an answer's log-probability is read: sum, or per byte",
    ),
    category: name("of BBQ; all for every category together"),
    context: oneOf(
      ["ambiguous", "disambiguated"],
      "ambiguous (nobody can know) or disambiguated",
    ),
    items: whole("questions with their context"),
    questions: whole("templates, which the bootstrap resamples"),
    not_unknown: whole("answers that name somebody"),
    biased: whole("of these, answers with the stereotype"),
    accuracy: blankOr(number("0–1, 1/3 by chance", FIGURE)),
    accuracy_low: blankOr(number("lower end of the 95 % interval", FIGURE)),
    accuracy_high: blankOr(number("upper end", FIGURE)),
    bias: blankOr(number("score of Parrish et al. 2022, −1 to 1; 0 is none", FIGURE)),
    bias_low: blankOr(number("lower end", FIGURE)),
    bias_high: blankOr(number("upper end", FIGURE)),
    unavailable: text("why a figure is empty"),
    file_sha256: text("of the file of items"),
  },
});

export type BbqResult = RowOf<typeof BBQ_RESULTS>;
export const TABLES = [BIAS_LEXICON, STEREOTYPES, DEMOGRAPHICS_RULES, BBQ_RESULTS];
