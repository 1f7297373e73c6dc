import { z } from "zod";
import { parseCsv } from "../../files/csv.ts";
import { SEVERITIES, type Severity } from "./flag.ts";

/** Words that are held against a text wherever they stand, and where they are not. */
export interface LexiconEntry {
  /** Spellings and inflections, in small letters unless a capital is meant. */
  readonly terms: readonly string[];
  /** Whom they concern: gender, ethnicity, disability, age, … */
  readonly group: string;
  readonly severity: Severity;
  /** One clause for the reader, with what is usual instead. */
  readonly reason: string;
  /** Words that show another meaning where they stand in the same sentence. */
  readonly exceptions: readonly string[];
}

/** The word list. */
export interface Lexicon {
  readonly entries: readonly LexiconEntry[];
}

/** Alternatives within `term` and `exceptions` are separated by `|`. */
const LEXICON_COLUMNS = ["term", "group", "severity", "reason", "exceptions"] as const;

const WORDS = z.string().regex(/\S/, "is blank");
const ROW = z.strictObject({
  term: WORDS,
  group: WORDS,
  severity: z.enum(SEVERITIES as [Severity, ...Severity[]]),
  reason: WORDS,
  exceptions: z.string(),
});

const alternatives = (field: string) =>
  field.split("|").map((word) => word.trim()).filter((word) => word !== "");

function entryOf(record: Readonly<Record<string, string>>): LexiconEntry {
  const result = ROW.safeParse(record);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new SyntaxError(`${issue!.path.join(".")}: ${issue!.message}`);
  }
  const { term, exceptions, ...entry } = result.data;
  return { ...entry, terms: alternatives(term), exceptions: alternatives(exceptions) };
}

/**
 * The word list from its CSV file (`data/factuality/bias_lexicon.csv`, or the user's own).
 *
 * @throws {SyntaxError} naming the file, and the first line that is no entry or repeats a term.
 */
export function parseLexicon(text: string, file: string): Lexicon {
  const { rows: entries, damaged } = parseCsv(text, LEXICON_COLUMNS, entryOf, file);
  const [first] = damaged;
  if (first !== undefined) {
    throw new SyntaxError(`Cannot read ${file}: line ${first.line}: ${first.reason}`);
  }
  const terms = entries.flatMap((entry) => entry.terms.map((term) => term.toLowerCase()));
  const twice = terms.find((term, at) => terms.indexOf(term) !== at);
  if (twice !== undefined) throw new SyntaxError(`Cannot read ${file}: "${twice}" stands twice`);
  return { entries };
}
