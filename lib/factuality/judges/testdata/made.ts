import type { NextWordModel, NextWordReply } from "../../../models/model.ts";
import { promptTemplates } from "../prompts.ts";

/** Prompt templates of these entries, by name. */
export const testPrompts = (entries: Readonly<Record<string, object>>) => {
  const templates = Object.entries(entries)
    .map(([name, entry]) => ({ name, description: "d", ...entry }));
  return promptTemplates(JSON.stringify({ templates }), "made.yaml");
};

const score = { answer: "score", text: "{{candidate}} {{answer_format}}" };
const asking = (text: string, yes = "Yes", no = "No") => (
  { answer: "next word", next_words: { yes: [yes], no: [no] }, text }
);

export const ENTRIES = {
  factual_accuracy: score,
  claim: { answer: "score", next_word_form: "truth", text: "{{claim}} {{answer_format}}" },
  style: score,
  manner: { ...score, next_word_form: "worded" },
  truth: asking("{{claim|line}} It is", "true", "false"),
  support: asking("{{claim|line}} Answer:"),
  beside: asking("{{passages|line}} # {{claim|line}}"),
  worded: asking("{{candidate|line}} Answer:", "yes", "no"),
  check: {
    answer: "verdict",
    verdict_words: { supported: "Yes", refuted: "No", "not enough info": "Unknown" },
    text: "Passage: {{passages|line}} Claim: {{claim|line}}",
  },
  claim_splitting: { ...score, answer: "claims" },
  pairwise: {
    answer: "pairwise",
    text: "{{source}} {{question}} {{first}} {{second}} {{answer_format}}",
  },
};
export const PROMPTS = testPrompts(ENTRIES);

/** A model with scripted next-word replies. It records each prompt and its two words. */
export function scriptedNextWord(
  reply: (prompt: string) => NextWordReply | Promise<NextWordReply>,
) {
  const asked: string[] = [];
  const model: NextWordModel = {
    name: "made",
    settings: { engine: "e" },
    concurrency: 1,
    nextWord(prompt, { yes, no }) {
      asked.push(`${prompt} ${yes}/${no}`);
      return Promise.resolve(reply(prompt));
    },
  };
  return { model, asked };
}
