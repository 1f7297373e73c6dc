import { z } from "zod";
import { type CsvAppender, openCsvAppender } from "../../files/csv_appender.ts";
import { readWhole } from "../../files/whole_table.ts";
import { SCORE_STATUSES } from "./panel/panel_scores.ts";
import { SWAP_CONTROLS, SWAPPED_TRAITS } from "./swap_portraits.ts";

export const SWAP_COLUMNS = [
  ...["portrait", "claim", "change", "from", "to", "component", "status", "score"] as const,
  "settings_sha256" as const,
];
export type SwapColumn = typeof SWAP_COLUMNS[number];

/** The portrait as it was drawn, before any change. */
export const UNCHANGED = "none";

const ROW = z.object({
  portrait: z.string().min(1),
  /** Whether the claim is the one that the source bears out, or the one with an error. */
  claim: z.enum(["right", "wrong"]),
  change: z.enum([UNCHANGED, ...SWAPPED_TRAITS, ...SWAP_CONTROLS]),
  /** The trait's values, or a control's words; empty for the portrait as it was drawn. */
  from: z.string(),
  to: z.string(),
  component: z.string().min(1),
  status: z.enum(SCORE_STATUSES),
  /** 0–100; empty where there is none. */
  score: z.union([z.literal(""), z.coerce.number().min(0).max(100)]),
  settings_sha256: z.string(),
}).refine((row) => (row.status === "scored") === (row.score !== ""), {
  message: "status and score contradict one another",
});

/** One component's score of one claim about one variant of a portrait. */
export type SwapRow = Readonly<z.infer<typeof ROW>>;

export type SwapTable = CsvAppender<SwapColumn, SwapRow>;

export const parseSwapRow = (record: unknown): SwapRow => ROW.parse(record);

/** The table, made where it is missing. */
export function openSwapRows(path: string): SwapTable {
  return openCsvAppender(path, SWAP_COLUMNS, parseSwapRow);
}

/** All rows. @throws {SyntaxError} naming the first damaged line. */
export function readSwapRows(path: string): readonly SwapRow[] {
  return readWhole(path, SWAP_COLUMNS, parseSwapRow, "deno task robustness --only swaps");
}
