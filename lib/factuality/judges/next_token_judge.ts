import { TimeLimitError, withTimeLimit } from "../../models/in_flight.ts";
import type { NextWordModel, NextWordReply } from "../../models/model.ts";
import type { Judge, Unscored } from "../types.ts";
import { calibrated, type PlattScaling } from "./ensemble.ts";
import type { JudgeOptions } from "./generating_judge.ts";
import { fillTemplate, type PromptTemplate, type PromptTemplates } from "./prompts.ts";

export interface NextTokenJudgeOptions extends JudgeOptions {
  /**
   * Of P(yes) / (P(yes) + P(no)); without one that ratio is the score. Fitted on one prompt, as a
   * rule that about a claim, it is taken for the forms of all others too.
   */
  readonly calibration: PlattScaling | undefined;
  /** Names of `next word` prompts to use for templates, in place of the file's own choice. */
  readonly forms?: Readonly<Record<string, string>>;
  /** Ends a request, where given: probabilities are there as a whole or not at all. */
  readonly timeoutSeconds?: number;
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
  options: NextTokenJudgeOptions,
): Judge {
  const { name, concurrency } = model;
  const { weight, measured, modelSha256, calibration, forms, timeoutSeconds: seconds } = options;
  return {
    name,
    settings: {
      ...model.settings,
      ...calibrationSettings(calibration),
      ...seconds && { timeoutSeconds: seconds },
    },
    weight,
    measured,
    concurrency,
    async judge({ template: wanted, values }, { signal } = {}) {
      const asked = prompts.template(wanted);
      const form = forms?.[wanted] ?? (asked.answer === "next word" ? wanted : asked.nextWordForm);
      const template = form === undefined ? undefined : prompts.template(form);
      const provenance = { producedBy: name, modelSha256, promptSha256: template?.sha256 };
      const nothing = { kind: "unscored", partialText: undefined, provenance } as const;
      if (template?.nextWords === undefined) {
        const message = `The prompt ${wanted} has no next_word_form, and ${name} answers by the ` +
          "next word only.";
        return { ...nothing, reason: "failure", message };
      }
      const prompt = fillTemplate(template, values);
      const ask = (signal?: AbortSignal) =>
        model.nextWord(prompt, template.nextWords!, { ...signal && { signal } });
      try {
        const reply = await (seconds ? withTimeLimit(ask, seconds, signal) : ask(signal));
        const read = readNextWord(reply, template);
        if (read.kind === "unscored") return { ...read, provenance };
        const score = 100 * calibrated(read.yes, calibration);
        const rest = { flagged: [], parse: "not parsed", provenance } as const;
        return { kind: "scored", score, reasoning: read.words, ...rest };
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        return { ...nothing, reason: "time-out", message: `No whole answer within ${seconds} s.` };
      }
    },
  };
}

/** What of a calibration stands beside results. */
export function calibrationSettings(calibration: PlattScaling | undefined): Judge["settings"] {
  if (calibration === undefined) return { calibrated: false };
  const { slope, intercept } = calibration;
  return { calibrated: true, slope, intercept };
}

/** What the next word's probabilities say. */
export interface ReadNextWord {
  readonly kind: "read";
  /** P(yes) / (P(yes) + P(no)), 0–1: not calibrated. */
  readonly yes: number;
  /** `P(true) 0.312, P(false) 0.214, other words 0.474`. */
  readonly words: string;
}

/** The share of "yes", or why there is none. */
export function readNextWord(
  reply: NextWordReply,
  { nextWords }: PromptTemplate,
): ReadNextWord | Omit<Unscored, "provenance"> {
  const unscored = (reason: Unscored["reason"], message: string, partialText?: string) =>
    ({ kind: "unscored", reason, message, partialText }) as const;
  if (reply.kind === "failure") return unscored("failure", reply.message);
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model refused to answer.", reply.text);
  }
  const { yes, no, other } = reply;
  const [first, second] = [nextWords?.yes[0] ?? "yes", nextWords?.no[0] ?? "no"];
  const words = `P(${first}) ${yes.toFixed(3)}, P(${second}) ${no.toFixed(3)}, ` +
    `other words ${other.toFixed(3)}`;
  if (yes + no > 0) return { kind: "read", yes: yes / (yes + no), words };
  return unscored("malformed answer", `Neither answer has any probability: ${words}.`);
}
