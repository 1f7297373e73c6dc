import type { Behaviour, FaultPlan } from "../../lib/models/hosted/stand_in_server.ts";
import type { Letter } from "../../lib/pairs/forced_choice.ts";
import { drawn, knownLetter, type KnownQuestion } from "./setting.ts";

/** What may stand in a row. */
export type Outcome = Letter | "INVALID";

/** What a question meets when it is asked for the first time, the second, … and what its row must say. */
export interface Strike {
  readonly behaviours: readonly Behaviour[];
  readonly outcome: Outcome;
}

/** One kind of fault that strikes questions, whichever key and moment they are asked with. */
export interface Scenario {
  readonly kind: string;
  /** One question of so many is struck. */
  readonly every: number;
  /** In what ways, by the letter that is right; a struck question draws one. */
  readonly variants: readonly ((letter: Letter) => Strike)[];
}

/** What strikes a question, always the same. */
export function strikeOf(
  { kind, every, variants }: Scenario,
  { model, prompt }: Pick<KnownQuestion, "model" | "prompt">,
): Strike | undefined {
  if (drawn("struck", kind, model, prompt) % every !== 0) return undefined;
  const variant = variants[drawn("variant", kind, model, prompt) % variants.length];
  return variant?.(knownLetter(model, prompt));
}

/** The server's plan: each behaviour of a strike once. */
export function planOf(scenario: Scenario): FaultPlan {
  return (call) => strikeOf(scenario, call)?.behaviours[call.asked - 1];
}

/** How many faults a run that answers every question must meet, no more and no fewer. */
export function plannedFaults(scenario: Scenario, questions: readonly KnownQuestion[]): number {
  return questions.reduce(
    (sum, question) => sum + (strikeOf(scenario, question)?.behaviours.length ?? 0),
    0,
  );
}

/** What each question's row must say, by its key. */
export function outcomesOf(
  questions: readonly KnownQuestion[],
  scenario?: Scenario,
): ReadonlyMap<string, Outcome> {
  return new Map(questions.map((question) => {
    const strike = scenario && strikeOf(scenario, question);
    return [question.key, strike?.outcome ?? question.letter];
  }));
}
