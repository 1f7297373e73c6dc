import { configHash } from "../hashes.ts";
import type { RunConfig } from "../run_config.ts";
import { EVAL } from "./columns.ts";
import type { Problem } from "./read_result.ts";
import type { Table } from "./table.ts";

/** What every row of `eval` repeats. */
export interface RunIdentity {
  readonly runId: string;
  readonly configSha256: string;
  readonly keySha256: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SHA256 = /^[0-9a-f]{64}$/;

/** Whether the text is a UUID in its usual form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * The run that the workbook belongs to. Columns that are empty in every row are filled in: such a
 * workbook has not been opened yet.
 */
export function runIdentity(
  table: Table,
  config: RunConfig,
  freshRunId: string,
  problems: Problem[],
): RunIdentity {
  const runId = sharedValue(table, "run_id", problems);
  const configSha256 = sharedValue(table, "config_sha256", problems);
  const keySha256 = sharedValue(table, "key_sha256", problems);
  const refuse = (column: string, message: string) =>
    problems.push({ sheet: EVAL, row: undefined, column, message });
  if (runId !== undefined && !isUuid(runId)) refuse("run_id", `The run_id ${runId} is no UUID.`);
  if (keySha256 !== undefined && !SHA256.test(keySha256)) {
    refuse("key_sha256", "The key_sha256 is no SHA-256 in hexadecimal.");
  }
  return {
    runId: runId ?? freshRunId,
    configSha256: configSha256 ?? configHash(config),
    keySha256: keySha256 ?? "",
  };
}

/** What a column has in every row; undefined where it is empty in all. */
function sharedValue(table: Table, column: string, problems: Problem[]): string | undefined {
  const first = table.rows[0]?.cells.get(column);
  const odd = table.rows.find(({ cells }) => cells.get(column) !== first);
  if (odd !== undefined) {
    problems.push({
      sheet: EVAL,
      row: odd.number,
      column,
      message: `The ${column} is not the one in row ${table.rows[0]!.number}; all rows must agree.`,
    });
  }
  return first === undefined ? undefined : String(first);
}
