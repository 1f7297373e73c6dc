/** Tables of questions about changed texts and people, and of results. */
import { blankOr, fileEntry } from "../../../files/table.ts";
import {
  flag,
  name,
  number,
  oneOf,
  type RowOf,
  table,
  text,
  wholeNumber,
} from "../../../files/table.ts";
import { answersTable } from "../../../factuality/own/component_answers.ts";
import { dataFile } from "../../../factuality/paths.ts";
import { UNSCORED_REASONS } from "../../../factuality/types.ts";
import {
  NAME_ROWS,
  REPORT_ROWS,
  SPELLINGS,
  SYNONYMS,
} from "../../../factuality/own/variants/tables.ts";
import { roleOf, seenInTraining, VARIANT_KINDS } from "../../../factuality/own/variants/variant.ts";

/** Describes a table of the experiments. */
const experiment = (part: string, about: string) => ({
  about: `\`deno task study robustness --only ${part}\`: ${about}`,
  maker: `deno task study robustness --only ${part}`,
});
const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const COUNTRY = name("country held out from all training");
/** `scored`, or the reason for a missing score. */
const STATUS = oneOf(
  ["scored", ...UNSCORED_REASONS],
  "scored, or the reason why there is no score",
);
/** Columns of an answer's address. */
const ADDRESS = {
  asked_sha256: text("SHA-256 of the texts that were asked about"),
  settings_sha256: text("SHA-256 of everything else that could change the row"),
};

const SCORED = {
  component: name("verifier, judge or ensemble that scores"),
  status: STATUS,
  score: blankOr(number("score, 0–100; empty if there is none", { min: 0, max: 100 })),
  ...ADDRESS,
};

function checkScore({ status, score }: { readonly status: string; readonly score: unknown }) {
  if ((status === "scored") !== (score !== "")) {
    throw new SyntaxError("status and score contradict one another");
  }
}

export const CASES = table({
  path: dataFile("robustness_cases.csv"),
  ...experiment("perturbations", "true claims about held-out countries with one thing changed"),
  licence: FACTBOOK,
  columns: {
    id: name("id of the original claim and the kind of change"),
    base: name("id of the original claim"),
    country: COUNTRY,
    kind: oneOf(VARIANT_KINDS, "kind of change"),
    role: text("perturbation (no longer supported) or control (still true)"),
    seen_in_training: text("yes if the verifier's training data contain this kind, otherwise no"),
    original: name("claim as in the source"),
    changed: name("claim with the change"),
    from: text("words before the change"),
    to: text("words after the change"),
    source_id: name("id of the knowledge-base passage that supports the original"),
    drawn: flag("True where language models are also asked about the claim"),
  },
  form: {
    read: ({ role: _role, seen_in_training: _seen, ...row }) => row,
    write: (row) => ({
      ...row,
      role: roleOf(row.kind),
      seen_in_training: seenInTraining(row.kind),
    }),
  },
  key: ["id"],
});
/** A true claim and one changed version; several share an original. */
export type RobustnessCase = RowOf<typeof CASES>;

export const CASE_LABELS = table({
  path: dataFile("robustness_labels.csv"),
  about:
    "a language-model reader (no person labelled): labels of fifty cases against their sources",
  licence: FACTBOOK,
  maker: "git checkout",
  columns: {
    id: name("id of the case in `robustness_cases.csv`"),
    kind: oneOf(VARIANT_KINDS, "kind of change, as in `robustness_cases.csv`"),
    changed: name(
      "changed claim, as in `robustness_cases.csv`, so that an outdated label is noticed",
    ),
    as_intended: flag("True where a perturbed claim is unsupported, or a control still true"),
    note: text("note of the reader; may be empty"),
  },
  key: ["id"],
});

export const ROBUSTNESS_ANSWERS = answersTable({
  path: dataFile("robustness_answers.csv"),
  ...experiment("perturbations", "answers of every component about originals and variants"),
  licence: FACTBOOK,
  sentences: {
    set:
      "robustness: against the source; contradictions: a claim and its variant in one text; natural contradictions: with id and passage of `natural_contradictions.csv`",
    case_id: "id of the case in `robustness_cases.csv`; for an original its base",
    label: "supported, or not supported for a perturbation",
    component: "verifier, baseline or judge that answers",
    status: "scored, or the reason why there is no score",
    milliseconds: "time of this answer in milliseconds, on a machine with other load",
  },
});

export const ORDERS = table({
  path: dataFile("pairwise_orders.csv"),
  ...experiment("orders", "comparisons in both orders of texts with 0 to 3 planted errors"),
  columns: {
    country: COUNTRY,
    errors_a: wholeNumber("number of planted errors of text a"),
    errors_b: wholeNumber("number of planted errors of text b, which has more", { min: 1 }),
    first: oneOf(["a", "b"], "text shown or scored first: a or b"),
    component: name("component that compares the texts or scores each"),
    run: wholeNumber("0, or the number of a repetition, which is its seed"),
    temperature: number("temperature of the sampling; 0 means no sampling", { min: 0 }),
    status: STATUS,
    winner: oneOf(
      ["first", "second", "tie", ""],
      "winner in the order shown: first, second or tie; empty if there is no answer",
    ),
    score_a: blankOr(
      number("score of text a, 0–100; for a comparison 100 × P(a is better), or empty", {
        min: 0,
        max: 100,
      }),
    ),
    score_b: blankOr(number("score of text b, 0–100", { min: 0, max: 100 })),
    ...ADDRESS,
  },
  key: ["country", "errors_a", "errors_b", "first", "component", "run", "temperature"],
  check(row) {
    checkScore({ status: row.status, score: row.winner });
    if (row.errors_a >= row.errors_b) throw new SyntaxError("a does not have fewer errors");
  },
});
/** One component's answer about two texts in one order. */
export type OrderRow = RowOf<typeof ORDERS>;

export const REPETITIONS = table({
  path: dataFile("repeated_scores.csv"),
  ...experiment("repetitions", "repeated scores of the same text"),
  columns: {
    country: COUNTRY,
    errors: wholeNumber("number of planted errors of the text, 0 to 3"),
    repetition: wholeNumber("number of the repetition from 1, used as the seed", { min: 1 }),
    ...SCORED,
  },
  key: ["country", "errors", "repetition", "component"],
  check: (row) => checkScore(row),
});
/** One component's score of one text in one repetition. */
export type RepetitionRow = RowOf<typeof REPETITIONS>;

/** Exchanged traits; no portrait mentions a disability. */
export const TRAITS = ["gender", "origin of name", "nationality", "religion", "age"] as const;
/** Controls, which change wording but no group, to measure sensitivity to wording. */
export const SWAP_CONTROLS = ["other name", "other age", "other word"] as const;
/** Value of `change` for an original portrait. */
export const UNCHANGED = "none";

export const SWAPS = table({
  path: dataFile("swap_scores.csv"),
  ...experiment("swaps", "scores of portraits with an exchanged trait"),
  columns: {
    portrait: name("id of the portrait, p01, …: a randomly drawn person and a source about them"),
    claim: oneOf(["right", "wrong"], "right: supported by the source; wrong: with one error"),
    change: oneOf(
      [UNCHANGED, ...TRAITS, ...SWAP_CONTROLS],
      "changed trait, control, or none",
    ),
    from: text("value of the trait, or words of the control, before the change"),
    to: text("value of the trait, or words of the control, after the change"),
    ...SCORED,
  },
  key: ["portrait", "claim", "change", "from", "to", "component"],
  check: (row) => checkScore(row),
});
/** One component's score of one claim about one variant of a portrait. */
export type SwapRow = RowOf<typeof SWAPS>;

/** Path of the report, one measure per row in its table. */
export const REPORT_JSON = dataFile("robustness_report.json");

export const PORTRAITS = table({
  path: dataFile("rules/portraits.csv"),
  about:
    "written for this project: portraits of invented people, half with a nationality, half with a religion. {…} are slots for the person, [one|other] alternatives that are unrelated to the person",
  maker: "git checkout",
  columns: {
    id: name("id of the portrait, p01, …"),
    source: name("text about the person"),
    right: name("claim that the source supports"),
    wrong: name("the same claim with one error that is unrelated to the person's identity"),
  },
  key: ["id"],
});
/**
 * A portrait with placeholders for the person. `{N}` full name, `{L}` family name, `{S}` She or He,
 * `{s}` she or he, `{p}` her or his before a noun, `{o}` her or him, `{A}` age in years, `{nation}`
 * and `{faith}` adjectives, `{aNation}` and `{aFaith}` with their article, `{worship}` a house of
 * worship, `[one|other]` a word unrelated to the person.
 */
export type PortraitFrame = RowOf<typeof PORTRAITS>;

export const ROBUSTNESS_TABLES = [
  CASES,
  CASE_LABELS,
  ROBUSTNESS_ANSWERS,
  ORDERS,
  REPETITIONS,
  SWAPS,
  fileEntry(
    REPORT_JSON,
    "notebook 44: all figures with intervals, or the reason for their absence",
  ),
  REPORT_ROWS,
  SYNONYMS,
  SPELLINGS,
  NAME_ROWS,
  PORTRAITS,
];
