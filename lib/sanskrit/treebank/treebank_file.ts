import type { ParseRow } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { formatCell, parseCell } from "../cell.ts";
import { type DeclensionClass, DECLENSIONS } from "../declension.ts";
import { LINE_LABELS } from "../verses.ts";
import {
  type AnnotatedNoun,
  type FixingWord,
  type LineReference,
  RELATIONS,
} from "./annotated_noun.ts";

const TREEBANK_COLUMNS = [
  "verse",
  "line",
  "token",
  "form",
  "stem",
  "declension",
  "cell",
  "relation",
  "head_verse",
  "head_line",
  "head_token",
  "head_word",
  "head_readings",
  "doubtful",
] as const;
type TreebankColumn = (typeof TREEBANK_COLUMNS)[number];

/** One row of `treebank.csv`: a noun with one of the words that fix its cell, or with none. */
interface TreebankRow {
  readonly noun: Omit<AnnotatedNoun, "fixedBy">;
  readonly fixedBy: FixingWord | undefined;
}

/**
 * The nouns of `treebank.csv`, each with all words that fix its cell, in the order of the file.
 * @throws {SyntaxError} naming the first damaged line, or a token whose rows say different things
 * of it: no notebook makes the file, so mend it there.
 */
export function readTreebank(path: string): readonly AnnotatedNoun[] {
  const rows = readWhole(path, TREEBANK_COLUMNS, parseTreebankRow, "what data/README.md names");
  const byNoun = Map.groupBy(rows, ({ noun }) => tokenKey(noun));
  return [...byNoun].map(([key, own]) => {
    const { noun } = own[0]!;
    if (own.some((row) => sayingOf(row) !== sayingOf(own[0]!))) {
      throw new SyntaxError(`Cannot read ${path}: its rows say different things of ${key}.`);
    }
    return {
      ...noun,
      isDoubtful: own.some((row) => row.noun.isDoubtful),
      fixedBy: own.flatMap(({ fixedBy }) => fixedBy ?? []),
    };
  });
}

/** What a row says of the noun itself; a doubt may be of one relation only. */
function sayingOf({ noun: { form, stem, declension, cell } }: TreebankRow): string {
  return [form, stem, declension, formatCell(cell)].join(" ");
}

/** What names a token of the text: `BG_02_30.b.2`. */
export function tokenKey({ line, token }: Pick<AnnotatedNoun, "line" | "token">): string {
  return `${line.verse}.${line.label}.${token}`;
}

type TreebankRecord = Readonly<Record<TreebankColumn, string>>;

const parseTreebankRow: ParseRow<TreebankColumn, TreebankRow> = (record) => ({
  noun: parseNoun(record),
  fixedBy: record.relation === "none" ? undefined : parseFixingWord(record),
});

function parseNoun(record: TreebankRecord): TreebankRow["noun"] {
  const { form, stem, doubtful } = record;
  const declension = declensionOf(record.declension);
  if (form === "" || stem === "") throw new SyntaxError("form or stem is empty");
  if (!["", "yes"].includes(doubtful)) {
    throw new SyntaxError(`doubtful is "${doubtful}": write yes, or nothing`);
  }
  return {
    line: parseLine(record.verse, record.line),
    token: parsePosition(record.token),
    ...{ form, stem, declension },
    gender: DECLENSIONS[declension].gender,
    cell: parseCell(record.cell),
    isDoubtful: doubtful === "yes",
  };
}

function parseFixingWord(record: TreebankRecord): FixingWord {
  const relation = RELATIONS.find((name) => name === record.relation);
  if (relation === undefined) throw new SyntaxError(`"${record.relation}" is no relation`);
  if (record.head_word === "") throw new SyntaxError("a relation without its head");
  const line = parseLine(record.head_verse, record.head_line);
  const token = parsePosition(record.head_token);
  return { relation, line, token, word: record.head_word, readings: words(record.head_readings) };
}

function declensionOf(text: string): DeclensionClass {
  if (Object.hasOwn(DECLENSIONS, text)) return text as DeclensionClass;
  throw new SyntaxError(`"${text}" is no declension: ${Object.keys(DECLENSIONS).join(", ")}`);
}

function parseLine(verse: string, text: string): LineReference {
  const label = LINE_LABELS.find((known) => known === text);
  if (!/^BG_\d\d_\d\d$/.test(verse) || label === undefined) {
    throw new SyntaxError(`"${verse}" ${text} is no line of the text`);
  }
  return { verse, label };
}

function parsePosition(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new SyntaxError(`"${text}" is no token's position`);
  return Number(text);
}

const words = (text: string) => text.split(" ").filter((word) => word !== "");
