/** Names of the two sheets. */
export const INPUTS = "inputs";
export const EVAL = "eval";

/** Headings of a sheet, and how wide Excel shows the columns (in characters). */
export interface Column {
  readonly heading: string;
  readonly width: number;
}

/** The columns of `inputs` for N translations, in order. */
export function inputsColumns(n: number): Column[] {
  return [
    { heading: "item_id", width: 8 },
    { heading: "source", width: 50 },
    ...numbered("t", n, 50),
    { heading: "row_input_hash", width: 14 },
  ];
}

/** The columns of `eval` for N translations, in order. */
export function evalColumns(n: number): Column[] {
  return [
    { heading: "item_id", width: 8 },
    { heading: "run_id", width: 14 },
    { heading: "display_map_json", width: 14 },
    ...numbered("bucket_", n, 10),
    ...numbered("da_", n, 7),
    { heading: "comment", width: 40 },
    { heading: "started_at", width: 25 },
    { heading: "committed_at", width: 25 },
    { heading: "edit_count", width: 11 },
    { heading: "active_seconds", width: 14 },
    { heading: "highlight_seconds", width: 17 },
    { heading: "config_sha256", width: 14 },
    { heading: "key_sha256", width: 14 },
    { heading: "row_input_hash", width: 14 },
    { heading: "row_eval_hash", width: 14 },
  ];
}

function numbered(prefix: string, n: number, width: number): Column[] {
  return Array.from({ length: n }, (_, index) => ({ heading: `${prefix}${index + 1}`, width }));
}
