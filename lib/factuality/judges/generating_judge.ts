import { mean, sampleVariance } from "simple-statistics";
import { ModelUnavailable } from "../../models/model.ts";
import type {
  JsonSchema,
  NumberMass,
  StructuredModel,
  StructuredReply,
} from "../../models/model.ts";
import { failureReason, type UnreadAnswer, unreadAnswer } from "../decision.ts";
import type { Judge, MeasuredAccuracy, Provenance } from "../types.ts";
import type { SCORINGS, Unscored } from "../types.ts";
import { ANSWER_FORMATS, fillTemplate } from "./prompts.ts";
import type { PromptTemplate, PromptTemplates } from "./prompts.ts";
import { locatePhrase, readJudgement } from "./read_answer.ts";
import type { EndReason, JsonAnswer, MalformedAnswer } from "./read_answer.ts";

/** Options and weight of a judge. */
export interface JudgeOptions {
  /** Weight in a weighted average, finite and ≥ 0. */
  readonly weight: number;
  readonly measured: MeasuredAccuracy | undefined;
  /** SHA-256 of the published file; undefined for a server. */
  readonly modelSha256: string | undefined;
}

interface GeneratingJudgeOptions extends JudgeOptions {
  readonly timeoutSeconds: number;
  /** Scoring of the answer; `written` by default, as in the study's tables. */
  readonly scoring?: typeof SCORINGS[number];
  /** Maximum number of answers to one question; 48 by default. */
  readonly mostDraws?: number;
}

/** Maximum variance of a mean of draws, in points². Half of the bar of 5. */
const MAX_MEAN_VARIANCE = 2.5;
/**
 * Prior variance, as of one more answer ten points away: agreeing draws do not prove a variance of
 * 0. It enforces at least seven draws. In a simulation of normal draws, means then vary by 1.0 to
 * 3.7 points² for standard deviations of 3 to 10; without it, or with four points, by up to 6.7.
 */
const PRIOR_SQUARED_DEVIATION = 100;

/**
 * A judge that writes its reasons and then a score from 0 to 100. `timeoutSeconds` ends a request;
 * text written by then is kept. An `expected` score is Σ p × score over the alternatives, as far as
 * the model reports their probabilities (G-Eval, Liu et al. 2023). Above temperature 0, and for
 * servers without probabilities, it is the mean of several answers. Answers are drawn until the
 * mean varies by less than 5 points² (requirement 10.1); a judge that needs more than `mostDraws`
 * is unscored as unsteady. @throws {RangeError} on use, for a template that is missing, not for a
 * score, or lacks a value.
 */
export function generatingJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  options: GeneratingJudgeOptions,
): Judge {
  const { weight, measured, modelSha256, timeoutSeconds, scoring = "written", mostDraws = 48 } =
    options;
  const isExpected = scoring === "expected";
  return {
    name: model.name,
    settings: {
      ...model.settings,
      readout: "generation",
      timeoutSeconds,
      ...isExpected && { scoring, mostDraws },
    },
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
      const answer = isExpected
        ? await expectedJudgement(model, question, mostDraws)
        : await askInJson(model, question, readJudgement);
      if (answer.kind === "unscored") return answer;
      const flagged = answer.flagged.map((item) => ({
        ...item,
        span: locatePhrase(judgedText, item.phrase),
      }));
      return { ...answer, kind: "scored", flagged };
    },
  };
}

/** Reads the expected score of a written answer, and whether the model reported probabilities. */
function readExpected(
  text: string,
  ended: EndReason,
  prompt: string,
  numbers: NumberMass = new Map(),
) {
  const answer = readJudgement(text, ended, prompt);
  if (answer.kind === "malformed") return answer;
  const total = [...numbers.values()].reduce((sum, mass) => sum + mass, 0);
  // Where numbers had little probability, the position is not that of the score.
  if (total < 0.5) return { ...answer, isTold: false };
  const sum = [...numbers].reduce((sum, [score, mass]) => sum + score * mass, 0);
  return { ...answer, score: sum / total, isTold: true };
}

/** Returns the drawn answer nearest to the mean, with that mean as its score. */
async function expectedJudgement(
  model: StructuredModel,
  question: JsonQuestion,
  mostDraws: number,
) {
  const { temperature = 0, host } = model.settings;
  const doubt = temperature === 0 ? 0 : PRIOR_SQUARED_DEVIATION;
  const draws: Extract<Awaited<ReturnType<typeof draw>>, { readonly kind: "read" }>[] = [];
  const draw = (seed: number) =>
    askInJson(model, { ...question, seed, numberOf: "score" }, readExpected);
  for (let asked = 1;; asked++) {
    const answer = await draw(asked - 1);
    if (answer.kind === "read") draws.push(answer);
    // A model whose answer is occasionally unreadable is asked again.
    const mayBeRead = temperature !== 0 && asked <= 2 * draws.length + 2;
    if (answer.kind === "unscored" && !(answer.reason === "malformed answer" && mayBeRead)) {
      return answer;
    }
    const { length } = draws;
    if (length === 0) continue;
    const scores = draws.map(({ score }) => score);
    const score = mean(scores);
    // At temperature 0 this engine repeats its answer; a server nearly does, if it reports
    // probabilities.
    const isAlike = temperature === 0 && (host === undefined || draws[0]!.isTold);
    const alone = host === undefined ? 0 : undefined;
    const variance = length === 1 ? alone : sampleVariance(scores) / length;
    if (isAlike || length > 1 && variance! + doubt / length / (length - 1) < MAX_MEAN_VARIANCE) {
      const off = (one: typeof draws[number]) => Math.abs(one.score - score);
      const { isTold: _, ...nearest } = draws.toSorted((a, b) => off(a) - off(b))[0]!;
      return { ...nearest, score, repetition: { draws: length, variance } };
    }
    if (asked < mostDraws) continue;
    const message = `After ${asked} answers the mean of its scores, ${score.toFixed(1)}, still ` +
      `varies by ${variance?.toFixed(1)} points²; lower its temperature or raise mostDraws.`;
    const { provenance } = draws[0]!;
    return { ...unreadAnswer("unsteady", message), provenance };
  }
}

/** A question whose answer is a JSON object. */
interface JsonQuestion {
  /** Seed of a drawn answer. */
  readonly seed?: number;
  /** Key of the number, as in {@link StructuredModel.ask}. */
  readonly numberOf?: string;
  /** Prompt template of the question. */
  readonly template: PromptTemplate;
  readonly values: Readonly<Record<string, string>>;
  /** SHA-256 of the published file; by default from the model's settings. */
  readonly modelSha256?: string | undefined;
  /** Time limit of the request in seconds. Text written by then is read. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a model and parses its answer leniently. A time-out, a refusal, a failure and an unreadable
 * answer are unscored, with the text received. An object completed before a time-out counts as
 * partial. @throws the signal's reason when it aborts.
 */
export async function askInJson<Read extends Pick<JsonAnswer, "kind" | "parse">>(
  model: StructuredModel,
  question: JsonQuestion,
  read: (
    text: string,
    ended: EndReason,
    prompt: string,
    numbers?: NumberMass,
  ) => Read | MalformedAnswer,
): Promise<Read & { readonly provenance: Provenance } | Unscored> {
  const { template, values, timeoutSeconds } = question;
  const { schema } = ANSWER_FORMATS[template.answer as keyof typeof ANSWER_FORMATS];
  const { fileSha256 } = model.settings;
  const ofSettings = typeof fileSha256 === "string" ? fileSha256 : undefined;
  const provenance: Provenance = {
    producedBy: model.name,
    modelSha256: "modelSha256" in question ? question.modelSha256 : ofSettings,
    promptSha256: template.sha256,
  };
  const unscored = (why: UnreadAnswer): Unscored => ({ ...why, provenance });
  const prompt = fillTemplate(template, values);
  const { reply, timedOut } = await askWithin(model, prompt, question, schema);
  if (reply.kind === "refusal") {
    return unscored(unreadAnswer("refusal", "The model refused to answer.", reply.text));
  }
  if (timedOut) {
    const text = reply.kind === "failure" ? reply.partialText : reply.text;
    const partial = read(text ?? "", "stopped", prompt);
    if (partial.kind === "read") return { ...partial, parse: "partial", provenance };
    return unscored(unreadAnswer("time-out", `No whole answer within ${timeoutSeconds} s.`, text));
  }
  if (reply.kind === "failure") {
    return unscored(unreadAnswer(failureReason(reply), reply.message, reply.partialText));
  }
  const answer = read(reply.text, reply.ended, prompt, reply.numbers);
  if (answer.kind === "read") return { ...answer, provenance };
  return unscored(unreadAnswer("malformed answer", answer.message, reply.text));
}

/** Wraps a model with a time limit. Text written by then is kept. */
export function timeLimitedModel(model: StructuredModel, timeoutSeconds: number): StructuredModel {
  const { name, concurrency, settings } = model;
  return {
    name,
    concurrency,
    settings: { ...settings, timeoutSeconds },
    async ask(prompt, { schema, signal } = {}) {
      const { reply, timedOut } = await askWithin(
        model,
        prompt,
        { timeoutSeconds, signal },
        schema,
      );
      if (!timedOut || reply.kind === "refusal") return reply;
      const partialText = reply.kind === "failure" ? reply.partialText : reply.text;
      const message = `no whole answer within ${timeoutSeconds} s`;
      return { kind: "failure", message, partialText };
    },
  };
}

/**
 * Returns the reply received, and whether time ran out first. @throws the signal's reason when it
 * aborts.
 */
async function askWithin(
  model: StructuredModel,
  prompt: string,
  { timeoutSeconds, signal, seed, numberOf }: Omit<JsonQuestion, "template" | "values">,
  schema: JsonSchema | undefined,
): Promise<{ readonly reply: StructuredReply; readonly timedOut: boolean }> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(new Error(`no whole answer within ${timeoutSeconds} s`));
  const timer = setTimeout(stop, timeoutSeconds * 1000);
  try {
    const either = AbortSignal.any(signal ? [limit.signal, signal] : [limit.signal]);
    const reply = await model.ask(prompt, {
      schema,
      signal: either,
      ...seed !== undefined && { seed },
      ...numberOf !== undefined && { numberOf },
    });
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
