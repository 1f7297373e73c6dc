import type { Behaviour } from "../../lib/models/hosted/stand_in_server.ts";
import type { Letter } from "../../lib/pairs/forced_choice.ts";
import { ODD_ANSWERS } from "./odd_answers.ts";
import type { Scenario, Strike } from "./scenario.ts";
import { LATE_MILLISECONDS } from "./timing.ts";

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
