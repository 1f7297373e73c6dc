import { z } from "zod";
import { sha256Hex } from "../../../files/checksum.ts";
import { readTable, resumeTable, type TableShape } from "../../../files/resumable_table.ts";
import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import type { ClassifiedResponse } from "../../metrics/classified_response.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";

const ROW = z.object({
  question_id: z.string().min(1),
  claim: z.string().min(1),
  /** Other claims about the same query that it entails: their texts, as JSON. */
  entails: z.string(),
  /** Of all claims about the query: with another claim the row is made anew. */
  claims_sha256: z.string(),
  /** Of what told it. */
  settings_sha256: z.string(),
});

/** Which claims one claim entails. */
export type ClaimMatchRow = Readonly<z.infer<typeof ROW>>;

/** Where matches are kept: telling them takes half a minute, which nobody should wait for twice. */
export const CLAIM_MATCH_TABLE: TableShape<ClaimMatchRow> = {
  path: FACTUALITY_PATHS.responseClaims.replace(/[^/\\]+$/, "claim_matches.csv"),
  columns: Object.keys(ROW.shape) as (keyof ClaimMatchRow)[],
  parseRow: (record) => ROW.parse(record),
  maker: "notebook 43",
};

/** What is to be matched, and with what. */
export interface ClaimMatching {
  readonly responses: readonly ClassifiedResponse[];
  /** Of the matcher, known without loading it. */
  readonly settingsSha256: string;
  /** Asked for only where something is missing. */
  readonly open: () => Promise<ClaimMatcher>;
  readonly signal?: AbortSignal;
  /** Told of each query that had to be matched, and how many there are. */
  readonly onQuery?: (done: number, missing: number) => void;
}

/**
 * Completes the table: queries whose claims are there, told with the same settings, cost nothing.
 * Throws the signal's reason when it aborts; what was matched is kept.
 */
export async function matchClaims(
  { responses, settingsSha256, open, signal, onQuery }: ClaimMatching,
  shape: TableShape<ClaimMatchRow> = CLAIM_MATCH_TABLE,
): Promise<void> {
  const queries = new Map(
    [...Map.groupBy(responses, ({ query }) => query)].map(([query, own]) => [query, textsOf(own)]),
  );
  const isCurrent = (row: ClaimMatchRow) =>
    row.settings_sha256 === settingsSha256 &&
    row.claims_sha256 === sha256Hex(JSON.stringify(queries.get(row.question_id) ?? []));
  using table = resumeTable(shape, isCurrent);
  const known = new Set(table.rows.map(keyOf));
  const missing = [...queries].filter(([question_id, texts]) =>
    texts.some((claim) => !known.has(keyOf({ question_id, claim })))
  );
  if (missing.length === 0) return;
  const matcher = await open();
  for (const [index, [question_id, texts]] of missing.entries()) {
    const entails = await matcher.entailments(texts, signal ? { signal } : {});
    for (const claim of texts.filter((claim) => !known.has(keyOf({ question_id, claim })))) {
      const entailed = texts.filter((other) => other !== claim && entails(claim, other));
      table.append({
        ...{ question_id, claim, entails: JSON.stringify(entailed) },
        ...{ claims_sha256: sha256Hex(JSON.stringify(texts)), settings_sha256: settingsSha256 },
      });
    }
    onQuery?.(index + 1, missing.length);
  }
}

/** Distinct, in code-unit order: what the answers' order may not change. */
function textsOf(responses: readonly ClassifiedResponse[]): readonly string[] {
  return [...new Set(responses.flatMap(({ claims }) => claims.map(({ text }) => text)))].sort();
}

const keyOf = ({ question_id, claim }: Pick<ClaimMatchRow, "question_id" | "claim">) =>
  JSON.stringify([question_id, claim]);

/** Matches from the table. Throws as `readTable` does. */
export function readClaimMatches(
  shape: TableShape<ClaimMatchRow> = CLAIM_MATCH_TABLE,
): ClaimMatcher {
  const rows = readTable(shape);
  const found = new Map(
    rows.map(({ claim, entails }) => [claim, new Set(JSON.parse(entails) as string[])]),
  );
  return {
    name: "kept matches",
    settings: { sha256: [...new Set(rows.map((row) => row.settings_sha256))].join("; ") },
    entailments(claims) {
      const lost = claims.find((claim) => !found.has(claim));
      if (lost === undefined) {
        return Promise.resolve((premise, claim) => found.get(premise)?.has(claim) ?? false);
      }
      return Promise.reject(
        new RangeError(
          `Cannot match "${lost}": it is not in ${shape.path}; run ${shape.maker} again.`,
        ),
      );
    },
  };
}
