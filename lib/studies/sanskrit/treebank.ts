import { z } from "zod";
import {
  blankOr,
  field,
  name,
  oneOf,
  type RowOf,
  table,
  text,
  wholeNumber,
} from "../../files/table.ts";
import { DECLENSIONS, type ParadigmCell, parseCell } from "./paradigms.ts";
import {
  DECLENSION_CLASSES,
  type DeclensionClass,
  type Gender,
  type Relation,
  RELATIONS,
} from "./rules.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { LINE_LABELS, type LineLabel } from "./verses.ts";

/** Location of a line: `BG_02_30` and `b`. */
export interface LineReference {
  readonly verse: string;
  readonly label: LineLabel;
}

/** A word that fixes a noun's cell, with the readings of its form. */
export interface FixingWord {
  readonly relation: Relation;
  readonly line: LineReference;
  /** 1-based position among the tokens of its line. Other words may share the token. */
  readonly token: number;
  /** The word alone, as pausal form in IAST. */
  readonly word: string;
  /**
   * Possible readings of its form; empty for an indeclinable.
   * They are cells with gender for a nominal (`nom.pl.n`), person and number for a finite verb
   * (`3.pl`), the case for a governing word (`ins`).
   */
  readonly readings: readonly string[];
}

/** A noun form of the text as a reader parsed it. Together these forms are the study's treebank. */
export interface AnnotatedNoun {
  readonly line: LineReference;
  readonly token: number;
  readonly form: string;
  /** Stem in IAST, with a hyphen before a compound's last member. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly gender: Gender;
  /** Cell according to the syntax. */
  readonly cell: ParadigmCell;
  /** Fixing words, strongest first. The list is empty if nothing in the sentence fixes the cell. */
  readonly fixedBy: readonly FixingWord[];
  /** True if the reader doubted stem, cell or relation. Such a noun is in no pair. */
  readonly isDoubtful: boolean;
}

const POSITION = { min: 1, max: 99 };
const verseOf = (sentence: string) =>
  field(z.string().regex(/^BG_\d\d_\d\d$/, "no verse"), sentence);

export const TREEBANK = table({
  path: SANSKRIT_PATHS.treebank,
  about:
    "language models instructed as Sanskritists, 22 November 2026: parses of nouns free of sandhi, one row for each word that fixes a noun's cell",
  licence: OURS,
  maker: "what data/README.md names",
  columns: {
    verse: verseOf("id of the verse in `verses.csv`"),
    line: oneOf(LINE_LABELS, "label of the line: a, b or c"),
    token: wholeNumber("position of the word in the line, from 1", POSITION),
    form: name("form as written"),
    stem: name("stem in IAST, with a hyphen before the last member of a compound"),
    declension: oneOf(DECLENSION_CLASSES, "declension class of lib/studies/sanskrit/paradigms"),
    cell: name("case and number, for example `gen.sg`"),
    relation: oneOf(
      ["none", ...RELATIONS],
      "relation of the noun to the fixing word; none if no word fixes the cell",
    ),
    head_verse: blankOr(verseOf("id of the verse of the fixing word")),
    head_line: blankOr(oneOf(LINE_LABELS, "label of the line of the fixing word")),
    head_token: blankOr(wholeNumber("position of the fixing word in its line, from 1", POSITION)),
    head_word: text("fixing word in IAST, in pausa"),
    head_readings: text("possible readings of the fixing word's form, separated by spaces"),
    doubtful: oneOf(
      ["", "yes"],
      "yes where the reader was in doubt; such a noun is in no pair",
    ),
  },
  check({ cell, relation, head_verse, head_line, head_token, head_word }) {
    parseCell(cell);
    if (relation !== "none" && [head_verse, head_line, head_token, head_word].includes("")) {
      throw new SyntaxError("a relation without its head");
    }
  },
});

/** Reads the nouns of `treebank.csv` with their fixing words. @throws {SyntaxError} for damage. */
export function readTreebank(path: string = TREEBANK.path): readonly AnnotatedNoun[] {
  const rows = TREEBANK.at(path).read();
  const byNoun = Map.groupBy(rows, ({ verse, line, token }) => `${verse}.${line}.${token}`);
  // A row's data on the noun itself; a doubt may concern one relation only.
  const sayingOf = ({ form, stem, declension, cell }: TreebankRow) =>
    [form, stem, declension, cell].join(" ");
  return [...byNoun].map(([key, nounRows]) => {
    const { verse, line: label, token, form, stem, declension, cell } = nounRows[0]!;
    if (new Set(nounRows.map(sayingOf)).size > 1) {
      throw new SyntaxError(`Cannot read ${path}: its rows say different things of ${key}.`);
    }
    return {
      ...{ line: { verse, label }, token, form, stem, declension },
      gender: DECLENSIONS[declension].gender,
      cell: parseCell(cell),
      isDoubtful: nounRows.some(({ doubtful }) => doubtful === "yes"),
      fixedBy: nounRows.flatMap(fixingWord),
    };
  });
}

type TreebankRow = RowOf<typeof TREEBANK>;

function fixingWord(row: TreebankRow): FixingWord | [] {
  const { relation, head_verse: verse, head_line: label, head_token: token } = row;
  if (relation === "none" || label === "" || token === "") return [];
  const readings = row.head_readings.split(" ").filter((word) => word !== "");
  return { relation, line: { verse, label }, token, word: row.head_word, readings };
}

/** Returns a token's key: `BG_02_30.b.2`. */
export function tokenKey({ line, token }: Pick<AnnotatedNoun, "line" | "token">): string {
  return `${line.verse}.${line.label}.${token}`;
}
