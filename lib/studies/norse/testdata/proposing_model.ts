import { type ChatModel, ModelUnavailable, type Reply } from "../../../models/model.ts";
import { tokenise } from "../verdicts.ts";
import type { RuleBook } from "../selection.ts";
import type { Sentence } from "../dataset.ts";
import type { ProposalRecord } from "../proposals.ts";
import type { Phenomenon } from "../rules.ts";

export const MODEL = "a/proposer";

/** Returns the answer of a model that knows the rules perfectly. */
export function trueAnswer(sentence: Sentence, phenomenon: Phenomenon, rules: RuleBook): string {
  const words = tokenise(sentence.normalised).map(({ lower }) => lower);
  const candidate = rules.find(sentence, phenomenon).candidates
    .find(({ token: { lower } }) => words.filter((word) => word === lower).length === 1);
  if (candidate === undefined) return "none";
  const { token, replacement, explanation } = candidate;
  return JSON.stringify({ target: token.form, replacement, reason: explanation });
}

/** A model that answers prompts by number and becomes unavailable after some calls. */
export function proposingModel(
  answer: (prompt: string, call: number) => string | Reply,
  { concurrency = 1, calls = Infinity } = {},
): ChatModel & { readonly prompts: readonly string[] } {
  const prompts: string[] = [];
  return {
    name: MODEL,
    settings: {},
    concurrency,
    prompts,
    async ask(prompt) {
      const call = prompts.push(prompt);
      await Promise.resolve();
      if (call > calls) throw new ModelUnavailable("no available keys remain", MODEL);
      const reply = answer(prompt, call);
      return typeof reply === "string"
        ? { kind: "answer", text: reply, promptTokens: 600, replyTokens: 30 }
        : reply;
    },
  };
}

/** Returns a record of an answer. */
export function recordOf(
  sentence: Sentence,
  phenomenon: Phenomenon,
  text: string,
  model = MODEL,
  promptSha256 = "5".repeat(64),
): ProposalRecord {
  const tokens = { promptTokens: 1, replyTokens: 1, settings: {} };
  return {
    model,
    promptSha256,
    sentenceId: sentence.id,
    phenomenon,
    kind: "answer",
    text,
    ...tokens,
  };
}
