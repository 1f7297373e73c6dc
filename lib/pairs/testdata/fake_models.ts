import { fnv1a64 } from "../../stats/random.ts";
import type { ChatModel, LanguageModel, Likelihood, Reply } from "../../models/model.ts";

const REPLIES = ["A", "B", "The answer is B.", "A or B", "", "Á\nok \u0085 é", "I cannot say."];

/** A chat model whose reply depends only on its name and the prompt. Some replies are invalid. */
export function fakeChat(name: string, settings: ChatModel["settings"] = {}): ChatModel {
  return {
    name,
    settings: { temperature: 0, ...settings },
    ask: (prompt) => {
      const text = REPLIES[Number(fnv1a64(name + prompt) % BigInt(REPLIES.length))] ?? "";
      return Promise.resolve({ kind: "answer", text, promptTokens: 1, replyTokens: 1 });
    },
  };
}

/** A chat model with scripted replies by number of the call, from 0. */
export function scriptedChat(
  name: string,
  reply: (call: number, prompt: string) => Reply | string,
): ChatModel & { readonly prompts: readonly string[] } {
  const prompts: string[] = [];
  return {
    name,
    settings: { temperature: 0 },
    prompts,
    ask: (prompt) => {
      const made = reply(prompts.length, prompt);
      prompts.push(prompt);
      return Promise.resolve(
        typeof made === "string"
          ? { kind: "answer", text: made, promptTokens: 1, replyTokens: 1 }
          : made,
      );
    },
  };
}

/** A language model whose scores depend only on its name and the text. */
export function fakeLanguage(name: string): LanguageModel {
  const score = (text: string) => ({
    logProbability: -Number(fnv1a64(name + text) % 1000003n) / 10007,
    tokens: text.split(" ").length,
    bytes: new TextEncoder().encode(text).length,
  });
  return scoringTexts(name, score, { precision: "F32" });
}

/** A language model that scores texts singly; beginnings are scored as texts. */
export function scoringTexts(
  name: string,
  score: (text: string) => Likelihood,
  settings: LanguageModel["settings"] = {},
): LanguageModel {
  return {
    name,
    settings,
    score: (texts) => Promise.resolve(texts.map(score)),
    scoreParts: (texts) =>
      Promise.resolve(
        texts.map(({ text, through }) => (
          { whole: score(text), ...through !== undefined && { through: score(through) } }
        )),
      ),
  };
}
