/** The lists that texts are changed by, and the rows of a report. */
import { decimalOrBlank, name, oneOf, table, text, whole } from "../../../files/table.ts";
import { dataFile } from "../../paths.ts";

export const REPORT_ROWS = table({
  path: dataFile("robustness_report.csv"),
  about: "notebook 44: the same, one figure a row",
  maker: "notebook 44",
  columns: {
    section: text("perturbations, contradictions, orders, repetitions or swaps"),
    component: text("whose figure it is"),
    group: text("kind of change, trait, or all"),
    measure: text("what is measured, with its unit"),
    n: whole("cases, texts or portraits that the figure rests on"),
    estimate: decimalOrBlank("empty where there is none"),
    low: decimalOrBlank("lower end of the 95 % interval, by country or portrait"),
    high: decimalOrBlank("upper end"),
    unavailable: text("why there is no estimate"),
  },
});

export const SYNONYMS = table({
  path: dataFile("rules/synonyms.csv"),
  about:
    "chosen by hand among WordNet's words of one meaning; its others are often rare or stilted",
  maker: "git checkout",
  columns: {
    word: name("a word that has one meaning in WordNet"),
    synonym: name("a word of that meaning which can stand in its place in any sentence"),
  },
});

export const SPELLINGS = table({
  path: dataFile("rules/spellings.csv"),
  about: "written by hand: spellings that change in the control `spelling`, either way",
  maker: "git checkout",
  columns: { american: name("American spelling"), british: name("British spelling") },
});

export const NAME_ROWS = table({
  path: dataFile("rules/names.csv"),
  about: "written by hand: names that can stand in each other's place in a sentence",
  maker: "git checkout",
  columns: {
    kind: oneOf(
      ["place", "organisation", "town"],
      "place, organisation, or town (for texts of the user's)",
    ),
    row: whole("names of one row are of one kind, with an article or without"),
    name: name("as it stands in texts"),
  },
});
