import { readTable, resumeTable } from "../../lib/files/resumable_table.ts";
import { openProgress, openStatusLine } from "../../lib/files/status_line.ts";
import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { CountryLookup } from "../../lib/factuality/responses/country_lookup.ts";
import { claimKey, drawClaims } from "../../lib/factuality/responses/draw_claims.ts";
import {
  type ClaimRater,
  judgeRater,
  ratingRow,
  verifierRater,
} from "../../lib/factuality/responses/rate_claim.ts";
import {
  CLAIM_TABLE,
  RATING_TABLE,
  type RatingRow,
  type ResponseClaimRow,
} from "../../lib/factuality/responses/response_tables.ts";
import { settingsSha256 } from "../../lib/factuality/study/evaluation/compared_component.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import { overlapVerifier } from "../../lib/factuality/verifiers/overlap_verifier.ts";
import { readBaselineSettings } from "../../lib/factuality/verifiers/weights_files.ts";
import { claimPrompts } from "../compare/claim_prompts.ts";
import type { StepOptions } from "./ask_systems.ts";
import { openChecking } from "./open_checking.ts";

/** The claims to rate, and what they are checked against. */
interface Rating extends StepOptions {
  readonly claims: readonly ResponseClaimRow[];
  readonly lookup: CountryLookup;
}

/** Rows of one rater that are as they would be now: of the same claims, with the same settings. */
function isCurrent(name: string, sha256: string, claims: readonly ResponseClaimRow[]) {
  const texts = new Map(claims.map((row) => [claimKey(row), row.claim]));
  return (row: RatingRow) =>
    row.rater !== name || row.settings_sha256 === sha256 && texts.get(claimKey(row)) === row.claim;
}

async function rateAll(
  { name, settings, rate }: ClaimRater,
  { claims, lookup, signal }: Rating,
): Promise<boolean> {
  const sha256 = settingsSha256({ ...settings, ...lookup.claimSettings });
  using table = resumeTable(RATING_TABLE, isCurrent(name, sha256, claims));
  const rated = new Set(table.rows.filter(({ rater }) => rater === name).map(claimKey));
  using progress = openProgress(name, claims.length, { resumed: rated.size });
  for (const row of claims.filter((one) => !rated.has(claimKey(one)))) {
    if (signal.aborted) return false;
    try {
      const passages = await lookup.forClaim(row.claim, row.country, signal);
      const score = await rate(row.claim, passages, signal);
      table.append(ratingRow(row, name, score, sha256));
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    progress.advance();
  }
  return true;
}

/** The trained verifier has said already what it makes of them. */
function copyVerdicts(name: string, claims: readonly ResponseClaimRow[]): void {
  const sha256 = claims[0]?.settings_sha256 ?? "";
  using table = resumeTable(RATING_TABLE, isCurrent(name, sha256, claims));
  const rated = new Set(table.rows.filter(({ rater }) => rater === name).map(claimKey));
  for (const row of claims.filter((one) => !rated.has(claimKey(one)))) {
    table.append(ratingRow(row, name, row.p_supported, sha256));
  }
}

/**
 * Has a draw of the claims rated by both verifiers and by the judges of evaluation.yaml, all of them
 * shown the same passages.
 *
 * @returns whether all are rated by now.
 */
export async function rateClaims(count: number, options: StepOptions): Promise<boolean> {
  const claims = drawClaims(readTable(CLAIM_TABLE), count, KNOWLEDGE_SEED);
  await using checking = await openChecking(options.threads);
  const rating = { ...options, claims, lookup: checking.lookup };
  copyVerdicts(checking.verifier.name, claims);
  const overlap = verifierRater(overlapVerifier(readBaselineSettings().overlap));
  if (!await rateAll(overlap, rating)) return false;
  using status = openStatusLine();
  await using opened = await openComponents(FACTUALITY_PATHS.configuration, {
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads: options.threads },
    onProgress: ({ component, words }) => status.show(`${component}: ${words}`),
  });
  const prompts = claimPrompts(opened.prompts);
  for (const judge of opened.judges) {
    if (!await rateAll(judgeRater(judge, prompts), rating)) return false;
  }
  return true;
}
