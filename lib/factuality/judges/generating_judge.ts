import type { StructuredModel } from "../../models/structured_model.ts";
import type { Provenance, UnscoredReason } from "../verdicts/verdict.ts";
import { ANSWER_FORMATS } from "./answer_schema.ts";
import { askWithin, type TimedReply } from "./ask_within.ts";
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

function unscored(
  reason: UnscoredReason,
  message: string,
  partialText: string | undefined,
  provenance: Provenance,
): Judgement {
  return { kind: "unscored", reason, message, partialText, provenance };
}

function scored(read: ReadScore, judgedText: string, provenance: Provenance): Judgement {
  const flagged = read.flagged.map((item) => ({
    ...item,
    span: locatePhrase(judgedText, item.phrase),
  }));
  return { ...read, kind: "scored", flagged, provenance };
}

/** What an answer is read with. */
interface Asked {
  readonly prompt: string;
  readonly judgedText: string;
  readonly provenance: Provenance;
}

/** Time ran out: a score that was already whole counts, marked as partial. */
function afterTimeOut(
  { reply }: TimedReply,
  seconds: number,
  { prompt, judgedText, provenance }: Asked,
): Judgement {
  const text = reply.kind === "failure" ? reply.partialText : reply.text;
  const read = readJudgement(text ?? "", "stopped", prompt);
  if (read.kind === "read") return scored({ ...read, parse: "partial" }, judgedText, provenance);
  return unscored("time-out", `No whole answer within ${seconds} s.`, text, provenance);
}

function judgementOf({ reply }: TimedReply, asked: Asked): Judgement {
  const { prompt, judgedText, provenance } = asked;
  if (reply.kind === "failure") {
    return unscored("failure", reply.message, reply.partialText, provenance);
  }
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model refused to answer.", reply.text, provenance);
  }
  const read = readJudgement(reply.text, reply.ended, prompt);
  if (read.kind === "read") return scored(read, judgedText, provenance);
  return unscored("malformed answer", read.message, reply.text, provenance);
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
      const timed = await askWithin(model, prompt, { schema, timeoutSeconds, signal });
      const asked = { prompt, judgedText, provenance };
      return timed.timedOut
        ? afterTimeOut(timed, timeoutSeconds, asked)
        : judgementOf(timed, asked);
    },
  };
}
