import type { StructuredModel } from "../../models/structured_model.ts";
import type { Provenance } from "../verdicts/verdict.ts";
import { ANSWER_FORMATS } from "./answer_schema.ts";
import { askInJson } from "./ask_in_json.ts";
import type { Judge, Judgement, MeasuredAccuracy } from "./judgement.ts";
import { locatePhrase } from "./locate_phrase.ts";
import { fillTemplate } from "./prompt_template.ts";
import type { PromptTemplates } from "./prompts.ts";
import { readJudgement, type ReadScore } from "./read_judgement.ts";

/** How a judge is asked and trusted. */
export interface JudgeOptions {
  /** Weight in a weighted average, finite and ≥ 0. */
  readonly weight: number;
  readonly measured: MeasuredAccuracy | undefined;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
}

export interface GeneratingJudgeOptions extends JudgeOptions {
  /** Ends a request; what had been written by then is kept. */
  readonly timeoutSeconds: number;
}

function scored(
  { score, reasoning, flagged, parse }: ReadScore,
  judgedText: string,
  provenance: Provenance,
): Judgement {
  const located = flagged.map((item) => ({
    ...item,
    span: locatePhrase(judgedText, item.phrase),
  }));
  return { kind: "scored", score, reasoning, flagged: located, parse, provenance };
}

/**
 * A judge that writes its reasons and then a score: the score is what it wrote, on its own scale.
 * Nothing that it writes is ever turned into a score of 0.
 *
 * @throws {RangeError} on use, for a template that is not there, is not asked for a score, or has a
 * placeholder without value.
 */
export function generatingJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { weight, measured, modelSha256, timeoutSeconds }: GeneratingJudgeOptions,
): Judge {
  const { name, concurrency } = model;
  return {
    name,
    settings: { ...model.settings, readout: "generation", timeoutSeconds },
    weight,
    measured,
    concurrency,
    async judge({ template: wanted, values, judgedText }, { signal } = {}) {
      const template = prompts.template(wanted);
      if (template.answer !== "score") {
        throw new RangeError(
          `Cannot judge by the prompt ${wanted}: its answer is ${template.answer}, not a score`,
        );
      }
      const { schema } = ANSWER_FORMATS.score;
      const provenance = { producedBy: name, modelSha256, promptSha256: template.sha256 };
      const prompt = fillTemplate(template, values);
      const question = { prompt, schema, provenance, timeoutSeconds, signal, read: readJudgement };
      const answer = await askInJson(model, question);
      return answer.kind === "read" ? scored(answer, judgedText, provenance) : answer;
    },
  };
}
