import type { ChatModel } from "../../lib/models/model.ts";
import { parseChoice } from "../../lib/pairs/choice.ts";
import { formatPrompt, type Order, ORDERS } from "../../lib/pairs/forced_choice.ts";
import type { BenchPair } from "../bench/inputs.ts";

/** One question answered by the same weights in process and through a server. */
export interface ServedAnswer {
  readonly model: string;
  readonly pairId: string;
  readonly order: Order;
  /** Whole texts. */
  readonly inProcess: string;
  readonly served: string;
}

/** A, B, or INVALID for an answer that chose nothing. */
export function letterOf(text: string): string {
  const choice = parseChoice(text);
  return choice.kind === "choice" ? choice.letter : "INVALID";
}

async function textOf(model: ChatModel, prompt: string): Promise<string> {
  const reply = await model.ask(prompt);
  if (reply.kind === "failure") throw new Error(`Cannot compare: ${reply.message}`);
  // In process the ends are trimmed; what a choice is read from has them trimmed either way.
  return reply.text.trim();
}

/** Every pair in both orders, one question after the other, so that neither slows the other down. */
export async function askBoth(options: {
  readonly pairs: readonly BenchPair[];
  readonly template: string;
  readonly inProcess: ChatModel;
  readonly served: ChatModel;
  readonly onProgress?: (done: number) => void;
}): Promise<readonly ServedAnswer[]> {
  const { pairs, template, inProcess, served, onProgress } = options;
  const answers: ServedAnswer[] = [];
  for (const pair of pairs) {
    for (const order of ORDERS) {
      const prompt = formatPrompt(template, pair, order);
      answers.push({
        model: inProcess.name,
        pairId: pair.id,
        order,
        inProcess: await textOf(inProcess, prompt),
        served: await textOf(served, prompt),
      });
      onProgress?.(answers.length);
    }
  }
  return answers;
}

/** How many answers agree in their letter, and how many to the last character. */
export function agreement(answers: readonly ServedAnswer[]) {
  const sameLetter = answers.filter(({ inProcess, served }) =>
    letterOf(inProcess) === letterOf(served)
  );
  const sameText = answers.filter(({ inProcess, served }) => inProcess === served);
  return { answers: answers.length, letters: sameLetter.length, texts: sameText.length };
}
