import type { Behaviour, FaultPlan } from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import type { Letter } from "../../../lib/pairs/forced_choice.ts";
import { drawn, knownLetter, type RowOutcome } from "./setting.ts";

/** Returns successive replies and the expected row for a question's correct letter. */
type Variant = (right: Letter) => {
  readonly behaviours: readonly Behaviour[];
  readonly outcome: RowOutcome;
  /** True if the one reply is repeated whenever the question is asked. */
  readonly always?: true;
};

/** A kind of fault that affects some questions, whatever the API key and time. */
interface Scenario {
  readonly kind: string;
  /** Rate of affected questions: one in n, each with a variant drawn at random. */
  readonly every: number;
  readonly variants: readonly Variant[];
}

/** Returns a question's replies and expected row; undefined if it is not affected. */
export function strikeOf(
  { kind, every, variants }: Scenario,
  question: Readonly<{ model: string; prompt: string }>,
) {
  const of = [kind, question.model, question.prompt];
  if (drawn("struck", ...of) % every !== 0) return undefined;
  return variants[drawn("variant", ...of) % variants.length]?.(knownLetter(question));
}

/**
 * Returns a scenario's fault plan for the server, with a counter of injected faults. An odd answer
 * that a busy machine received too late is asked again, and counts once.
 */
export function strikes(scenario: Scenario) {
  const struck = new Set<string>();
  const plan: FaultPlan = ({ model, prompt, asked }) => {
    const strike = strikeOf(scenario, { model, prompt });
    const time = strike?.always ? 1 : asked;
    const behaviour = strike?.behaviours[time - 1];
    if (behaviour) struck.add(JSON.stringify([model, prompt, time]));
    return behaviour;
  };
  return { plan, faults: () => struck.size };
}

type OddAnswer = (
  right: Letter,
  wrong: Letter,
) => readonly [sent: string | Omit<Behaviour & { readonly kind: "answer" }, "kind">, RowOutcome];

/** Unusual answers without delay, each with the outcome that it must be parsed to. */
const ODD_ANSWERS: readonly Variant[] = ([
  (right) => [`${right.toLowerCase()}.`, right],
  (right) => [`**${right}**`, right],
  (right) => [`The grammatically correct sentence is ${right}.`, right],
  (right, wrong) => [`<think>${wrong}? The answer is ${wrong}. No.</think>\n${right}`, right],
  (right) => [`<think>The answer is ${right}, because`, "INVALID"],
  (right) => [`Rétta svarið er setning ${right}`, "INVALID"],
  (right) => [`Правильный ответ — ${right}`, "INVALID"],
  () => ["Á báðum stöðum er rétt mál.", "INVALID"],
  () => ["A or B", "INVALID"],
  (right, wrong) => [`${right}: this one. ${wrong}: this one as well.`, "INVALID"],
  () => ["Both A and B are correct.", "INVALID"],
  () => ["A language model cannot know.", "INVALID"],
  () => ["I'm sorry, but I can't help with that. A", "INVALID"],
  () => ['{"error": "A"}', "INVALID"],
  // Hidden reasoning that names the wrong letter, with the answer, and without one; a refusal.
  (right, wrong) => [{ text: right, reasoning: `The answer is ${wrong}.` }, right],
  (right) => [{ text: "", reasoning: `${right}.`, finishReason: "length" }, "INVALID"],
  () => [{ refusal: "The answer is A, but no." }, "INVALID"],
] as readonly OddAnswer[]).map((answer) => (right) => {
  const [sent, outcome] = answer(right, right === "A" ? "B" : "A");
  const reply = typeof sent === "string" ? { text: sent } : sent;
  return { behaviours: [{ kind: "answer", ...reply }], outcome, always: true };
});

/** Makes a variant that behaves so before it gives the right answer. */
const then = (...behaviours: readonly Behaviour[]): Variant => (outcome) => (
  { behaviours, outcome }
);

const status = (status: number): Behaviour => ({ kind: "status", status });

const perMinute = (more: { retryAfter?: number; tryAgainIn?: string }): Behaviour => (
  { kind: "rate limit", quota: "TPM", ...more }
);

const scenario = (kind: string, every: number, variants: readonly Variant[]): Scenario => (
  { kind, every, variants }
);

/** Kinds of fault that affect single questions. */
export const SCENARIOS: readonly Scenario[] = [
  scenario("429 with retry-after", 2, [
    then(perMinute({ retryAfter: 3 })),
    then(perMinute({ retryAfter: 0.5 }), { kind: "rate limit", quota: "RPM", retryAfter: 12.5 }),
  ]),
  scenario("429 that names the time in its message only", 2, [
    then(perMinute({ tryAgainIn: "7.66s" })),
    then(perMinute({ tryAgainIn: "1m26.4s" }), perMinute({ tryAgainIn: "830ms" })),
  ]),
  scenario("429 that names no time, in storms", 1, [
    then(perMinute({}), perMinute({}), perMinute({})),
  ]),
  scenario("500, 502, 503, 498", 2, [
    then(status(500)),
    then(status(503), status(498)),
    // More than a call's tries: it fails, and the next run asks again.
    then(status(500), status(502), status(500), status(503)),
  ]),
  scenario("hung sockets", 4, [then({ kind: "hang" }), then({ kind: "hang in body" })]),
  scenario("answers after the time-out", 4, [then({ kind: "answer", delayMs: 400 })]),
  scenario("connections closed, bodies cut, bytes that are not HTTP", 2, [
    then({ kind: "cut", promised: "chunks" }),
    then({ kind: "cut", promised: "length" }, { kind: "drop" }),
    then({ kind: "garbage" }),
  ]),
  scenario("half-written JSON, empty bodies", 2, [
    then({ kind: "half JSON" }),
    then({ kind: "no body" }, { kind: "half JSON" }),
  ]),
  scenario("HTML error pages", 2, [
    then({ kind: "html", status: 502 }),
    then({ kind: "html", status: 200 }),
  ]),
  scenario("no choices, no message", 2, [
    then({ kind: "no choices" }),
    then({ kind: "no message" }),
  ]),
  scenario("400, 413", 5, [
    then({ kind: "status", status: 400, message: "odd" }),
    then({ kind: "too large" }),
  ]),
  scenario("answers in other languages, after reasoning, with both letters", 1, ODD_ANSWERS),
  scenario("all of these at random", 1, [
    then(status(500), perMinute({ retryAfter: 2 }), { kind: "half JSON" }),
    then({ kind: "drop" }, { kind: "hang" }),
    then(perMinute({}), { kind: "no choices" }, { kind: "html", status: 503 }),
    then({ kind: "cut", promised: "length" }, perMinute({ tryAgainIn: "2.5s" }), status(498)),
    then({ kind: "html", status: 200 }, { kind: "garbage" }, { kind: "no message" }, status(500)),
    then({ kind: "too large" }, { kind: "hang in body" }),
    ...ODD_ANSWERS,
  ]),
];
