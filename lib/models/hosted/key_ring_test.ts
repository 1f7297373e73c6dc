import assert from "node:assert/strict";
import { KEYLESS } from "./api_keys.ts";
import {
  answered,
  finished,
  formatReturn,
  formatWait,
  type KeyReturn,
  type KeyRing,
  keyRing,
  limited,
  next,
  resting,
  started,
  unavailableMessage,
} from "./key_ring.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const SETTINGS = { concurrencyPerKey: 2, longestWait: 60_000, backoff: 1000, failuresInARow: 3 };
const TPM = (waitSeconds?: number) => ({ limit: "tokens per minute", waitSeconds }) as const;
const TPD = (waitSeconds?: number) => ({ limit: "tokens per day", waitSeconds }) as const;
const ringOf = (...labels: string[]): KeyRing => keyRing(labels, SETTINGS);

Deno.test("next() takes turns among free keys, up to their concurrency", () => {
  let ring = ringOf("one", "two");
  const used: string[] = [];
  for (let step = next(ring, "m", NOW); step.kind === "use"; step = next(ring, "m", NOW)) {
    used.push(step.label);
    ring = started(ring, step.label);
  }
  assert.deepEqual(used, ["one", "two", "one", "two"]);
  assert.deepEqual(next(ring, "m", NOW), { kind: "busy" });
  assert.deepEqual(next(finished(ring, "two"), "m", NOW), { kind: "use", label: "two" });
});

Deno.test("limited() never waits for a daily quota: each key's return is named", () => {
  const one = limited(ringOf("one", "two"), "one", "m", { rate: TPD(578.016) }, NOW);
  const both = limited(one, "two", "m", { rate: TPD() }, NOW);
  assert.deepEqual(next(both, "m", NOW), {
    kind: "exhausted",
    returns: [
      { label: "one", until: NOW + 578_016, limit: "tokens per day" },
      { label: "two", until: Date.UTC(2026, 5, 2), limit: "tokens per day" },
    ],
  });
});

Deno.test("limited() doubles the rest where no time is named, once for requests refused together", () => {
  const rests: number[] = [];
  let [ring, now] = [keyRing(["one"], { ...SETTINGS, longestWait: 1e9 }), NOW];
  for (let i = 0; i < 9; i++) {
    ring = limited(
      limited(ring, "one", "m", { rate: TPM() }, now),
      "one",
      "m",
      { rate: TPM() },
      now,
    );
    const step = next(ring, "m", now);
    assert.ok(step.kind === "wait");
    rests.push((step.until - now) / 1000);
    now = step.until;
  }
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  const fresh = limited(answered(ring, "one", "m", now), "one", "m", { rate: TPM() }, now);
  assert.deepEqual(next(fresh, "m", now), {
    kind: "wait",
    until: now + 1000,
    label: "one",
    limit: "tokens per minute",
  });
});

Deno.test("limited() rests longer than the host names, once that proved too short", () => {
  const rests: number[] = [];
  let [ring, now] = [keyRing(["one"], { ...SETTINGS, longestWait: 1e9 }), NOW];
  for (const waitSeconds of [0.0075, 0.0075, 0.0075, 30, 0.0075]) {
    ring = limited(ring, "one", "m", { rate: TPM(waitSeconds) }, now);
    const step = next(ring, "m", now);
    assert.ok(step.kind === "wait");
    rests.push(step.until - now);
    now = step.until;
  }
  assert.deepEqual(rests, [7.5, 1000, 2000, 30_000, 8000]);
});

Deno.test("next() names the return of a key rather than wait for hours when the clock was set back", () => {
  const ring = limited(ringOf("one"), "one", "m", { rate: TPM(43) }, NOW);
  assert.equal(next(ring, "m", NOW - 10_000).kind, "wait");
  assert.equal(next(ring, "m", NOW - 3_600_000).kind, "exhausted");
});

Deno.test("resting() takes over what an earlier process learned", () => {
  const until = NOW + 50_000;
  const rest = { label: "one", model: "m", until, limit: "tokens per day" } as const;
  const ring = resting(ringOf("one"), [rest], "usage.json");
  assert.equal(next(ring, "m", NOW).kind, "wait");
  assert.deepEqual(next(ring, "m", NOW - 20_000), {
    kind: "exhausted",
    returns: [{ label: "one", until, limit: "tokens per day", rememberedIn: "usage.json" }],
  });
  assert.equal(next(ring, "m", until).kind, "use");
});

const UNTIL = Date.UTC(2026, 5, 2, 0, 0, 4, 200);

Deno.test("formatReturn() gives local time and UTC, never too early", () => {
  const local = new Date(UNTIL + 800);
  const two = (n: number) => String(n).padStart(2, "0");
  const here = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())} ` +
    `${two(local.getHours())}:00:05`.replace(":00:", `:${two(local.getMinutes())}:`);
  assert.equal(formatReturn(UNTIL), `${here} here, 2026-06-02 00:00:05 UTC`);
});

Deno.test("formatWait() and unavailableMessage() speak of no key where a server has none", () => {
  const rest = { until: UNTIL, limit: "requests per minute" } as const;
  const until = new Date(UNTIL);
  const waiting = formatWait({ model: "m", key: KEYLESS, limit: rest.limit, until, seconds: 3 });
  assert.equal(waiting, "waiting 0:03 for m (requests per minute)");
  const told = (key: KeyReturn) => unavailableMessage("m", { kind: "exhausted", returns: [key] });
  const busy = told({ label: KEYLESS, ...rest });
  assert.match(
    busy,
    /^Cannot ask m: its server takes questions again .* \(requests per minute\)\./,
  );
  const closed = told({ label: KEYLESS, ended: "its server asks for a key" });
  for (const message of [busy, closed]) assert.doesNotMatch(message, /no key|organisation|valid/);
});

Deno.test("unavailableMessage() names when each key returns, and what to do", () => {
  const message = unavailableMessage("m", {
    kind: "exhausted",
    returns: [
      { label: "GROQ_API_KEY_1", until: UNTIL, limit: "tokens per day" },
      { label: "GROQ_API_KEY_2", ended: "Groq refuses the key" },
    ],
  });
  assert.match(
    message,
    /^Cannot ask m: no available keys remain: GROQ_API_KEY_1 returns .* here, 2026-06-02 00:00:05 UTC \(tokens per day\); GROQ_API_KEY_2 does not return: Groq refuses the key\./,
  );
  assert.match(message, /kept: run the same command again then, or add a key/);
  const remembered = unavailableMessage("m", {
    kind: "exhausted",
    returns: [{ label: "one", until: UNTIL, limit: "tokens per day", rememberedIn: "usage.json" }],
  });
  assert.match(remembered, /\(tokens per day, as usage\.json remembers: delete it where/);
  const none = unavailableMessage("m", {
    kind: "exhausted",
    returns: [{ label: "GROQ_API_KEY_1", ended: "Groq refuses the key" }],
  });
  assert.match(none, /put a valid key in \.env and run the same command again/);
  const ended = { kind: "model ended", message: "it is withdrawn" } as const;
  assert.equal(unavailableMessage("m", ended), "Cannot ask m: it is withdrawn.");
});
