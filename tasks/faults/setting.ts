import { type ApiKey, apiKey } from "../../lib/models/hosted/api_keys.ts";
import type { Generation, GroqEntry } from "../../lib/models/panel.ts";
import {
  forcedChoiceTemplate,
  formatPrompt,
  type Letter,
  ORDERS,
} from "../../lib/pairs/forced_choice.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { type Question, questionKey } from "../../lib/pairs/responses.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import { fnv1a64 } from "../../lib/stats/random.ts";

/** All that is drawn is drawn from this: faults, moments of aborts and of kills. */
export const SEED = 20261122;

export const TEMPLATE = forcedChoiceTemplate("Old Norse");

/** Four models, as many as the panel has. */
export const MODELS: readonly GroqEntry[] = ["one", "two", "three", "four"].map((name) => ({
  id: `stand-in/${name}`,
  kind: "groq",
  roles: ["chat"],
  licence: "none",
}));

export const GENERATION: Generation = { temperature: 0, maxReplyTokens: 64 };

/** Three keys that open nothing. */
export const KEYS: readonly ApiKey[] = ["a", "b", "c"].map((letter, index) =>
  apiKey(`GROQ_API_KEY_${index + 1}`, `gsk_test_${letter.repeat(20)}`)
);

/** A question with the letter that the server gives to it where nothing goes wrong. */
export interface KnownQuestion extends Question {
  readonly key: string;
  readonly prompt: string;
  readonly letter: Letter;
}

/** Half the questions have either letter, whatever is grammatical. */
export function knownLetter(model: string, prompt: string): Letter {
  return drawn("letter", model, prompt) % 2 === 0 ? "A" : "B";
}

/** A whole number that these texts always give, 0 … 2³² − 1. */
export function drawn(...texts: readonly string[]): number {
  return Number(fnv1a64(JSON.stringify([SEED, ...texts])) >> 32n);
}

/** Made pairs: how many depends on how long a scenario needs questions. */
export function pairsOf(count: number): readonly MinimalPair[] {
  return madePairs(count);
}

/** Every question of a run over so many pairs. */
export function knownQuestions(pairs: number): readonly KnownQuestion[] {
  return MODELS.flatMap(({ id: model }) =>
    pairsOf(pairs).flatMap((pair) =>
      ORDERS.map((order) => {
        const prompt = formatPrompt(TEMPLATE, pair, order);
        const question = { model, pairId: pair.id, order };
        const letter = knownLetter(model, prompt);
        return { ...question, key: questionKey(question), prompt, letter };
      })
    )
  );
}
