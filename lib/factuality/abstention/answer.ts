import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { type CsvAppender, openCsvAppender } from "../../files/csv_appender.ts";
import { readWhole } from "../../files/whole_table.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { INSTRUCTIONS } from "./instructions.ts";

/**
 * What a reader decides of an answer. It abstains where its main message is that the speaker cannot
 * or will not answer, does not know the thing, or that there is no such thing, whatever it adds about
 * other things. It answers where it says anything of the thing as if there were one, however hedged
 * or wrong: also what "the fictional city in the game …" is, what another thing is that it takes for
 * it, the question's own words again, and what comes before an admission of limits.
 */
export const ABSTENTION_LABELS = ["abstains", "answers"] as const;
export type AbstentionLabel = typeof ABSTENTION_LABELS[number];

const COLUMNS = [
  ...["model", "instruction", "temperature", "seed", "query_id"] as const,
  ...["model_sha256", "prompt_sha256", "answer", "tokens", "ended"] as const,
  ...["label", "probability"] as const,
];
type Column = typeof COLUMNS[number];

const ROW = z.object({
  model: z.string().min(1),
  instruction: z.enum(INSTRUCTIONS),
  temperature: z.coerce.number().min(0),
  seed: z.coerce.number(),
  query_id: z.string().min(1),
  model_sha256: z.string(),
  prompt_sha256: z.string(),
  /** On one line; empty where the model said nothing. */
  answer: z.string(),
  tokens: z.coerce.number(),
  ended: z.enum(["complete", "length"]),
  /** By hand; empty where nobody has read it. */
  label: z.union([z.literal(""), z.enum(ABSTENTION_LABELS)]),
  /** That it abstains, by the classifier; empty where it was not asked. */
  probability: z.union([z.literal(""), z.coerce.number().min(0).max(1)]),
});

/** One model's answer to one query. */
export type AbstentionAnswer = Readonly<z.infer<typeof ROW>>;

const parseRow = (record: Readonly<Record<Column, string>>) => ROW.parse(record);

/** The table of answers, open for more. */
export function openAnswers(path: string): CsvAppender<Column, AbstentionAnswer> {
  return openCsvAppender(path, COLUMNS, parseRow);
}

/** The answers that ship. Throws as `readWhole` does. */
export function readAnswers(
  path: string = FACTUALITY_PATHS.abstentionAnswers,
): readonly AbstentionAnswer[] {
  return readWhole(path, COLUMNS, parseRow, '"deno task abstention"');
}

/** The table of answers. */
export function answersCsv(answers: readonly AbstentionAnswer[]): string {
  return formatCsv(COLUMNS, answers);
}

/** Names an answer: unique among those of one model file and prompt. */
export function answerKey(answer: Omit<AbstentionAnswer, "answer" | "tokens" | "ended">): string {
  const { model, instruction, temperature, seed, query_id } = answer;
  return [model, instruction, temperature, seed, query_id].join("|");
}
