import type { Reply } from "../models/model.ts";
import { type InvalidReason, parseChoice } from "./choice.ts";
import { grammaticalLetter, type Letter, type Order, ORDERS } from "./forced_choice.ts";
import { compareText, type TableShape } from "./keyed_table.ts";

export const RESPONSE_COLUMNS = ["model", "pair_id", "order", "response", "correct"] as const;
type ResponseColumn = (typeof RESPONSE_COLUMNS)[number];

/** One question to one model about one pair in one order. */
export interface Question {
  readonly model: string;
  readonly pairId: string;
  readonly order: Order;
}

/** One row of `evaluation_results.csv`. INVALID is an answer without a choice: answered, not correct. */
export interface Response extends Question {
  readonly response: Letter | "INVALID";
  readonly correct: boolean;
}

/** What an invalid answer said, to the letter. */
export interface InvalidAnswer extends Question {
  readonly reason: InvalidReason;
  readonly raw: string;
}

/** What names a question among all others. */
export function questionKey({ model, pairId, order }: Question): string {
  return JSON.stringify([model, pairId, order]);
}

/** The response to a question, and its text where it is invalid. */
export function judgeReply(
  question: Question,
  reply: Extract<Reply, { readonly kind: "answer" | "refusal" }>,
): { readonly response: Response; readonly invalid?: InvalidAnswer } {
  const choice = reply.kind === "answer"
    ? parseChoice(reply.text)
    : { kind: "invalid" as const, raw: reply.text, reason: "refusal" as const };
  if (choice.kind === "choice") {
    const { letter } = choice;
    const correct = letter === grammaticalLetter(question.order);
    return { response: { ...question, response: letter, correct } };
  }
  const { raw, reason } = choice;
  return {
    response: { ...question, response: "INVALID", correct: false },
    invalid: { ...question, reason, raw },
  };
}

/** The shape of `evaluation_results.csv`; a row whose `correct` is not what follows is refused. */
export const RESPONSE_TABLE: TableShape<ResponseColumn, Response> = {
  columns: RESPONSE_COLUMNS,
  format: ({ model, pairId, order, response, correct }) => ({
    model,
    pair_id: pairId,
    order,
    response,
    correct,
  }),
  parse: (record) => {
    const question = parseQuestion(record);
    const response = oneOf(record.response, ["A", "B", "INVALID"] as const);
    const correct = response === grammaticalLetter(question.order);
    if (record.correct !== (correct ? "True" : "False")) {
      throw new SyntaxError(`correct is "${record.correct}", not what the response says`);
    }
    return { ...question, response, correct };
  },
  keyOf: questionKey,
};

export const INVALID_COLUMNS = ["model", "pair_id", "order", "reason", "raw_json"] as const;
type InvalidColumn = (typeof INVALID_COLUMNS)[number];
const REASONS = ["empty", "refusal", "both_letters", "no_letter"] as const;

/** The log of invalid answers; the text is a JSON string, for it may hold line breaks. */
export const INVALID_TABLE: TableShape<InvalidColumn, InvalidAnswer> = {
  columns: INVALID_COLUMNS,
  format: ({ model, pairId, order, reason, raw }) => ({
    model,
    pair_id: pairId,
    order,
    reason,
    raw_json: oneLineJson(raw),
  }),
  parse: (record) => {
    const raw: unknown = JSON.parse(record.raw_json);
    if (typeof raw !== "string") throw new SyntaxError("raw_json is no JSON string");
    return { ...parseQuestion(record), reason: oneOf(record.reason, REASONS), raw };
  },
  keyOf: questionKey,
};

/** JSON leaves DEL and the C1 controls as they are; a CSV line may not hold them. */
function oneLineJson(text: string): string {
  return JSON.stringify(text).replace(
    /\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function parseQuestion(
  record: Readonly<Record<"model" | "pair_id" | "order", string>>,
): Question {
  if (record.model === "" || record.pair_id === "") throw new SyntaxError("model or pair is empty");
  return {
    model: record.model,
    pairId: record.pair_id,
    order: oneOf(record.order, ORDERS),
  };
}

function oneOf<Value extends string>(text: string, values: readonly Value[]): Value {
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw new SyntaxError(`"${text}" is none of ${values.join(", ")}`);
  return value;
}

/** By model name, then in the order of the pairs, then of the orders. */
export function compareQuestions(
  pairIds: readonly string[],
): (a: Question, b: Question) => number {
  const place = new Map(pairIds.map((id, index) => [id, index]));
  const at = ({ pairId }: Question) => place.get(pairId) ?? pairIds.length;
  return (a, b) =>
    compareText(a.model, b.model) ||
    at(a) - at(b) ||
    ORDERS.indexOf(a.order) - ORDERS.indexOf(b.order);
}
