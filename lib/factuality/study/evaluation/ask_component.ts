import type { LabelledCase } from "../../cases/labelled_case.ts";
import { type AnswerRow, answerRow, type AnswerTable, caseSha256 } from "./component_answers.ts";
import { type ComparedComponent, settingsSha256 } from "./compared_component.ts";

/** How asking goes on. */
export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Told after each answer that is on disk. */
  readonly onAnswer?: () => void;
}

/** The cases that have no answer of the component as it is now. */
export function unanswered(
  { name, settings }: Pick<ComparedComponent, "name" | "settings">,
  cases: readonly LabelledCase[],
  rows: readonly AnswerRow[],
): readonly LabelledCase[] {
  const now = settingsSha256(settings);
  const answered = new Set(
    rows.filter((row) => row.component === name && row.settings_sha256 === now)
      .map(({ set, case_id, case_sha256 }) => JSON.stringify([set, case_id, case_sha256])),
  );
  return cases.filter((one) => !answered.has(JSON.stringify([one.set, one.id, caseSha256(one)])));
}

/**
 * Asks a component about every case that the table has no answer for, each on disk as it comes; an
 * abort ends it between two cases, or within one, of which then nothing is kept.
 *
 * @returns whether all are answered by now.
 */
export async function askComponent(
  component: ComparedComponent,
  cases: readonly LabelledCase[],
  table: AnswerTable,
  { signal, onAnswer = () => {} }: AskOptions = {},
): Promise<boolean> {
  for (const one of unanswered(component, cases, table.rows)) {
    if (signal?.aborted) return false;
    try {
      table.append(answerRow(component, one, await component.answer(one, signal)));
    } catch (error) {
      if (signal?.aborted) return false;
      throw error;
    }
    onAnswer();
  }
  return true;
}
