import type { Behaviour, FaultPlan } from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import type { Letter } from "../../../lib/pairs/forced_choice.ts";
import { drawn, knownLetter, type KnownQuestion, LATE_MILLISECONDS } from "./setting.ts";

/** What may stand in a row. */
export type Outcome = Letter | "INVALID";

/** What a question meets when it is asked for the first time, the second, … and what its row must say. */
interface Strike {
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
function strikeOf(
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

const other = (letter: Letter): Letter => letter === "A" ? "B" : "A";

/** Answers by the letter that is right, and what each must be read as. */
type OddAnswer = (letter: Letter) => readonly [text: string, outcome: Outcome];

const TEXTS: readonly OddAnswer[] = [
  (right) => [`${right.toLowerCase()}.`, right],
  (right) => [`**${right}**`, right],
  (right) => [`The grammatically correct sentence is ${right}.`, right],
  (
    right,
  ) => [`<think>${other(right)}? The answer is ${other(right)}. No.</think>\n${right}`, right],
  (right) => [`<think>The answer is ${right}, because`, "INVALID"],
  (right) => [`Rétta svarið er setning ${right}`, "INVALID"],
  (right) => [`Правильный ответ — ${right}`, "INVALID"],
  () => ["Á báðum stöðum er rétt mál.", "INVALID"],
  () => ["A or B", "INVALID"],
  (right) => [`${right}: this one. ${other(right)}: this one as well.`, "INVALID"],
  () => ["Both A and B are correct.", "INVALID"],
  () => ["A language model cannot know.", "INVALID"],
  () => ["I'm sorry, but I can't help with that. A", "INVALID"],
  () => ['{"error": "A"}', "INVALID"],
];

/** Hidden reasoning that names the wrong letter, with the answer, and without one; a refusal. */
const REPLIES: readonly ((letter: Letter) => Strike)[] = [
  (right) => ({
    behaviours: [{ kind: "answer", text: right, reasoning: `The answer is ${other(right)}.` }],
    outcome: right,
  }),
  (right) => ({
    behaviours: [{ kind: "answer", text: "", reasoning: `${right}.`, finishReason: "length" }],
    outcome: "INVALID",
  }),
  () => ({
    behaviours: [{ kind: "answer", refusal: "The answer is A, but no." }],
    outcome: "INVALID",
  }),
];

/** Each an answer that comes at once and is a row, whatever it says. */
const ODD_ANSWERS: readonly ((letter: Letter) => Strike)[] = [
  ...TEXTS.map((answer) => (letter: Letter): Strike => {
    const [text, outcome] = answer(letter);
    return { behaviours: [{ kind: "answer", text }], outcome };
  }),
  ...REPLIES,
];

/** These behaviours, then the right answer. */
function then(...behaviours: readonly Behaviour[]): (letter: Letter) => Strike {
  return (letter) => ({ behaviours, outcome: letter });
}

const status = (status: number): Behaviour => ({ kind: "status", status });

const perMinute = (more: { retryAfter?: number; tryAgainIn?: string }): Behaviour => ({
  kind: "rate limit",
  quota: "TPM",
  ...more,
});

/** The kinds of fault that strike questions one by one. */
export const SCENARIOS: readonly Scenario[] = [
  {
    kind: "429 with retry-after",
    every: 2,
    variants: [
      then(perMinute({ retryAfter: 3 })),
      then(perMinute({ retryAfter: 0.5 }), { kind: "rate limit", quota: "RPM", retryAfter: 12.5 }),
    ],
  },
  {
    kind: "429 that names the time in its message only",
    every: 2,
    variants: [
      then(perMinute({ tryAgainIn: "7.66s" })),
      then(perMinute({ tryAgainIn: "1m26.4s" }), perMinute({ tryAgainIn: "830ms" })),
    ],
  },
  {
    kind: "429 that names no time, in storms",
    every: 1,
    variants: [then(perMinute({}), perMinute({}), perMinute({}))],
  },
  {
    kind: "500, 502, 503, 498",
    every: 2,
    variants: [
      then(status(500)),
      then(status(503), status(498)),
      // More than a call's tries: it fails, and the next run asks again.
      then(status(500), status(502), status(500), status(503)),
    ],
  },
  {
    kind: "hung sockets",
    every: 4,
    variants: [then({ kind: "hang" }), then({ kind: "hang in body" })],
  },
  {
    kind: "answers after the time-out",
    every: 4,
    variants: [then({ kind: "answer", delayMs: LATE_MILLISECONDS })],
  },
  {
    kind: "connections closed, bodies cut, bytes that are not HTTP",
    every: 2,
    variants: [
      then({ kind: "cut", promised: "chunks" }),
      then({ kind: "cut", promised: "length" }, { kind: "drop" }),
      then({ kind: "garbage" }),
    ],
  },
  {
    kind: "half-written JSON, empty bodies",
    every: 2,
    variants: [then({ kind: "half JSON" }), then({ kind: "no body" }, { kind: "half JSON" })],
  },
  {
    kind: "HTML error pages",
    every: 2,
    variants: [then({ kind: "html", status: 502 }), then({ kind: "html", status: 200 })],
  },
  {
    kind: "no choices, no message",
    every: 2,
    variants: [then({ kind: "no choices" }), then({ kind: "no message" })],
  },
  {
    kind: "400, 413",
    every: 5,
    variants: [then({ kind: "status", status: 400, message: "odd" }), then({ kind: "too large" })],
  },
  {
    kind: "answers in other languages, after reasoning, with both letters",
    every: 1,
    variants: ODD_ANSWERS,
  },
  {
    kind: "all of these at random",
    every: 1,
    variants: [
      then(status(500), perMinute({ retryAfter: 2 }), { kind: "half JSON" }),
      then({ kind: "drop" }, { kind: "hang" }),
      then(perMinute({}), { kind: "no choices" }, { kind: "html", status: 503 }),
      then({ kind: "cut", promised: "length" }, perMinute({ tryAgainIn: "2.5s" }), status(498)),
      then({ kind: "html", status: 200 }, { kind: "garbage" }, { kind: "no message" }, status(500)),
      then({ kind: "too large" }, { kind: "hang in body" }),
      ...ODD_ANSWERS,
    ],
  },
];
