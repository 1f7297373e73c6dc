import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatCsv } from "../../lib/files/csv.ts";
import { writeJsonAtomic } from "../../lib/files/json_file.ts";
import { resumeTable } from "../../lib/files/resumable_table.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  askSystem,
  type SystemSettings,
  systemSettings,
  unansweredBy,
} from "../../lib/factuality/responses/ask_system.ts";
import {
  type CountryLookup,
  openCountryLookup,
} from "../../lib/factuality/responses/country_lookup.ts";
import type { CountryQuestion } from "../../lib/factuality/responses/questions.ts";
import { QUESTION_TABLE, RESPONSE_TABLE } from "../../lib/factuality/responses/response_tables.ts";
import {
  RESPONDING_SYSTEMS,
  type RespondingSystem,
} from "../../lib/factuality/responses/systems.ts";
import { settingsSha256 } from "../../lib/factuality/study/evaluation/compared_component.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../lib/models/local_sampling.ts";
import type { SamplingModel } from "../../lib/models/sampling_model.ts";

/** Longest prompt with its reply: notes of five passages and of two examples. */
const CONTEXT_TOKENS = 2048;

/** What a step of the task works with. */
export interface StepOptions {
  readonly threads: number;
  readonly signal: AbortSignal;
}

async function askOne(
  system: RespondingSystem,
  model: SamplingModel,
  questions: readonly CountryQuestion[],
  lookup: CountryLookup,
  signal: AbortSignal,
): Promise<SystemSettings | undefined> {
  const settings = systemSettings(system, model, lookup.settings);
  const sha256 = settingsSha256(settings);
  const isAsked = new Set(questions.map(({ id }) => id));
  using table = resumeTable(
    RESPONSE_TABLE,
    (row) =>
      row.system !== system.name || row.settings_sha256 === sha256 && isAsked.has(row.question_id),
  );
  const left = unansweredBy(system, questions, table.rows).length;
  using progress = openProgress(system.name, questions.length, {
    resumed: questions.length - left,
  });
  const done = await askSystem(system, model, questions, table, {
    ...{ settings, signal, onAnswer: () => progress.advance() },
    passagesFor: (question) => lookup.forQuestion(question, signal),
  });
  return done ? settings : undefined;
}

/**
 * Asks the four systems, one model after the other in memory, and writes down how they were asked.
 *
 * @returns whether all is answered by now.
 */
export async function askSystems(
  questions: readonly CountryQuestion[],
  { threads, signal }: StepOptions,
): Promise<boolean> {
  const cacheDirectory = FACTUALITY_PATHS.cache;
  writeTextAtomic(QUESTION_TABLE.path, formatCsv(QUESTION_TABLE.columns, questions));
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const settings: Record<string, SystemSettings> = {};
  for (const name of LOCAL_SAMPLING_NAMES) {
    await using model = await openLocalSampling(name, {
      ...{ cacheDirectory, threads, contextTokens: CONTEXT_TOKENS },
    });
    for (const system of RESPONDING_SYSTEMS.filter((one) => one.model === name)) {
      const used = await askOne(system, model, questions, lookup, signal);
      if (used === undefined) return false;
      settings[system.name] = used;
    }
  }
  writeJsonAtomic(RESPONSE_TABLE.path.replace(/\.csv$/, ".json"), settings);
  return true;
}
