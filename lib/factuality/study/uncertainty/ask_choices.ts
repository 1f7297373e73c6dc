import type { SamplingModel } from "../../../models/sampling_model.ts";
import type { ChoiceQuestion } from "../../uncertainty/choice_question.ts";
import { sampleChoice, THOUGHT } from "../../uncertainty/sample_choice.ts";
import { settingsSha256 } from "../evaluation/compared_component.ts";
import { choiceSampleRow, type ChoiceSampleTable, sampleKey } from "./choice_samples.ts";

/** What is asked, and how it goes on. */
export interface AskChoices {
  readonly questions: readonly ChoiceQuestion[];
  /** Thoughts a question. */
  readonly samples: number;
  readonly signal?: AbortSignal;
  /** Told after each sample that is on disk. */
  readonly onSample?: () => void;
}

/** One thought that is still to be drawn. */
interface Due {
  readonly question: ChoiceQuestion;
  readonly sample: number;
  readonly seed: string;
}

/** The samples of the model that the table lacks, question by question. */
export function missingSamples(
  model: Pick<SamplingModel, "name" | "settings">,
  { questions, samples }: Pick<AskChoices, "questions" | "samples">,
  table: Pick<ChoiceSampleTable, "rows">,
): readonly Due[] {
  const settings = choiceSettingsSha256(model);
  const done = new Set(
    table.rows.map((row) => sampleKey(row.model, row.settings_sha256, row, row.seed)),
  );
  return questions.flatMap((question) =>
    Array.from({ length: samples }, (_, i): Due => ({
      ...{ question, sample: i + 1 },
      seed: `${question.id} ${i + 1}`,
    })).filter(({ seed }) => !done.has(sampleKey(model.name, settings, question, seed)))
  );
}

/** Of the model's settings and of how thoughts are drawn. */
export function choiceSettingsSha256({ settings }: Pick<SamplingModel, "settings">): string {
  return settingsSha256({ ...settings, ...THOUGHT }).slice(0, 16);
}

/** What became of the asking. */
export interface AskedChoices {
  /** Whether nothing is left to ask; false after an abort. */
  readonly finished: boolean;
  /** Why samples have no row: told, and drawn again by a further run. */
  readonly failures: readonly string[];
}

/**
 * Draws every sample that the table lacks, each on disk as it comes. An abort ends it between two, or
 * within one, of which then nothing is kept.
 */
export async function askChoices(
  model: SamplingModel,
  table: ChoiceSampleTable,
  { signal, onSample = () => {}, ...what }: AskChoices,
): Promise<AskedChoices> {
  const failures: string[] = [];
  for (const { question, sample, seed } of missingSamples(model, what, table)) {
    if (signal?.aborted) return { finished: false, failures };
    const begun = performance.now();
    const found = await sampleChoice(model, question, { seed, signal }).catch((error) => {
      if (signal?.aborted) return undefined;
      throw error;
    });
    if (found === undefined) return { finished: false, failures };
    if (found.kind === "failure") {
      failures.push(`${question.id}, sample ${sample}: ${found.message}`);
    } else {
      const milliseconds = performance.now() - begun;
      const asked = {
        model: model.name,
        settingsSha256: choiceSettingsSha256(model),
        sample,
        seed,
      };
      table.append(choiceSampleRow(question, found, { ...asked, milliseconds }));
    }
    onSample();
  }
  return { finished: true, failures };
}
