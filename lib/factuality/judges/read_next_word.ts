import type { NextWordReply } from "../../models/next_word_model.ts";
import type { Unscored } from "../verdicts/verdict.ts";
import type { PromptTemplate } from "./prompt_template.ts";

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
