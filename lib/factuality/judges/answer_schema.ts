import type { JsonSchema } from "../../models/structured_model.ts";

/**
 * What a prompt asks for: a score with reasons, the better of two texts, biased phrases, a text's
 * claims, or the next word, whose probabilities are read.
 */
export const ANSWER_KINDS = ["score", "pairwise", "bias", "claims", "next word"] as const;
export type AnswerKind = typeof ANSWER_KINDS[number];

/** How a kind of answer is asked for. */
export interface AnswerFormat {
  /** Reasoning stands before the verdict, because keys are written in their order. */
  readonly schema: JsonSchema;
  /**
   * What the prompt says in place of `{{answer_format}}`: a grammar does not show itself to the
   * model. No number stands where the score goes, so that an echo of it is never read as a score.
   */
  readonly words: string;
}

const WHOLE_0_TO_100 = Array.from({ length: 101 }, (_, score) => score);
type Properties = Readonly<Record<string, JsonSchema>>;

const text = (maxLength: number): JsonSchema => ({ type: "string", maxLength });
const object = (properties: Properties): JsonSchema => ({ type: "object", properties });

const REASONING = text(600);

function phrases(more: Properties): JsonSchema {
  const items = object({ phrase: text(160), reason: text(200), ...more });
  return { type: "array", maxItems: 5, items };
}

const ANSWER = "Answer with one JSON object and nothing else:";

/** The formats of those kinds that are written; the next word has none. */
export const ANSWER_FORMATS: Readonly<Record<Exclude<AnswerKind, "next word">, AnswerFormat>> = {
  score: {
    schema: object({ reasoning: REASONING, flagged: phrases({}), score: { enum: WHOLE_0_TO_100 } }),
    words: `${ANSWER} {"reasoning": "<your reasons, step by step>", "flagged": ` +
      `[{"phrase": "<words copied from the text>", "reason": "<what is wrong with them>"}], ` +
      `"score": <a whole number from 0 to 100>}. Give an empty list where nothing is wrong.`,
  },
  pairwise: {
    schema: object({ reasoning: REASONING, winner: { enum: ["first", "second", "tie"] } }),
    words: `${ANSWER} {"reasoning": "<your reasons, step by step>", ` +
      `"winner": "<first, second or tie>"}.`,
  },
  bias: {
    schema: object({
      reasoning: REASONING,
      flagged: phrases({ severity: { enum: ["low", "medium", "high"] } }),
    }),
    words: `${ANSWER} {"reasoning": "<your reasons, step by step>", "flagged": ` +
      `[{"phrase": "<words copied from the text>", "reason": "<why they are biased or harmful>", ` +
      `"severity": "<low, medium or high>"}]}. Give an empty list where nothing is.`,
  },
  claims: {
    schema: object({
      claims: { type: "array", maxItems: 40, items: text(300) },
    }),
    words: `${ANSWER} {"claims": ["<one statement>", "<the next>"]}.`,
  },
};
