import { z } from "zod";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { readWhole } from "../../../files/whole_table.ts";

/** Columns of `claim_coverage.csv`, which `deno task coverage` writes: aggregates only. */
export const COVERAGE_COLUMNS = [
  "splitter",
  "model",
  "responses",
  "sentences",
  "claims",
  "not_checkable",
  "facts",
  "facts_covered",
  "facts_covered_low",
  "facts_covered_high",
  "claims_covered",
  "claims_covered_low",
  "claims_covered_high",
] as const;

const COUNT = z.string().regex(/^\d+$/u).transform(Number);
const SHARE = z.string().regex(/^\d(\.\d+)?$/u).transform(Number);
const ROW = z.object({
  splitter: z.string(),
  /** Whose responses; `all` for the three together. */
  model: z.string(),
  responses: COUNT,
  sentences: COUNT,
  claims: COUNT,
  not_checkable: COUNT,
  facts: COUNT,
  /** Shares with 95 % intervals by response. */
  facts_covered: SHARE,
  facts_covered_low: SHARE,
  facts_covered_high: SHARE,
  claims_covered: SHARE,
  claims_covered_low: SHARE,
  claims_covered_high: SHARE,
});

/** A splitter's claims against people's facts, over the responses of one model or of all. */
export type CoverageRow = z.infer<typeof ROW>;

/** @throws {SyntaxError} for a damaged file, naming its line. */
export function readCoverage(path: string): readonly CoverageRow[] {
  return readWhole(path, COVERAGE_COLUMNS, (record) => ROW.parse(record), "deno task coverage");
}

/** A row a splitter and model. */
export function coverageTable(rows: readonly CoverageRow[]): string {
  return markdownTable(
    ["taken apart by", "responses of", "claims a response", "facts a response", ...COVERED],
    rows.map((row) => [
      row.splitter,
      `${row.model} (n = ${row.responses})`,
      (row.claims / row.responses).toFixed(1),
      (row.facts / row.responses).toFixed(1),
      percent(row.facts_covered, row.facts_covered_low, row.facts_covered_high),
      percent(row.claims_covered, row.claims_covered_low, row.claims_covered_high),
    ]),
  );
}

const COVERED = [
  "facts that a claim has the words of (%)",
  "claims that a fact has the words of (%)",
];

function percent(...shares: readonly [number, number, number]): string {
  const [share, low, high] = shares.map((value) => (100 * value).toFixed(1));
  return `${share} [${low}, ${high}]`;
}
