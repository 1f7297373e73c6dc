import type { CsvAppender } from "../../files/csv_appender.ts";
import type { SamplingModel } from "../../models/sampling_model.ts";
import type { Passage } from "../retrieval/passage.ts";
import { settingsSha256 } from "../study/evaluation/compared_component.ts";
import { responseRow } from "./model_response.ts";
import type { CountryQuestion } from "./questions.ts";
import type { ResponseRow } from "./response_tables.ts";
import {
  OPEN_BOOK_PASSAGES,
  promptSha256,
  type RespondingSystem,
  RESPONSE_SAMPLING,
} from "./systems.ts";

export type SystemSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * Whatever could change a system's answers.
 *
 * @param retrieval What the lookup for open book tells of itself.
 */
export function systemSettings(
  system: RespondingSystem,
  model: Pick<SamplingModel, "settings">,
  retrieval: SystemSettings,
): SystemSettings {
  const asked = {
    ...{ ...model.settings, ...RESPONSE_SAMPLING, promptSha256: promptSha256(system) },
    ...{ stop: JSON.stringify(system.stop), openBook: system.openBook },
  };
  return system.openBook ? { ...asked, ...retrieval, shown: OPEN_BOOK_PASSAGES } : asked;
}

/** How asking goes on. */
export interface AskSystemOptions {
  readonly settings: SystemSettings;
  /** What open book is shown. */
  readonly passagesFor: (question: string) => Promise<readonly Passage[]>;
  readonly signal: AbortSignal;
  /** Told after each answer that is on disk. */
  readonly onAnswer: () => void;
}

/** The questions that the table has no answer of the system to. */
export function unansweredBy(
  { name }: Pick<RespondingSystem, "name">,
  questions: readonly CountryQuestion[],
  rows: readonly ResponseRow[],
): readonly CountryQuestion[] {
  const answered = new Set(
    rows.filter(({ system }) => system === name).map(({ question_id }) => question_id),
  );
  return questions.filter(({ id }) => !answered.has(id));
}

/**
 * Asks a system what the table lacks, each answer on disk as it comes; an abort ends it, and the
 * answer under way is not kept.
 *
 * @returns whether all is answered by now. @throws {Error} where the model cannot answer.
 */
export async function askSystem(
  system: RespondingSystem,
  model: SamplingModel,
  questions: readonly CountryQuestion[],
  table: Pick<CsvAppender<keyof ResponseRow, ResponseRow>, "rows" | "append">,
  { settings, passagesFor, signal, onAnswer }: AskSystemOptions,
): Promise<boolean> {
  const sha256 = settingsSha256(settings);
  for (const question of unansweredBy(system, questions, table.rows)) {
    if (signal.aborted) return false;
    const passages = system.openBook ? await passagesFor(question.question) : [];
    const prompt = system.prompt(question, passages);
    const { stop } = system;
    const reply = await model.sample(prompt, { ...RESPONSE_SAMPLING, stop, signal });
    if (signal.aborted) return false;
    if (reply.kind === "failure") throw new Error(`${system.name}: ${reply.message}`);
    table.append(responseRow(system, question.id, reply, sha256));
    onAnswer();
  }
  return true;
}
