/** Word lists of the rules, and the columns of a report. */
import { decimalOrBlank, name, oneOf, table, text, wholeNumber } from "../../../files/table.ts";
import { dataFile } from "../../paths.ts";

export const REPORT_ROWS = table({
  path: dataFile("robustness_report.csv"),
  about: "notebook 44: the same, one figure per row",
  maker: "notebook 44",
  columns: {
    section: text(
      "experiment: perturbations, contradictions, natural, orders, repetitions or swaps",
    ),
    component: text("component measured"),
    group: text("kind of change, trait, or all"),
    measure: text("name of the measure, with its unit"),
    n: wholeNumber("number of cases, texts or portraits behind the figure"),
    estimate: decimalOrBlank("value of the estimate; empty if there is none"),
    low: decimalOrBlank(
      "lower end of the 95 % interval, clustered by country, passage or portrait",
    ),
    high: decimalOrBlank("upper end of the 95 % interval"),
    unavailable: text("reason for a missing estimate"),
  },
});

export const SYNONYMS = table({
  path: dataFile("rules/synonyms.csv"),
  about: "written by hand: synonyms chosen from WordNet's words with one meaning",
  maker: "git checkout",
  columns: {
    word: name("word with one meaning in WordNet"),
    synonym: name("synonym that can replace it in any sentence"),
  },
});

export const SPELLINGS = table({
  path: dataFile("rules/spellings.csv"),
  about: "written by hand: American and British spellings for the control `spelling`",
  maker: "git checkout",
  columns: { american: name("American spelling"), british: name("British spelling") },
});

export const NAME_ROWS = table({
  path: dataFile("rules/names.csv"),
  about: "written by hand: names that can replace each other in a sentence",
  maker: "git checkout",
  columns: {
    kind: oneOf(
      ["place", "organisation", "town"],
      "place, organisation, or town (for users' texts)",
    ),
    row: wholeNumber(
      "number of the row; names of one row are of one kind, all with an article or all without",
    ),
    name: name("name as it occurs in texts"),
  },
});
