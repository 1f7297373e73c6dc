import { join } from "node:path";
import { type ApiKey, apiKey } from "../../../lib/models/hosted/api_keys.ts";
import { groqModel } from "../../../lib/models/hosted/groq_model.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "../../../lib/models/hosted/keyed_calls.ts";
import type { Generation, GroqEntry } from "../../../lib/models/panel.ts";
import { type Question, questionKey } from "../../../lib/pairs/answers.ts";
import {
  evaluateForcedChoice,
  type EvaluationReport,
  type ForcedChoiceOptions,
} from "../../../lib/pairs/choose.ts";
import {
  forcedChoiceTemplate,
  formatPrompt,
  type Letter,
  ORDERS,
} from "../../../lib/pairs/forced_choice.ts";
import type { MinimalPair } from "../../../lib/pairs/pair.ts";
import { madePairs } from "../../../lib/pairs/testdata/norse.ts";
import { fnv1a64 } from "../../../lib/stats/random.ts";

/** All that is drawn is drawn from this: faults, moments of aborts and of kills. */
export const SEED = 20261122;
const TEMPLATE = forcedChoiceTemplate("Old Norse");

/** Four models, as many as the panel has. */
export const MODELS: readonly GroqEntry[] = ["one", "two", "three", "four"].map((name) => ({
  id: `stand-in/${name}`,
  kind: "groq",
  roles: ["chat"],
  licence: "none",
}));

const GENERATION: Generation = { temperature: 0, maxReplyTokens: 64 };

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
function pairsOf(count: number): readonly MinimalPair[] {
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

/** For one try of a call, in seconds: short, because hung sockets are waited for. */
export const TIMEOUT_SECONDS = 0.25;

/** An answer that comes too late. */
export const LATE_MILLISECONDS = 400;

/** First pause between tries, in seconds. */
const BACKOFF_SECONDS = 0.002;

/** One request in flight a key, and time enough: how many meet a fault is then no matter of timing. */
export const ONE_BY_ONE = { concurrencyPerKey: 1, timeoutSeconds: 30 };

/** A clock on which waiting takes no time. */
export interface SkippingClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Sets the clock forward to a moment; never back. */
  skipTo(moment: number): void;
}

/** Starts at a fixed day; goes on as real time does, and by what is slept at once. */
export function skippingClock(start = Date.UTC(2026, 10, 22, 9)): SkippingClock {
  const begun = performance.now();
  let skipped = 0;
  const now = () => start + (performance.now() - begun) + skipped;
  const skipTo = (moment: number) => {
    skipped += Math.max(0, moment - now());
  };
  return {
    now,
    skipTo,
    async sleep(milliseconds, signal) {
      const end = now() + milliseconds;
      // A turn of the event loop passes, so that replies under way are not overtaken for ever.
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
      skipTo(end);
    },
  };
}

/** Where a run writes and whom it asks. */
export interface RunPlace {
  readonly folder: string;
  readonly baseUrl: string;
  readonly pairs: number;
}

export interface RunOptions {
  readonly calls?: KeyedCallsOptions;
  readonly keys?: typeof KEYS;
  readonly models?: typeof MODELS;
  readonly evaluation?: Pick<ForcedChoiceOptions, "signal" | "failuresInARow">;
}

export const resultsPath = (folder: string) => join(folder, "evaluation_results.csv");
export const invalidPath = (folder: string) => join(folder, "invalid_answers.csv");

/** One run of the whole real path: evaluation, key ring, groq-sdk, a connection. It resumes. */
export async function evaluateOnce(
  { folder, baseUrl, pairs }: RunPlace,
  { calls: callOptions = {}, keys = KEYS, models = MODELS, evaluation = {} }: RunOptions = {},
): Promise<EvaluationReport> {
  using calls = openKeyedCalls(keys, {
    timeoutSeconds: TIMEOUT_SECONDS,
    backoffSeconds: BACKOFF_SECONDS,
    usagePath: join(folder, "usage.json"),
    ...callOptions,
  });
  return await evaluateForcedChoice({
    pairs: pairsOf(pairs),
    models: models.map((entry) => groqModel(entry, GENERATION, { calls, baseUrl })),
    template: TEMPLATE,
    files: {
      responses: resultsPath(folder),
      invalidAnswers: invalidPath(folder),
      asked: join(folder, "evaluation_asked.csv"),
      settings: join(folder, "evaluation_settings.json"),
    },
    ...evaluation,
  });
}

/** @throws {Error} where a key stands in a report of a run, or in a file that it wrote. */
export function requireNoSecret(folder: string, reports: unknown): void {
  const texts = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => [name, Deno.readTextFileSync(join(folder, name))] as const);
  for (const [place, text] of [...texts, ["a report", Deno.inspect(reports, { depth: 20 })]]) {
    const key = KEYS.find((key) => text.includes(key.reveal()));
    if (key) throw new Error(`The value of ${key.label} stands in ${place}`);
  }
}
