/** What is asked about changed texts and people, and what came of it. */
import { blankOr, fileEntry } from "../../../files/table.ts";
import { flag, name, number, oneOf, type RowOf, table, text, whole } from "../../../files/table.ts";
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

/** What a part of the study writes. */
const experiment = (part: string, about: string) => ({
  about: `\`deno task study robustness\` --only ${part}: ${about}`,
  maker: `deno task study robustness --only ${part}`,
});
const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const COUNTRY = name("held out: nothing was trained on it");
/** `scored`, or why there is no score. */
const STATUS = oneOf(["scored", ...UNSCORED_REASONS], "scored, or why there is none");
/** Columns of an answer's address. */
const ADDRESS = {
  asked_sha256: text("address of the texts that were asked about"),
  settings_sha256: text("address of all else that could change the row"),
};

const SCORED = {
  component: name("verifier, judge or ensemble"),
  status: STATUS,
  score: blankOr(number("0–100; empty where there is none", { min: 0, max: 100 })),
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
    id: name("of the original, and the kind"),
    base: name("id of the original claim"),
    country: COUNTRY,
    kind: oneOf(VARIANT_KINDS, "what is changed"),
    role: text("perturbation (no longer borne out) or control (still true)"),
    seen_in_training: text("whether the verifier met the kind in its training: yes or no"),
    original: name("the claim as the source has it"),
    changed: name("the claim with the change"),
    from: text("what stood there"),
    to: text("what stands there now"),
    source_id: name("passage of the knowledge base that the original rests on"),
    drawn: flag("True where language models are asked about it, too"),
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
/** A true claim and what one change made of it; several share an original. */
export type RobustnessCase = RowOf<typeof CASES>;

export const CASE_LABELS = table({
  path: dataFile("robustness_labels.csv"),
  about: "written by a language-model reader, no person: fifty cases read against their sources",
  licence: FACTBOOK,
  maker: "git checkout",
  columns: {
    id: name("as in `robustness_cases.csv`"),
    kind: oneOf(VARIANT_KINDS, "as there"),
    changed: name("as there, so that a label of another text is noticed"),
    as_intended: flag("True where a perturbed claim is not borne out, a control still true"),
    note: text("what there was to note; empty where nothing"),
  },
  key: ["id"],
});

export const ROBUSTNESS_ANSWERS = answersTable({
  path: dataFile("robustness_answers.csv"),
  ...experiment("perturbations", "every component about originals and variants"),
  licence: FACTBOOK,
  sentences: {
    set: "robustness: against the source; contradictions: a claim and its variant in one text",
    case_id: "as in `robustness_cases.csv`; of an original its base",
    label: "supported, or not supported for a perturbation",
    component: "verifier, baseline or judge",
    status: "scored, or why there is none",
    milliseconds: "of this answer, on a machine that had other work",
  },
});

export const ORDERS = table({
  path: dataFile("pairwise_orders.csv"),
  ...experiment("orders", "texts with 0 to 3 planted errors compared in both orders"),
  columns: {
    country: COUNTRY,
    errors_a: whole("planted errors of text a"),
    errors_b: whole("of text b, which has more", { min: 1 }),
    first: oneOf(["a", "b"], "a or b: which was shown, or scored, first"),
    component: name("who compares, or scores each text"),
    run: whole("0, or the number of a repetition, which is its seed"),
    temperature: number("of the sampling; 0 draws nothing", { min: 0 }),
    status: STATUS,
    winner: oneOf(
      ["first", "second", "tie", ""],
      "first, second or tie, as the component saw them; empty where there is no answer",
    ),
    score_a: blankOr(
      number("0–100 of text a; of who compares 100 × P(a is better), or empty", {
        min: 0,
        max: 100,
      }),
    ),
    score_b: blankOr(number("the same of text b", { min: 0, max: 100 })),
    ...ADDRESS,
  },
  key: ["country", "errors_a", "errors_b", "first", "component", "run", "temperature"],
  check(row) {
    checkScore({ status: row.status, score: row.winner });
    if (row.errors_a >= row.errors_b) throw new SyntaxError("a does not have fewer errors");
  },
});
/** What one component said of two texts in one order. */
export type OrderRow = RowOf<typeof ORDERS>;

export const REPETITIONS = table({
  path: dataFile("repeated_scores.csv"),
  ...experiment("repetitions", "the same text several times"),
  columns: {
    country: COUNTRY,
    errors: whole("planted errors of the text, 0 to 3"),
    repetition: whole("from 1: the seed of whatever is drawn", { min: 1 }),
    ...SCORED,
  },
  key: ["country", "errors", "repetition", "component"],
  check: (row) => checkScore(row),
});
/** One component's score of one text, one of several times. */
export type RepetitionRow = RowOf<typeof REPETITIONS>;

/** Traits that are exchanged; of disability none of the portraits speaks. */
export const TRAITS = ["gender", "origin of name", "nationality", "religion", "age"] as const;
/** What is changed that says nothing of a group: the measure of mere sensitivity to wording. */
export const SWAP_CONTROLS = ["other name", "other age", "other word"] as const;
/** The portrait as it was drawn, before any change. */
export const UNCHANGED = "none";

export const SWAPS = table({
  path: dataFile("swap_scores.csv"),
  ...experiment("swaps", "portraits told of somebody else"),
  columns: {
    portrait: name("p01, …: a person drawn by lot and a source about them"),
    claim: oneOf(["right", "wrong"], "right: borne out by the source; wrong: with an error"),
    change: oneOf(
      [UNCHANGED, ...TRAITS, ...SWAP_CONTROLS],
      "none, the trait that is exchanged, or the control",
    ),
    from: text("the trait's value before, or a control's words"),
    to: text("after"),
    ...SCORED,
  },
  key: ["portrait", "claim", "change", "from", "to", "component"],
  check: (row) => checkScore(row),
});
/** One component's score of one claim about one variant of a portrait. */
export type SwapRow = RowOf<typeof SWAPS>;

/** One measure of the report a row. */
export const REPORT_JSON = dataFile("robustness_report.json");

export const PORTRAITS = table({
  path: dataFile("rules/portraits.csv"),
  about:
    "written for this study: people who do not exist, half with a nationality, half with a religion; " +
    "{…} are places for who it is about, [one|other] a word that says nothing of the person",
  maker: "git checkout",
  columns: {
    id: name("p01, …"),
    source: name("what is said of the person"),
    right: name("borne out by the source"),
    wrong: name("the same with one error that has nothing to do with who the person is"),
  },
  key: ["id"],
});
/**
 * A portrait with places for who it is about. `{N}` full name, `{L}` family name, `{S}` She or He,
 * `{s}` she or he, `{p}` her or his before a noun, `{o}` her or him, `{A}` age in years, `{nation}`
 * and `{faith}` adjectives, with their article `{aNation}` and `{aFaith}`, `{worship}` a house of
 * worship, `[one|other]` a word that says nothing of the person.
 */
export type PortraitFrame = RowOf<typeof PORTRAITS>;

export const ROBUSTNESS_TABLES = [
  CASES,
  CASE_LABELS,
  ROBUSTNESS_ANSWERS,
  ORDERS,
  REPETITIONS,
  SWAPS,
  fileEntry(REPORT_JSON, "notebook 44: every figure with its interval, or a reason"),
  REPORT_ROWS,
  SYNONYMS,
  SPELLINGS,
  NAME_ROWS,
  PORTRAITS,
];
