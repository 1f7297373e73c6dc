import { markdownTable } from "../../figures/markdown_table.ts";
import { percentWithInterval, type StatisticLookup } from "../../pairs/statistic_lookup.ts";
import { CASES, NUMBERS } from "../cell.ts";
import { type Evidence, figure } from "./evidence.ts";
import { FEWEST_PAIRS, FORM_CLASSES } from "./figure_rows.ts";
import { type Judge, judgesOf, oneJudgeEach } from "./judge.ts";

type Names = Readonly<Record<string, string>>;

const named = (prefix: string): Names =>
  Object.fromEntries(CASES.map((name) => [`${prefix}_${name}`, name]));

const NUMBER_NAMES: Names = Object.fromEntries(
  NUMBERS.flatMap((from) =>
    NUMBERS.flatMap((to) => from === to ? [] : [[`number_${from}_${to}`, `${from} → ${to}`]])
  ),
);

const RELATION_NAMES: Names = {
  relation_agreement: "an agreeing word",
  relation_apposition: "a noun in apposition",
  relation_predicate: "subject or predicate beside it",
  relation_subject: "its verb",
  relation_object: "the verb it is the object of",
  relation_governed: "a governing word",
  relation_coordinated: "a coordinated noun",
  relation_absolute: "the absolute construction",
  relation_adnominal: "the noun it depends on",
};

const METRE_NAMES: Names = {
  metre_kept: "as many syllables as before",
  metre_changed: "another number of syllables",
};

const LISTED_NAMES: Names = {
  vocative_excluded: "no vocative has the variant's form",
  vocative_homonym: "the vocative of a thing has it",
  balanced: "length, form frequency and metre give no help",
  blind_wrong: "a blind reader called the variant clearly wrong",
  blind_doubtful: "a blind reader had a doubt",
};

/** Accuracy by correct and substituted case, by number, by frequency, by what fixes the cell. */
export function cellSection(evidence: Evidence, found: StatisticLookup): string {
  const judges = oneJudgeEach(judgesOf(evidence));
  const table = (heading: string, names: Names) => partTable(heading, names, judges, found);
  return [
    "### By case, number and stem",
    "",
    "In per cent with 95 % intervals by stem; n is the number of pairs, and of answers where the " +
    "column is one of choice (`data/sanskrit/statistics.csv`). By likelihood where a model gives " +
    "one. Contrasts of case, by the case that the line wants and by the one put there:",
    "",
    table("correct case", named("from")),
    "",
    table("case put in its place", named("to")),
    "",
    figure("confusion", "Accuracy by correct case and the case put in its place, model by model"),
    "",
    `A combination of fewer than ${FEWEST_PAIRS} pairs is hatched in the figure. Contrasts of ` +
    "number:",
    "",
    table("number", NUMBER_NAMES),
    "",
    "All pairs, by how often the attested form stands in the text outside the verses that share a " +
    "line with the pair's, by the word that fixes the cell, and by whether the variant keeps the " +
    "metre:",
    "",
    table("the form stands elsewhere", FORM_CLASSES),
    "",
    figure("form_frequency", "Accuracy by how often the attested form stands elsewhere"),
    "",
    table("the cell is fixed by", RELATION_NAMES),
    "",
    table("the variant's line has", METRE_NAMES),
    "",
    "And by whether the variant could be a vocative, on the largest set of pairs on which rules of " +
    "length, frequency and metre are each exactly at chance, and by what a blind reader thought of the " +
    "variant:",
    "",
    table("pairs where", LISTED_NAMES),
  ].join("\n");
}

/** Parts of the pairs as rows, judges as columns; a part that no pair belongs to has no row. */
function partTable(
  heading: string,
  names: Names,
  judges: readonly Judge[],
  found: StatisticLookup,
): string {
  const rows = Object.entries(names).flatMap(([part, name]) => {
    const cells = judges.map(({ model, measure }) => {
      const drawn = found.measure(model, measure, part);
      if (drawn.kind === "unavailable") return undefined;
      return { text: percentWithInterval(drawn), n: found.row(model, measure, part).n };
    });
    const counts = [...new Set(cells.flatMap((cell) => cell?.n ?? []))];
    return counts.length === 0 ? [] : [[name, counts.join(", "), ...cells.map((c) => c?.text)]];
  });
  return markdownTable([heading, "n", ...judges.map(({ label }) => label)], rows);
}
