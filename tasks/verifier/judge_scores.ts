import { z } from "zod";
import type { CsvAppender } from "../../lib/files/csv_appender.ts";
import { openCsvAppender } from "../../lib/files/csv_appender.ts";
import { VERDICT_LABELS } from "../../lib/factuality/verdicts/verdict.ts";

const COLUMNS = [
  ...["judge", "readout", "prompt", "prompt_sha256", "model_sha256"] as const,
  ...["case", "country", "claim", "label", "status", "score"] as const,
];
type Column = typeof COLUMNS[number];

const ROW = z.object({
  judge: z.string(),
  readout: z.enum(["generation", "next-token"]),
  prompt: z.string(),
  prompt_sha256: z.string(),
  model_sha256: z.string(),
  case: z.string(),
  country: z.string(),
  claim: z.string(),
  label: z.enum(VERDICT_LABELS),
  /** `scored`, or the reason why not. */
  status: z.string(),
  /** 0–100, not calibrated; empty where unscored. */
  score: z.union([z.literal(""), z.coerce.number().min(0).max(100)]),
});

/** One judge's answer on one claim. */
export type JudgeScore = Readonly<z.infer<typeof ROW>>;

/** The table of answers, open for more. */
export function openJudgeScores(path: string): CsvAppender<Column, JudgeScore> {
  return openCsvAppender(path, COLUMNS, (record) => ROW.parse(record));
}
