import { existsSync } from "node:fs";
import { readTable, resumeTable } from "../../lib/files/resumable_table.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import {
  classifiedResponses,
  classifierSettings,
  classifyResponse,
  type ResponseClassifier,
  responseKey,
} from "../../lib/factuality/responses/classify_response.ts";
import {
  CLAIM_TABLE,
  QUESTION_TABLE,
  RESPONSE_TABLE,
  type ResponseRow,
} from "../../lib/factuality/responses/response_tables.ts";
import { settingsSha256 } from "../../lib/factuality/study/evaluation/compared_component.ts";
import type { StepOptions } from "./ask_systems.ts";
import { openChecking } from "./open_checking.ts";

/** The country of each question. */
export function countriesByQuestion(): (questionId: string) => string {
  const countries = new Map(readTable(QUESTION_TABLE).map(({ id, country }) => [id, country]));
  return (questionId) => {
    const country = countries.get(questionId);
    if (country !== undefined) return country;
    throw new RangeError(
      `Cannot read ${RESPONSE_TABLE.path}: question ${questionId} is not in ` +
        `${QUESTION_TABLE.path}; run deno task respond --only responses`,
    );
  };
}

async function doneAlready(
  responses: readonly ResponseRow[],
  countryOf: (questionId: string) => string,
  sha256: string,
  { splitter }: ResponseClassifier,
): Promise<ReadonlySet<string>> {
  if (!existsSync(CLAIM_TABLE.path)) return new Set();
  using table = resumeTable(CLAIM_TABLE, (row) => row.settings_sha256 === sha256);
  return await classifiedResponses(responses, table.rows, countryOf, splitter);
}

/**
 * Takes every response apart and checks what it claims.
 *
 * @returns whether all are checked by now.
 */
export async function classifyClaims({ threads, signal }: StepOptions): Promise<boolean> {
  const responses = readTable(RESPONSE_TABLE);
  const countryOf = countriesByQuestion();
  await using checking = await openChecking(threads);
  const sha256 = settingsSha256(classifierSettings(checking));
  const done = await doneAlready(responses, countryOf, sha256, checking);
  using table = resumeTable(CLAIM_TABLE, (row) => done.has(responseKey(row)));
  using progress = openProgress("claims", responses.length, { resumed: done.size });
  for (const response of responses.filter((one) => !done.has(responseKey(one)))) {
    if (signal.aborted) return false;
    const country = countryOf(response.question_id);
    const options = { settingsSha256: sha256, signal };
    try {
      const rows = await classifyResponse(response, country, checking, options);
      for (const row of rows) table.append(row);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    progress.advance();
  }
  return true;
}
