import { z } from "zod";
import { readWhole } from "../../../files/whole_table.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";

/** Columns of `retrieval_thresholds.csv`, which `deno task bench thresholds` writes. */
export const THRESHOLD_COLUMNS = [
  "claims",
  "minimum_share",
  "minimum_cosine",
  "present",
  "present_own",
  "wrong",
  "wrong_own",
  "absent",
] as const;

/** What a pair of thresholds does; every share is 0–1. */
export interface ThresholdEffect {
  /** Claims of each of the three kinds. */
  readonly claims: number;
  /** Least share of the claim's weight that a passage's words hold. */
  readonly minimumShare: number;
  /** Least cosine of claim and passage, −1 to 1; less is enough for a title that the claim names. */
  readonly minimumCosine: number;
  /** Share of true claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of them that are given the passage they were made from. */
  readonly presentOwn: number;
  /** Share of the same claims with another country's value that are given a passage. */
  readonly wrong: number;
  /** Share of them that are given the passage that refutes them. */
  readonly wrongOwn: number;
  /** Share of claims about countries taken out of the base that are given one all the same. */
  readonly absent: number;
}

const SHARE = z.string().regex(/^(0|1|0\.\d+)$/u).transform(Number);
const ROW = z.object({
  claims: z.string().regex(/^\d+$/u).transform(Number),
  minimum_share: SHARE,
  minimum_cosine: z.string().regex(/^(-1|0\.\d+)$/u).transform(Number),
  present: SHARE,
  present_own: SHARE,
  wrong: SHARE,
  wrong_own: SHARE,
  absent: SHARE,
}).transform((row): ThresholdEffect => ({
  claims: row.claims,
  minimumShare: row.minimum_share,
  minimumCosine: row.minimum_cosine,
  present: row.present,
  presentOwn: row.present_own,
  wrong: row.wrong,
  wrongOwn: row.wrong_own,
  absent: row.absent,
}));

/**
 * The thresholds as the bench measured them, in its order.
 * @throws {SyntaxError} for a damaged file, naming its line.
 */
export function readThresholds(path: string): readonly ThresholdEffect[] {
  const maker = "deno task bench thresholds";
  return readWhole(path, THRESHOLD_COLUMNS, (record) => ROW.parse(record), maker);
}

/** The effects of re-ranking's thresholds, under one least share of words. */
export function thresholdTable(
  effects: readonly ThresholdEffect[],
  minimumShare: number,
): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  return markdownTable(
    ["cosine at least", "true: a passage (%)", "its own (%)", "false: a passage (%)"]
      .concat(["its own (%)", "country not there: a passage (%)"]),
    effects.filter((one) => one.minimumShare === minimumShare).map((one) => [
      one.minimumCosine < 0 ? "(any)" : one.minimumCosine,
      ...[one.present, one.presentOwn, one.wrong, one.wrongOwn, one.absent].map(percent),
    ]),
  );
}
