/** The measures of the file, by the heading of their column. */
export const MEASURES = ["esa1", "esa2", "da_sqm", "mqm"] as const;

/** One of them. */
export type Measure = (typeof MEASURES)[number];

/** One translation with what was measured of it. */
export interface ScoredTranslation {
  readonly segment: string;
  readonly document: string;
  readonly system: string;
  readonly source: string;
  readonly translation: string;
  /** ESA and DA+SQM in points 0 … 100, MQM in penalty points of nought or less. */
  readonly scores: Readonly<Record<Measure, number>>;
}

const COLUMNS = ["seg", "doc", "system", "source", "translation", ...MEASURES] as const;

/**
 * Reads tab-separated scores, fields as they stand: the file's quotation marks are text.
 *
 * Throws SyntaxError that names the file and the line for a missing column, a line with another
 * number of fields, or a score that is no number.
 */
export function parseScores(text: string, file: string): readonly ScoredTranslation[] {
  const [heading = "", ...lines] = text.split(/\r?\n/).filter((line) => line !== "");
  const names = heading.split("\t");
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: it has no column ${missing.join(", ")}.`);
  }
  return lines.map((line, index) => {
    const fields = line.split("\t");
    const place = `${file}, line ${index + 2}`;
    if (fields.length !== names.length) {
      throw new SyntaxError(
        `Cannot read ${place}: it has ${fields.length} fields, the heading ${names.length}.`,
      );
    }
    return scored((column) => fields[names.indexOf(column)]!, place);
  });
}

function scored(
  field: (column: (typeof COLUMNS)[number]) => string,
  place: string,
): ScoredTranslation {
  const score = (measure: Measure): [Measure, number] => {
    const value = field(measure).trim() === "" ? NaN : Number(field(measure));
    if (Number.isFinite(value)) return [measure, value];
    throw new SyntaxError(`Cannot read ${place}: ${measure} is "${field(measure)}", no number.`);
  };
  return {
    segment: field("seg"),
    document: field("doc"),
    system: field("system"),
    source: field("source"),
    translation: field("translation"),
    scores: Object.fromEntries(MEASURES.map(score)) as Record<Measure, number>,
  };
}
