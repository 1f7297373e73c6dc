import type { NextWordModel } from "../../models/next_word_model.ts";
import type { Provenance, Unscored } from "../verdicts/verdict.ts";
import type { JudgeOptions } from "./generating_judge.ts";
import type { Judge } from "./judgement.ts";
import { calibrated, type PlattScaling } from "./platt.ts";
import { fillTemplate, type PromptTemplate } from "./prompt_template.ts";
import type { PromptTemplates } from "./prompts.ts";
import { readNextWord } from "./read_next_word.ts";

export interface NextTokenJudgeOptions extends JudgeOptions {
  /**
   * Of P(yes) / (P(yes) + P(no)); without one that ratio is the score. Fitted on one prompt, as a
   * rule that about a claim, it is taken for the forms of all others too.
   */
  readonly calibration: PlattScaling | undefined;
  /** Names of `next word` prompts to use for templates, in place of the file's own choice. */
  readonly forms?: Readonly<Record<string, string>>;
}

/** What of a calibration stands beside results. */
export function calibrationSettings(calibration: PlattScaling | undefined): Judge["settings"] {
  if (calibration === undefined) return { calibrated: false };
  const { slope, intercept } = calibration;
  return { calibrated: true, slope, intercept };
}

/** The prompt whose next word is read; undefined where the template has no such form. */
function formOf(
  prompts: PromptTemplates,
  wanted: string,
  forms: NextTokenJudgeOptions["forms"],
): PromptTemplate | undefined {
  const template = prompts.template(wanted);
  const name = forms?.[wanted] ??
    (template.answer === "next word" ? wanted : template.nextWordForm);
  return name === undefined ? undefined : prompts.template(name);
}

function withoutForm(prompt: string, provenance: Provenance): Unscored {
  const message = `The prompt ${prompt} has no next_word_form, and ${provenance.producedBy} ` +
    "answers by the next word only.";
  return { kind: "unscored", reason: "failure", message, partialText: undefined, provenance };
}

/**
 * A judge that is not let write: its score is 100 × the calibrated probability of "true" (or "Yes") as
 * the next word against "false" (or "No"). It flags no phrases, and its reasoning is what the
 * probabilities were, the rest that went to other words included. Criteria whose template names no
 * `next_word_form` it leaves unscored.
 */
export function nextTokenJudge(
  model: NextWordModel,
  prompts: PromptTemplates,
  { weight, measured, modelSha256, calibration, forms }: NextTokenJudgeOptions,
): Judge {
  const { name, concurrency } = model;
  return {
    name,
    settings: { ...model.settings, ...calibrationSettings(calibration) },
    weight,
    measured,
    concurrency,
    async judge({ template: wanted, values }, { signal } = {}) {
      const template = formOf(prompts, wanted, forms);
      const promptSha256 = template?.sha256;
      const provenance: Provenance = { producedBy: name, modelSha256, promptSha256 };
      if (template?.nextWords === undefined) {
        return withoutForm(wanted, provenance);
      }
      const prompt = fillTemplate(template, values);
      const reply = await model.nextWord(prompt, template.nextWords, signal ? { signal } : {});
      const read = readNextWord(reply, template);
      if (read.kind === "unscored") return { ...read, provenance };
      const score = 100 * calibrated(read.yes, calibration);
      return {
        ...{ kind: "scored", score, reasoning: read.words, flagged: [] },
        ...{ parse: "not parsed", provenance },
      };
    },
  };
}
