import fc from "fast-check";
import type { Response } from "../answers.ts";
import { grammaticalLetter, type Order, ORDERS } from "../forced_choice.ts";
import type { MinimalPair } from "../pair.ts";

/** Returns a response as the evaluation records it. */
export function responded(
  model: string,
  pairId: string,
  order: Order,
  response: Response["response"],
): Response {
  return { model, pairId, order, response, correct: response === grammaticalLetter(order) };
}

/** Generator of answers to every question, valid or not. */
export function completeAnswers(
  models: readonly string[],
  pairs: readonly MinimalPair[],
): fc.Arbitrary<readonly Response[]> {
  const questions = models.flatMap((model) =>
    pairs.flatMap(({ id }) => ORDERS.map((order) => ({ model, id, order })))
  );
  const answer = fc.constantFrom("A" as const, "B" as const, "INVALID" as const);
  return fc.array(answer, { minLength: questions.length, maxLength: questions.length })
    .map((answers) =>
      questions.map(({ model, id, order }, index) => responded(model, id, order, answers[index]!))
    );
}
