import { z } from "zod";
import { type CsvAppender, openCsvAppender } from "../../lib/files/csv_appender.ts";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { caseSha256 } from "../../lib/factuality/study/evaluation/component_answers.ts";
import type { VerdictProbabilities } from "../../lib/factuality/verdicts/verdict.ts";

const COLUMNS = [
  ...["model_sha256", "set", "case_id", "case_sha256"] as const,
  ...["supported", "refuted", "not_enough_info", "processor_milliseconds"] as const,
] as const;

const SHARE = z.union([z.literal(""), z.coerce.number().min(0).max(1)]);

const ROW = z.object({
  model_sha256: z.string(),
  set: z.string(),
  case_id: z.string(),
  case_sha256: z.string(),
  /** Calibrated probabilities; empty for a claim that could not be read. */
  supported: SHARE,
  refuted: SHARE,
  not_enough_info: SHARE,
  processor_milliseconds: z.coerce.number(),
});

type AnswerRow = Readonly<z.infer<typeof ROW>>;
export type AnswerTable = CsvAppender<(typeof COLUMNS)[number], AnswerRow>;

/** What a network said of a case. */
export interface NetworkAnswer {
  /** Undefined for a claim that could not be read. */
  readonly probabilities: VerdictProbabilities | undefined;
  /** Of this process on all its threads. */
  readonly processorMilliseconds: number;
}

/** The answers that there are, open for more. */
export function openAnswerTable(path: string): AnswerTable {
  return openCsvAppender(path, COLUMNS, (record) => ROW.parse(record));
}

/** A case of a set as it is now, by a network. */
export function answerKey(modelSha256: string, one: LabelledCase): string {
  return JSON.stringify([modelSha256, one.set, one.id, caseSha256(one)]);
}

/** The answer as a row. */
export function answerRow(
  modelSha256: string,
  one: LabelledCase,
  { probabilities, processorMilliseconds }: NetworkAnswer,
): AnswerRow {
  const share = (value: number | undefined) => value ?? "";
  return {
    model_sha256: modelSha256,
    ...{ set: one.set, case_id: one.id, case_sha256: caseSha256(one) },
    supported: share(probabilities?.supported),
    refuted: share(probabilities?.refuted),
    not_enough_info: share(probabilities?.["not enough info"]),
    processor_milliseconds: processorMilliseconds,
  };
}

/** The answers by {@link answerKey}. */
export function answersByKey(rows: readonly AnswerRow[]): ReadonlyMap<string, NetworkAnswer> {
  return new Map(rows.map((row) => {
    const { supported, refuted, not_enough_info: missing } = row;
    const probabilities = supported === "" || refuted === "" || missing === ""
      ? undefined
      : { supported, refuted, "not enough info": missing };
    const key = JSON.stringify([row.model_sha256, row.set, row.case_id, row.case_sha256]);
    return [key, { probabilities, processorMilliseconds: row.processor_milliseconds }];
  }));
}
