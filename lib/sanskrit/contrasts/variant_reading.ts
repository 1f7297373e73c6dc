import type { ParseRow } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import type { ContrastCandidate } from "./candidate.ts";
import { tokenKey } from "../treebank/treebank_file.ts";

/**
 * What a second reader said of a line with one form changed, seen in its verse with the change marked:
 * it is clearly wrong, doubtful, or can be read as Sanskrit in some way.
 */
const RATINGS = ["wrong", "doubtful", "acceptable"] as const;
export type Rating = (typeof RATINGS)[number];

/** One row of `variant_readings.csv`. */
export interface VariantReading {
  /** The token that was changed, as {@link tokenKey} names it: `BG_02_30.b.2`. */
  readonly token: string;
  /** The form that was read in its place. */
  readonly written: string;
  readonly rating: Rating;
}

const READING_COLUMNS = ["token", "written", "rating"] as const;

const parseReading: ParseRow<(typeof READING_COLUMNS)[number], VariantReading> = (record) => {
  const rating = RATINGS.find((name) => name === record.rating);
  if (rating === undefined) throw new SyntaxError(`"${record.rating}" is no rating`);
  if (record.token === "" || record.written === "") throw new SyntaxError("token or form is empty");
  return { token: record.token, written: record.written, rating };
};

/** Looks a candidate's reading up; nothing where nobody has read it. */
export type ReadVariant = (candidate: ContrastCandidate) => Rating | undefined;

/** The readings of a file. @throws {SyntaxError} naming the first damaged line. */
export function readVariantReadings(path: string): readonly VariantReading[] {
  return readWhole(path, READING_COLUMNS, parseReading, "what data/README.md names");
}

/** Of several readings of one variant the most lenient counts. */
export function variantReadings(readings: readonly VariantReading[]): ReadVariant {
  const mostLenient = new Map<string, Rating>();
  for (const { token, written, rating } of readings) {
    const key = JSON.stringify([token, written]);
    const before = mostLenient.get(key);
    if (before === undefined || RATINGS.indexOf(rating) > RATINGS.indexOf(before)) {
      mostLenient.set(key, rating);
    }
  }
  return ({ noun, written }) => mostLenient.get(JSON.stringify([tokenKey(noun), written]));
}
