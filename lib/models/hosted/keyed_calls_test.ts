import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { Groq } from "groq-sdk";
import { ModelUnavailable } from "../model.ts";
import { type ApiKey, apiKey } from "./api_keys.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";

const KEYS = ["first", "second"].map((name, index) =>
  apiKey(`GROQ_API_KEY_${index + 1}`, ["gsk", "test", name].join("_"))
);

const statusError = (status: number, message: string, code?: string) =>
  Groq.APIError.generate(status, { error: { message, code } }, undefined, new Headers());
const limitError = (limit: string, wait: string, organisation = "org_a") => {
  const where = `in organization \`${organisation}\` service tier \`on_demand\``;
  const message =
    `Rate limit reached ${where} on ${limit}. Please try again in ${wait}. Need more?`;
  return statusError(429, message, "rate_limit_exceeded");
};
const PER_MINUTE = (wait: string) => limitError("tokens per minute (TPM)", wait);
const UNREACHED = (why: string) =>
  new TypeError(`error sending request for url (https://h.example/): ${why}`);

/** A clock, and a sleep that moves it at once instead of sleeping. */
function virtualTime() {
  const slept: number[] = [];
  let now = Date.UTC(2026, 5, 1, 12);
  return {
    now: () => now,
    slept,
    async sleep(milliseconds: number, signal: AbortSignal) {
      // A whole turn, in which requests in flight may end first.
      await setImmediate();
      signal.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** Calls in virtual time, whose host replies by script: a value, or an error to throw. */
function stage(
  script: (request: number, key: string) => string | Error | Promise<string>,
  { keys = KEYS, ...options }: KeyedCallsOptions & { readonly keys?: readonly ApiKey[] } = {},
) {
  const time = virtualTime();
  const used: string[] = [];
  const calls = openKeyedCalls(keys, { ...time, backoffSeconds: 0.001, ...options });
  const ask = async (signal?: AbortSignal, model = "m") => {
    const asked = calls.call(model, async (key) => {
      used.push(key.label);
      const reply = await script(used.length, key.label);
      if (reply instanceof Error) throw reply;
      return reply;
    }, { signal });
    try {
      const end = await asked;
      return end.kind === "done" ? end.value : `${end.kind}: ${end.message}`;
    } catch (error) {
      assert.ok(error instanceof ModelUnavailable, String(error));
      return `unavailable: ${error.message}`;
    }
  };
  return { calls, ask, used, time };
}

const turn = () => setImmediate();

Deno.test("call() goes on with the next key, sleeps for none that has an alternative, and gives a model up after many failures in a row", async () => {
  const rotating = stage((n) => n === 1 ? PER_MINUTE("43s") : "A");
  for (let call = 0; call < 2; call++) assert.equal(await rotating.ask(), "A");
  assert.deepEqual(rotating.used.map((label) => label.at(-1)), ["1", "2", "2"]);
  assert.deepEqual(rotating.time.slept, []);
  const options = { failuresInARow: 3, tries: 1 };
  const failing = stage((n) => n === 2 ? "A" : statusError(502, "bad gateway"), options);
  const ends = [/^failure/, /^A$/, /^failure/, /^failure/, /^failure/, /3 calls in a row failed/];
  for (const end of ends) assert.match(await failing.ask(), end);
  assert.equal(failing.used.length, 5);
});

Deno.test("call() asks no model more at a host whose name could never be resolved, and says so once", async () => {
  const { ask, used } = stage(() => UNREACHED("dns error"));
  const ends = await Promise.all(["a", "b", "c"].map((model) => ask(undefined, model)));
  const [end, ...others] = new Set(ends);
  assert.match(end!, /^unavailable: .* name cannot be resolved; .* is kept: run the same command/);
  assert.equal(others.length, 0);
  const before = used.length;
  assert.match(await ask(undefined, "d"), /cannot be resolved/);
  assert.equal(used.length, before);
  const outage = stage((n) => n > 1 && n < 5 ? UNREACHED("dns error") : "A");
  assert.equal(await outage.ask(), "A");
  assert.match(await outage.ask(), /^failure: .*cannot be resolved.*\(3 tries\)\.$/);
  assert.equal(await outage.ask(), "A");
});

Deno.test("call() ends at once when its signal aborts: in flight, in a queue, in a rest, between tries", async () => {
  const hang = () => new Promise<string>(() => {});
  const slow = { sleep: () => new Promise<void>(() => {}) };
  const stages = [
    stage(hang),
    stage(hang, { keys: KEYS.slice(0, 1), concurrencyPerKey: 1 }),
    stage(() => PER_MINUTE("43s"), slow),
    stage(() => statusError(500, "oops"), { backoffSeconds: 60 }),
  ];
  for (const { ask } of stages) {
    const controller = new AbortController();
    const asked = [ask(controller.signal), ask(controller.signal)];
    await turn();
    controller.abort(new Error("Ctrl-C"));
    const stopped = "failure: Cannot ask m: stopped.";
    assert.deepEqual(await Promise.all(asked), [stopped, stopped]);
    assert.equal(await ask(controller.signal), stopped);
  }
});

Deno.test("call() frees the key of an aborted request, and the place of an aborted caller", async () => {
  const first = Promise.withResolvers<string>();
  const { ask, used } = stage((n) => n === 1 ? first.promise : "A", {
    keys: KEYS.slice(0, 1),
    concurrencyPerKey: 1,
  });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const asked = [ask(running.signal), ask(waiting.signal), ask()];
  await turn();
  waiting.abort();
  running.abort();
  const stopped = "failure: Cannot ask m: stopped.";
  assert.deepEqual(await Promise.all(asked), [stopped, stopped, "A"]);
  assert.equal(used.length, 2);
});

/** For how many milliseconds a key must rest, where it must. */
const RESTS = { limited: 2000, daily: 5 * 3_600_000, invalid: Infinity, restricted: Infinity };
type Step = keyof typeof RESTS | "A" | "error" | "refused";

const replyOf = (organisation: string): Readonly<Record<Step, string | Error>> => ({
  A: "A",
  limited: limitError("tokens per minute (TPM)", "2s", organisation),
  daily: limitError("requests per day (RPD)", "5h", organisation),
  invalid: statusError(401, "Invalid API Key"),
  restricted: statusError(400, "Organization has been restricted"),
  error: statusError(503, "overloaded"),
  refused: statusError(400, "bad"),
});
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>("A") },
  { weight: 6, arbitrary: fc.constantFrom<Step>("limited", "error", "refused", "daily") },
  { weight: 1, arbitrary: fc.constantFrom<Step>("invalid", "restricted") },
);
const LABELS = ["one", "two", "three"];
const COURSE = fc.record({
  steps: fc.array(STEP, { minLength: 1, maxLength: 40 }),
  concurrencyPerKey: fc.integer({ min: 1, max: 3 }),
  /** Organisation of each key: the host knows it, the ring must learn it. */
  organisations: fc.tuple(...LABELS.map(() => fc.constantFrom("org_a", "org_b", "org_c"))),
});

Deno.test("call() ends for every caller, within concurrency, with no key that rests, is ended or shares the organisation of one, whatever is replied (property)", async () => {
  await fc.assert(
    fc.asyncProperty(COURSE, async ({ steps, concurrencyPerKey, organisations }) => {
      const inFlight = new Map<string, number>();
      const restsUntil = new Map<string, number>();
      /** Organisations that the host has named. */
      const named = new Map<string, string>();
      const time = virtualTime();
      let requests = 0;
      const keys = LABELS.map((label) => apiKey(label, `secret of ${label}`));
      const wait = { backoffSeconds: 0, longestWaitSeconds: 20 };
      using calls = openKeyedCalls(keys, { ...time, concurrencyPerKey, ...wait });
      const ask = (model: string) =>
        calls.call(model, async ({ label }) => {
          const step = steps[requests++ % steps.length]!;
          const running = (inFlight.get(label) ?? 0) + 1;
          assert.ok(running <= concurrencyPerKey, `${running} requests with one key`);
          assert.ok(time.now() >= (restsUntil.get(label + model) ?? 0), "a resting key is used");
          inFlight.set(label, running);
          await turn();
          inFlight.set(label, inFlight.get(label)! - 1);
          const own = organisations[LABELS.indexOf(label)]!;
          const rest = step in RESTS ? RESTS[step as keyof typeof RESTS] : 0;
          const until = time.now() + rest;
          // Noted a turn later: until then others may be on their way with the key.
          if (rest > 0) {
            turn().then(() => {
              if (rest < Infinity) named.set(label, own);
              const shares = (other: string) =>
                step !== "invalid" && named.get(label) === own && named.get(other) === own;
              for (const other of LABELS.filter((other) => other === label || shares(other))) {
                for (const each of rest === Infinity ? ["m", "n"] : [model]) {
                  const before = restsUntil.get(other + each) ?? 0;
                  restsUntil.set(other + each, Math.max(until, before));
                }
              }
            });
          }
          const reply = replyOf(own)[step];
          if (reply instanceof Error) throw reply;
          return reply;
        });
      const asked = Array.from({ length: 16 }, (_, index) => ask(index % 3 ? "m" : "n"));
      for (const end of await Promise.allSettled(asked)) {
        if (end.status === "rejected") {
          assert.ok(end.reason instanceof ModelUnavailable, end.reason);
        } // What is no error of the host's is one of this test: an assertion above that failed.
        else if (end.value.kind === "failure") assert.doesNotMatch(end.value.message, /broke/);
      }
      assert.ok(requests <= 16 * 40, `${requests} requests`);
    }),
    { numRuns: 200 },
  );
});
