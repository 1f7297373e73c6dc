import { type ChatModel, ModelUnavailable, type Reply } from "../../models/model.ts";
import type { RuleBook } from "../candidates.ts";
import { formatPrompt, type PromptTemplates, type ProposalRecord } from "../proposals.ts";
import { PHENOMENA, type Phenomenon } from "../rules.ts";
import type { Sentence } from "../dataset_tables.ts";
import { tokenise } from "../tokens.ts";

export const MODEL = "a/proposer";

/** What a model that knows the rules by heart would answer. */
export function trueAnswer(sentence: Sentence, phenomenon: Phenomenon, rules: RuleBook): string {
  const tokens = tokenise(sentence.normalised);
  const candidate = rules.find(sentence, phenomenon).candidates.find(({ token }) =>
    tokens.filter(({ lower }) => lower === token.lower).length === 1
  );
  if (candidate === undefined) return "none";
  const { token, replacement, explanation } = candidate;
  return JSON.stringify({ target: token.form, replacement, reason: explanation });
}

export interface ProposingOptions {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly answer: (sentence: Sentence, phenomenon: Phenomenon, call: number) => string | Reply;
  readonly concurrency?: number;
  /** From this call on the model is not to be had. */
  readonly callsUntilUnavailable?: number;
  readonly returns?: Date;
}

/** A model that finds the question in its prompt; `prompts` are those it was asked. */
export function proposingModel(options: ProposingOptions): ChatModel & { prompts: string[] } {
  const { sentences, templates, answer, concurrency = 1, callsUntilUnavailable } = options;
  const questions = new Map(
    sentences.flatMap((sentence) =>
      PHENOMENA.map((phenomenon) =>
        [formatPrompt(templates, { sentence, phenomenon }), { sentence, phenomenon }] as const
      )
    ),
  );
  const prompts: string[] = [];
  return {
    name: MODEL,
    settings: {},
    concurrency,
    prompts,
    async ask(prompt) {
      const call = prompts.push(prompt);
      await Promise.resolve();
      if (call > (callsUntilUnavailable ?? Infinity)) {
        throw new ModelUnavailable("no available keys remain", MODEL, options.returns);
      }
      const question = questions.get(prompt)!;
      const said = answer(question.sentence, question.phenomenon, call);
      return typeof said === "string"
        ? { kind: "answer", text: said, promptTokens: 600, replyTokens: 30 }
        : said;
    },
  };
}

/** A record of an answer, as if a model had given it. */
export function recordOf(
  sentence: Sentence,
  phenomenon: Phenomenon,
  text: string,
  more: Partial<ProposalRecord> = {},
): ProposalRecord {
  return {
    model: MODEL,
    promptSha256: "5".repeat(64),
    sentenceId: sentence.id,
    phenomenon,
    kind: "answer",
    text,
    promptTokens: 1,
    replyTokens: 1,
    settings: {},
    ...more,
  };
}
