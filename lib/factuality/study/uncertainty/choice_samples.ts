import { z } from "zod";
import { type CsvAppender, openCsvAppender } from "../../../files/csv_appender.ts";
import { inertText } from "../../../files/inert_text.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { ChoiceQuestion } from "../../uncertainty/choice_question.ts";
import type { ChoiceSample } from "../../uncertainty/sample_choice.ts";

/** A row a sampled thought. Options and their log-probabilities, the right one first. */
export const CHOICE_SAMPLE_COLUMNS = [
  ...["model", "question_id", "cluster", "kind", "question"],
  ...["option_1", "option_2", "option_3", "option_4", "sample", "seed"],
  ...["thought", "thought_tokens", "token_entropy"],
  ...["log_probability_1", "log_probability_2", "log_probability_3", "log_probability_4"],
  ...["milliseconds", "settings_sha256"],
] as const;
type Column = (typeof CHOICE_SAMPLE_COLUMNS)[number];

const LOG_PROBABILITY = z.coerce.number().max(0);
const ROW = z.object({
  ...{ model: z.string().min(1), question_id: z.string().min(1), cluster: z.string().min(1) },
  ...{ kind: z.string().min(1), question: z.string().min(1) },
  ...{ option_1: z.string(), option_2: z.string(), option_3: z.string(), option_4: z.string() },
  /** From 1. */
  sample: z.coerce.number().int().min(1),
  seed: z.string(),
  thought: z.string(),
  thought_tokens: z.coerce.number().int().min(0),
  /** Nats, the mean over the thought; empty where there was none. */
  token_entropy: z.union([z.literal(""), z.coerce.number().min(0)]),
  ...{ log_probability_1: LOG_PROBABILITY, log_probability_2: LOG_PROBABILITY },
  ...{ log_probability_3: LOG_PROBABILITY, log_probability_4: LOG_PROBABILITY },
  milliseconds: z.coerce.number().min(0),
  /** Of the model's settings. */
  settings_sha256: z.string(),
}).transform((row) => ({
  ...row,
  options: [row.option_1, row.option_2, row.option_3, row.option_4],
  logProbabilities: [
    ...[row.log_probability_1, row.log_probability_2],
    ...[row.log_probability_3, row.log_probability_4],
  ],
}));

/** One thought with what followed. */
export type ChoiceSampleRow = Readonly<z.infer<typeof ROW>>;

/** The table of samples, open for more. */
export type ChoiceSampleTable = CsvAppender<Column, ChoiceSampleRow>;

const MAKER = "deno task uncertainty";

/** The table of samples, made where it is missing. */
export function openChoiceSamples(path: string): ChoiceSampleTable {
  return openCsvAppender(path, CHOICE_SAMPLE_COLUMNS, (record) => ROW.parse(record));
}

/** All samples of a finished table. @throws {SyntaxError} naming the first damaged line. */
export function readChoiceSamples(path: string): readonly ChoiceSampleRow[] {
  return readWhole(path, CHOICE_SAMPLE_COLUMNS, (record) => ROW.parse(record), MAKER);
}

/** Who was asked, and how often before. */
export interface Asked {
  readonly model: string;
  readonly settingsSha256: string;
  /** From 1. */
  readonly sample: number;
  readonly seed: string;
  readonly milliseconds: number;
}

/** A sample as a row. */
export function choiceSampleRow(question: ChoiceQuestion, found: ChoiceSample, asked: Asked) {
  const option = (i: number) => inertText(question.options[i]!);
  const logProbability = (i: number) => Number(found.logProbabilities[i]!.toFixed(4));
  return {
    ...{ model: asked.model, question_id: question.id, cluster: question.cluster },
    ...{ kind: question.kind, question: question.question },
    ...{ option_1: option(0), option_2: option(1), option_3: option(2), option_4: option(3) },
    ...{ sample: asked.sample, seed: asked.seed, thought: inertText(found.thought) },
    ...{
      thought_tokens: found.thoughtTokens,
      token_entropy: rounded(found.tokenEntropy),
    },
    ...{ log_probability_1: logProbability(0), log_probability_2: logProbability(1) },
    ...{ log_probability_3: logProbability(2), log_probability_4: logProbability(3) },
    milliseconds: Math.round(asked.milliseconds),
    settings_sha256: asked.settingsSha256,
  } satisfies Readonly<Record<Column, string | number>>;
}

function rounded(value: number | undefined): number | "" {
  return value === undefined ? "" : Number(value.toFixed(4));
}

/** What tells one sample from another: who, what with which options, and the seed. */
export function sampleKey(
  model: string,
  settingsSha256: string,
  { question, options }: Pick<ChoiceQuestion, "question" | "options">,
  seed: string,
): string {
  return JSON.stringify([model, settingsSha256, question, options, seed]);
}
