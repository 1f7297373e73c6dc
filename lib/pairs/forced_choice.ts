import { sha256Hex } from "../files/checksum.ts";
import type { MinimalPair } from "./pair.ts";

/** Which letter the grammatical sentence stands at. */
export const ORDERS = ["A_gram", "B_gram"] as const;
export type Order = (typeof ORDERS)[number];
export type Letter = "A" | "B";

const TEMPLATE = "Which of the following {language} sentences is grammatically correct? " +
  "A: {sentence1} B: {sentence2} Answer with A or B only.";

/**
 * The question of the specification for a language, e.g. "Old Norse", with the places
 * `{sentence1}` and `{sentence2}` left open.
 */
export function forcedChoiceTemplate(language: string): string {
  return TEMPLATE.replace("{language}", () => language);
}

/** SHA-256 (hex) of a template: it travels with the results. */
export function templateHash(template: string): string {
  return sha256Hex(template);
}

/** The letter at which an order puts the grammatical sentence. */
export function grammaticalLetter(order: Order): Letter {
  return order === "A_gram" ? "A" : "B";
}

/**
 * The question for one pair in one order. Throws SyntaxError where the template lacks a place or
 * names it twice.
 */
export function formatPrompt(
  template: string,
  pair: Pick<MinimalPair, "grammatical" | "ungrammatical">,
  order: Order,
): string {
  const [start, middle, end, ...more] = template.split(/\{sentence[12]\}/);
  const inOrder = template.indexOf("{sentence1}") < template.indexOf("{sentence2}");
  if (start === undefined || middle === undefined || end === undefined || more.length || !inOrder) {
    throw new SyntaxError(
      `Cannot ask "${template}": it must hold {sentence1} and then {sentence2}, each once.`,
    );
  }
  const { grammatical, ungrammatical } = pair;
  const [first, second] = order === "A_gram"
    ? [grammatical, ungrammatical]
    : [ungrammatical, grammatical];
  return start + first + middle + second + end;
}
