import { z } from "zod";
import { readCsv } from "../../../files/csv.ts";

/** Columns of `retrieval_thresholds.csv`, which `deno task bench thresholds` writes. */
export const THRESHOLD_COLUMNS = [
  "claims",
  "minimum_share",
  "minimum_cosine",
  "present",
  "absent",
] as const;

/** What a pair of thresholds does. */
export interface ThresholdEffect {
  /** Claims of each kind. */
  readonly claims: number;
  /** Least share of the claim's weight that a passage's words hold, 0–1. */
  readonly minimumShare: number;
  /** Least cosine of claim and passage, −1 to 1. */
  readonly minimumCosine: number;
  /** Share of claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of claims about countries taken out of it that are given one all the same. */
  readonly absent: number;
}

const NUMBER = z.string().regex(/^-?\d+(\.\d+)?$/u).transform(Number);
const ROW = z.object({
  claims: NUMBER,
  minimum_share: NUMBER,
  minimum_cosine: NUMBER,
  present: NUMBER,
  absent: NUMBER,
});

/**
 * The thresholds as the bench measured them, in its order.
 * @throws {SyntaxError} for a damaged file, naming its line.
 */
export function readThresholds(path: string): readonly ThresholdEffect[] {
  const { rows, damaged } = readCsv(path, THRESHOLD_COLUMNS, (record): ThresholdEffect => {
    const { claims, minimum_share, minimum_cosine, present, absent } = ROW.parse(record);
    return { claims, minimumShare: minimum_share, minimumCosine: minimum_cosine, present, absent };
  });
  const [first] = damaged;
  if (first === undefined) return rows;
  throw new SyntaxError(
    `Cannot read ${path}: line ${first.line} is none of it (${first.reason}). ` +
      "Make it anew: deno task bench thresholds",
  );
}
