import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { ModelUnavailable } from "../model.ts";
import { type ApiKey, apiKey } from "./api_keys.ts";
import { formatWait } from "./key_ring_report.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";
import { limitError, statusError } from "./testdata/host_errors.ts";
import { virtualTime } from "./testdata/virtual_time.ts";

const KEYS = ["first", "second"].map((name, index) =>
  apiKey(`GROQ_API_KEY_${index + 1}`, ["gsk", "test", name].join("_"))
);
const [ONE, TWO] = ["GROQ_API_KEY_1", "GROQ_API_KEY_2"];

/** Calls in virtual time, whose host replies by script: a value, or an error to throw. */
function stage(
  script: (request: number, key: string) => string | Error | Promise<string>,
  options: KeyedCallsOptions & { readonly keys?: readonly ApiKey[] } = {},
) {
  const time = virtualTime();
  const used: string[] = [];
  const waits: string[] = [];
  const calls = openKeyedCalls(options.keys ?? KEYS, {
    ...time,
    backoffSeconds: 0.001,
    onWait: (status) => waits.push(formatWait(status)),
    ...options,
  });
  const ask = (signal?: AbortSignal, model = "m") =>
    calls.call(model, async (key) => {
      used.push(key.label);
      const reply = await script(used.length, key.label);
      if (reply instanceof Error) throw reply;
      return reply;
    }, signal ? { signal } : {});
  return { calls, ask, used, waits, time };
}

/** Lets everything go on that can. */
const turn = () => setImmediate();

const done = (value: string) => ({ kind: "done", value });

Deno.test("call() goes to the next key at a 429, and leaves the first alone while it rests", async () => {
  const { ask, used, time } = stage((n) =>
    n === 1 ? limitError("tokens per minute (TPM)", "43s") : "A"
  );
  assert.deepEqual(await ask(), done("A"));
  assert.deepEqual(await ask(), done("A"));
  assert.deepEqual([used, time.slept], [[ONE, TWO, TWO], []]);
});

Deno.test("call() waits with a countdown where all keys rest, and not at all for a daily quota", async () => {
  const { ask, waits, time } = stage((n) =>
    n <= 2 ? limitError("tokens per minute (TPM)", "2.5s") : "A"
  );
  assert.deepEqual(await ask(), done("A"));
  assert.deepEqual(time.slept, [1000, 1000, 500]);
  assert.deepEqual(
    waits,
    ["0:03", "0:02", "0:01"].map((left) =>
      `waiting ${left} for GROQ_API_KEY_1, m (tokens per minute)`
    ),
  );
  const daily = stage((_, key) =>
    limitError("tokens per day (TPD)", "9m38.016s", { organisation: `org_${key}` })
  );
  await assert.rejects(daily.ask(), (error) => {
    assert.ok(error instanceof ModelUnavailable);
    assert.match(
      error.message,
      /no available keys remain: GROQ_API_KEY_1 returns .*GROQ_API_KEY_2 returns .*\(tokens per day\)/,
    );
    assert.deepEqual(error.returns, new Date(daily.time.now() + 578_016));
    return error.model === "m";
  });
  assert.deepEqual([daily.used, daily.time.slept], [[ONE, TWO], []]);
});

Deno.test("call() uses no key of an organisation that is known to rest", async () => {
  // Both keys belong to one organisation: the second 429 tells, the third call asks nobody.
  const { ask, used } = stage(() => limitError("requests per day (RPD)", "8h"));
  await assert.rejects(ask(), ModelUnavailable);
  await assert.rejects(ask(), ModelUnavailable);
  assert.deepEqual(used, [ONE, TWO]);
});

Deno.test("call() drops refused keys for good, and says so when none is left", async () => {
  const { ask, used } = stage((n, key) =>
    key === ONE ? statusError(401, "Invalid API Key") : n < 3 ? "A" : statusError(403, "no")
  );
  assert.deepEqual(await ask(), done("A"));
  await assert.rejects(ask(), (error) => {
    assert.ok(error instanceof ModelUnavailable);
    assert.match(
      error.message,
      /GROQ_API_KEY_1 does not return: Groq refuses the key \(401: Invalid API Key\)/,
    );
    assert.equal(error.returns, undefined);
    return true;
  });
  assert.deepEqual(used, [ONE, TWO, TWO]);
});

Deno.test("call() ends a withdrawn model at once for everybody, and no other model", async () => {
  const gone = statusError(400, "The model `m` has been decommissioned", {
    code: "model_decommissioned",
  });
  const { ask, calls, used } = stage(() => gone);
  await assert.rejects(
    ask(),
    /Cannot ask m: Groq does not serve it .* under the same id in data\/panels\/groq\.yaml/,
  );
  await assert.rejects(ask(), ModelUnavailable);
  assert.deepEqual(used, [ONE]);
  assert.deepEqual(await calls.call("n", () => Promise.resolve("B")), done("B"));
});

Deno.test("call() tries network errors and 5xx three times, 4xx once", async () => {
  const mended = stage((n) => n < 3 ? statusError(500, "oops") : "A");
  assert.deepEqual(await mended.ask(), done("A"));
  assert.equal(mended.used.length, 3);
  const broken = stage(() =>
    new TypeError("error sending request for url (https://h.example/): connection reset")
  );
  assert.deepEqual(await broken.ask(), {
    kind: "failure",
    message:
      "Cannot ask m: Groq cannot be reached: the connection broke off in the middle (3 tries).",
  });
  assert.equal(broken.used.length, 3);
  const refused = stage(() => statusError(400, "logprobs is not supported"));
  assert.match(JSON.stringify(await refused.ask()), /bad request .*logprobs is not supported/);
  assert.equal(refused.used.length, 1);
});

Deno.test("call() gives a model up after many failures in a row, and one success forgets them", async () => {
  const flaky = stage((n) => n % 9 === 0 ? "A" : statusError(502, "bad gateway"), {
    failuresInARow: 3,
  });
  for (let i = 0; i < 12; i++) await flaky.ask();
  assert.equal(flaky.used.length, 36);
  const dead = stage(() => statusError(502, "bad gateway"), { failuresInARow: 3 });
  for (let i = 0; i < 3; i++) assert.equal((await dead.ask()).kind, "failure");
  await assert.rejects(dead.ask(), /3 calls in a row failed, the last because Groq answers 502/);
  assert.equal(dead.used.length, 9);
});

Deno.test("call() gives up a request that hangs, whether or not it minds its signal", async () => {
  const { ask, used } = stage(() => new Promise<string>(() => {}), { timeoutSeconds: 0.005 });
  assert.deepEqual(await ask(), {
    kind: "failure",
    message: "Cannot ask m: Groq gave no whole answer within 0.005 s (3 tries).",
  });
  assert.equal(used.length, 3);
});

Deno.test("call() ends at once when its signal aborts: in flight, in a queue, in a rest, between tries", async () => {
  const hang = () => new Promise<string>(() => {});
  const slow = { sleep: () => new Promise<void>(() => {}) };
  const stages = [
    stage(hang),
    stage(hang, { keys: KEYS.slice(0, 1), concurrencyPerKey: 1 }),
    stage(() => limitError("tokens per minute (TPM)", "43s"), slow),
    stage(() => statusError(500, "oops"), { backoffSeconds: 60 }),
  ];
  for (const { ask } of stages) {
    const controller = new AbortController();
    const asked = [ask(controller.signal), ask(controller.signal)];
    await turn();
    controller.abort(new Error("Ctrl-C"));
    const stopped = { kind: "failure", message: "Cannot ask m: stopped." };
    assert.deepEqual(await Promise.all(asked), [stopped, stopped]);
    assert.deepEqual(await ask(controller.signal), stopped);
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
  const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["failure", "failure", "done"]);
  assert.equal(used.length, 2);
});

Deno.test("openKeyedCalls() refuses to begin without a key", () => {
  assert.throws(() => openKeyedCalls([]), RangeError);
});

type Step = "A" | "limited" | "daily" | "error" | "refused" | "invalid";

const STEPS = fc.array(
  fc.constantFrom<Step>(
    "A",
    "A",
    "A",
    "limited",
    "limited",
    "error",
    "refused",
    "daily",
    "invalid",
  ),
  { minLength: 1, maxLength: 40 },
);

function reply(step: Step): string | Error {
  switch (step) {
    case "A":
      return "A";
    case "limited":
      return limitError("tokens per minute (TPM)", undefined, { headers: { "retry-after": "2" } });
    case "daily":
      return limitError("requests per day (RPD)", "5h");
    case "error":
      return statusError(503, "overloaded");
    case "refused":
      return statusError(400, "bad");
    case "invalid":
      return statusError(401, "Invalid API Key");
  }
}

const REST_MS: Readonly<Record<Step, number>> = {
  ...{ A: 0, limited: 2000, daily: 5 * 3_600_000, error: 0, refused: 0, invalid: Infinity },
};

Deno.test("call() ends for every caller, within concurrency and rests, whatever is replied (property)", async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, fc.integer({ min: 1, max: 3 }), async (steps, concurrencyPerKey) => {
      const inFlight = new Map<string, number>();
      const restsUntil = new Map<string, number>();
      const time = virtualTime();
      let requests = 0;
      using calls = openKeyedCalls(KEYS, {
        ...time,
        concurrencyPerKey,
        backoffSeconds: 0,
        longestWaitSeconds: 20,
      });
      const request = async ({ label }: ApiKey) => {
        const step = steps[requests++ % steps.length]!;
        const running = (inFlight.get(label) ?? 0) + 1;
        assert.ok(running <= concurrencyPerKey, `${running} requests with one key`);
        assert.ok(time.now() >= (restsUntil.get(label) ?? 0), "a resting key is used");
        inFlight.set(label, running);
        await turn();
        inFlight.set(label, inFlight.get(label)! - 1);
        // Noted a turn later: until then others may be on their way with the key.
        const until = time.now() + REST_MS[step];
        if (REST_MS[step] > 0) turn().then(() => restsUntil.set(label, until));
        const made = reply(step);
        if (made instanceof Error) throw made;
        return made;
      };
      const ends = await Promise.allSettled(
        Array.from({ length: 12 }, () => calls.call("m", request)),
      );
      for (const end of ends) {
        if (end.status === "rejected") {
          assert.ok(end.reason instanceof ModelUnavailable, end.reason);
        } // What is no error of the host's is one of this test: an assertion above that failed.
        else if (end.value.kind === "failure") assert.doesNotMatch(end.value.message, /broke/);
      }
      assert.ok(requests <= 12 * 40, `${requests} requests`);
    }),
    { numRuns: 100 },
  );
});
