import { writeTextAtomic } from "../files/atomic.ts";
import { formatCsv, type ParseRow } from "../files/csv.ts";
import { readWhole } from "../files/whole_table.ts";
import { LINE_LABELS, type Verse, verseId } from "./verses.ts";

const VERSE_COLUMNS = [
  ...["id", "chapter", "verse", "speaker"] as const,
  ...["line_a", "line_b", "line_c"] as const,
  ...["padas", "metre"] as const,
] as const;
type VerseColumn = (typeof VERSE_COLUMNS)[number];

const PADA_MARK = " / ";

/** Writes `verses.csv`, whole or not at all. */
export function writeVerses(path: string, verses: readonly Verse[]): void {
  writeTextAtomic(path, formatCsv(VERSE_COLUMNS, verses.map(verseRow)));
}

function verseRow(verse: Verse): Readonly<Record<VerseColumn, string | number>> {
  const line = (label: string) => verse.lines.find((it) => it.label === label)?.text ?? "";
  const { id, chapter, speaker, metre } = verse;
  const [line_a, line_b, line_c] = [line("a"), line("b"), line("c")];
  const padas = verse.padas.join(PADA_MARK);
  return { id, chapter, verse: verse.verse, speaker, line_a, line_b, line_c, padas, metre };
}

/** Reads a row of `verses.csv`. @throws SyntaxError for an id that is not the place's, or no text. */
const parseVerse: ParseRow<VerseColumn, Verse> = (record) => {
  const [chapter, verse] = [Number(record.chapter), Number(record.verse)];
  if (record.id !== verseId(chapter, verse)) {
    throw new SyntaxError(`"${record.id}" is not verse ${record.chapter}.${record.verse}`);
  }
  if (record.line_a === "" || record.padas === "") throw new SyntaxError("the text is empty");
  const { id, speaker, metre } = record;
  const lines = LINE_LABELS.map((label) => ({ label, text: record[`line_${label}`] }))
    .filter(({ text }) => text !== "");
  return { id, chapter, verse, speaker, lines, padas: record.padas.split(PADA_MARK), metre };
};

/**
 * Verses of a `verses.csv`.
 * @throws SyntaxError when a line is damaged: the file is generated, so make it anew (notebook 21).
 */
export function readVerses(path: string): readonly Verse[] {
  return readWhole(path, VERSE_COLUMNS, parseVerse, "21_sanskrit_acquisition");
}
