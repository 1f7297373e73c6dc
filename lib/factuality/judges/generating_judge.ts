import { ModelUnavailable } from "../../models/model.ts";
import type { JsonSchema, StructuredModel, StructuredReply } from "../../models/model.ts";
import type { Judge, MeasuredAccuracy, Provenance, Unscored, UnscoredReason } from "../types.ts";
import { ANSWER_FORMATS, fillTemplate } from "./prompts.ts";
import type { PromptTemplate, PromptTemplates } from "./prompts.ts";
import { locatePhrase, readJudgement } from "./read_answer.ts";
import type { Ended, JsonAnswer, MalformedAnswer } from "./read_answer.ts";

/** How a judge is asked and trusted. */
export interface JudgeOptions {
  /** Weight in a weighted average, finite and ≥ 0. */
  readonly weight: number;
  readonly measured: MeasuredAccuracy | undefined;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
}

/**
 * A judge that writes its reasons and then a score, on its own scale; nothing else is turned into one.
 * `timeoutSeconds` ends a request; what had been written by then is kept.
 * @throws {RangeError} on use, for a template that is missing, not for a score, or lacks a value.
 */
export function generatingJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  options: JudgeOptions & { readonly timeoutSeconds: number },
): Judge {
  const { weight, measured, modelSha256, timeoutSeconds } = options;
  return {
    name: model.name,
    settings: { ...model.settings, readout: "generation", timeoutSeconds },
    weight,
    measured,
    concurrency: model.concurrency,
    async judge({ template: wanted, values, judgedText }, { signal } = {}) {
      const template = prompts.template(wanted);
      if (template.answer !== "score") {
        const why = `its answer is ${template.answer}, not a score`;
        throw new RangeError(`Cannot judge by the prompt ${wanted}: ${why}`);
      }
      const question = { template, values, modelSha256, timeoutSeconds, signal };
      const answer = await askInJson(model, question, readJudgement);
      if (answer.kind === "unscored") return answer;
      const flagged = answer.flagged.map((item) => ({
        ...item,
        span: locatePhrase(judgedText, item.phrase),
      }));
      return { ...answer, kind: "scored", flagged };
    },
  };
}

/** One question whose answer is a JSON object. */
interface JsonQuestion {
  /** Of an answer that is written. */
  readonly template: PromptTemplate;
  readonly values: Readonly<Record<string, string>>;
  /** Of the file as it was published; where left out, what the model's settings say. */
  readonly modelSha256?: string | undefined;
  /** Ends the request; what was written by then is read. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a model, and reads its answer leniently. A time-out, a refusal, a failure and an answer that
 * cannot be read are unscored, with what had come back; what was whole when time ran out counts as
 * partial. @throws the signal's reason when it aborts.
 */
export async function askInJson<Read extends Pick<JsonAnswer, "kind" | "parse">>(
  model: StructuredModel,
  question: JsonQuestion,
  read: (text: string, ended: Ended, prompt: string) => Read | MalformedAnswer,
): Promise<Read & { readonly provenance: Provenance } | Unscored> {
  const { template, values, timeoutSeconds, signal } = question;
  const { schema } = ANSWER_FORMATS[template.answer as keyof typeof ANSWER_FORMATS];
  const { fileSha256 } = model.settings;
  const ofSettings = typeof fileSha256 === "string" ? fileSha256 : undefined;
  const provenance: Provenance = {
    producedBy: model.name,
    modelSha256: "modelSha256" in question ? question.modelSha256 : ofSettings,
    promptSha256: template.sha256,
  };
  const unscored = (reason: UnscoredReason, message: string, partialText?: string): Unscored => (
    { kind: "unscored", reason, message, partialText, provenance }
  );
  const prompt = fillTemplate(template, values);
  const { reply, timedOut } = await askWithin(model, prompt, schema, timeoutSeconds, signal);
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model refused to answer.", reply.text);
  }
  if (timedOut) {
    const text = reply.kind === "failure" ? reply.partialText : reply.text;
    const found = read(text ?? "", "stopped", prompt);
    if (found.kind === "read") return { ...found, parse: "partial", provenance };
    return unscored("time-out", `No whole answer within ${timeoutSeconds} s.`, text);
  }
  if (reply.kind === "failure") return unscored("failure", reply.message, reply.partialText);
  const found = read(reply.text, reply.ended, prompt);
  if (found.kind === "read") return { ...found, provenance };
  return unscored("malformed answer", found.message, reply.text);
}

/** A model whose answers must come in time; what it had written by then is kept. */
export function timeLimitedModel(model: StructuredModel, timeoutSeconds: number): StructuredModel {
  const { name, concurrency, settings } = model;
  return {
    name,
    concurrency,
    settings: { ...settings, timeoutSeconds },
    async ask(prompt, { schema, signal } = {}) {
      const { reply, timedOut } = await askWithin(model, prompt, schema, timeoutSeconds, signal);
      if (!timedOut || reply.kind === "refusal") return reply;
      const partialText = reply.kind === "failure" ? reply.partialText : reply.text;
      const message = `no whole answer within ${timeoutSeconds} s`;
      return { kind: "failure", message, partialText };
    },
  };
}

/**
 * What came back, and whether time ran out first; a model that cannot be had is a failure like others.
 * @throws the signal's reason when it aborts.
 */
async function askWithin(
  model: StructuredModel,
  prompt: string,
  schema: JsonSchema | undefined,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly reply: StructuredReply; readonly timedOut: boolean }> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(new Error(`no whole answer within ${timeoutSeconds} s`));
  const timer = setTimeout(stop, timeoutSeconds * 1000);
  try {
    const either = AbortSignal.any(signal ? [limit.signal, signal] : [limit.signal]);
    const reply = await model.ask(prompt, { schema, signal: either });
    signal?.throwIfAborted();
    return { reply, timedOut: limit.signal.aborted };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ModelUnavailable)) throw error;
    const reply = { kind: "failure", message: error.message, partialText: undefined } as const;
    return { reply, timedOut: limit.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}
