import assert from "node:assert/strict";
import { KEYLESS } from "./api_keys.ts";
import { formatReturn, formatWait, KeyRing, modelUnavailable } from "./key_ring.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const SETTINGS = {
  concurrencyPerKey: 2,
  longestWaitSeconds: 60,
  backoffSeconds: 1,
  failuresInARow: 3,
};
const limited = (limit: "tokens per minute" | "tokens per day", waitSeconds?: number) =>
  ({ kind: "limited", rate: { limit, waitSeconds } }) as const;

Deno.test("limited() never waits for a daily quota: each key's return is named, midnight where no time is", () => {
  const ring = new KeyRing(["one", "two"], SETTINGS);
  ring.settle("one", "m", limited("tokens per day", 578.016), NOW);
  ring.settle("two", "m", limited("tokens per day"), NOW);
  const step = ring.next("m", NOW);
  assert.ok(step.kind === "exhausted");
  const returns = step.returns.map((key) => "until" in key && key.until);
  assert.deepEqual(returns, [NOW + 578_016, Date.UTC(2026, 5, 2)]);
});

Deno.test("limited() doubles the rest where no time is named or it proved too short, once for requests refused together", () => {
  const rests = (named: readonly (number | undefined)[], ring: KeyRing, now: number) =>
    named.map((waitSeconds) => {
      for (let together = 0; together < 2; together++) {
        ring.settle("one", "m", limited("tokens per minute", waitSeconds), now);
      }
      const step = ring.next("m", now);
      const wait = step.kind === "wait" ? step.until - now : NaN;
      now += wait;
      return wait;
    });
  const ringOf = () => new KeyRing(["one"], { ...SETTINGS, longestWaitSeconds: 1e6 });
  const ring = ringOf();
  const seconds = [1, 2, 4, 8, 16, 32, 60, 60];
  assert.deepEqual(rests(Array(8).fill(undefined), ring, NOW), seconds.map((s) => s * 1000));
  ring.settle("one", "m", { kind: "done" }, NOW + 1e6);
  assert.deepEqual(rests([undefined], ring, NOW + 1e6), [1000]);
  const named = [0.0075, 0.0075, 0.0075, 30, 0.0075];
  assert.deepEqual(rests(named, ringOf(), NOW), [7.5, 1000, 2000, 30_000, 8000]);
});

Deno.test("formatReturn() and formatWait() give local time and UTC, never too early, and no key where there is none", () => {
  const until = Date.UTC(2026, 5, 2, 0, 0, 4, 200);
  assert.match(formatReturn(until), /^2026-06-0\d \d\d:\d\d:05 here, 2026-06-02 00:00:05 UTC$/);
  const waiting = { model: "m", limit: "requests per minute", seconds: 2.1 };
  assert.equal(
    formatWait({ ...waiting, key: KEYLESS }),
    "waiting 0:03 for m (requests per minute)",
  );
  assert.match(formatWait({ ...waiting, key: "K_1" }), /^waiting 0:03 for K_1, m /);
  const rest = { label: KEYLESS, until: NOW, limit: "tokens per day", strikes: 0 } as const;
  const message = modelUnavailable("m", { kind: "exhausted", returns: [rest] }).message;
  assert.match(message, /^Cannot ask m: its server takes questions again/);
});

Deno.test("modelUnavailable() reports six resting keys by the first and the last, and keys ended alike together", () => {
  const labels = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `KEY_${n}`);
  const ring = new KeyRing(labels, SETTINGS);
  for (const [at, label] of labels.entries()) {
    const ended = { kind: "key", message: "it is refused", wholeOrganisation: false } as const;
    ring.settle(label, "m", at < 6 ? limited("tokens per day", 6000 - 600 * at) : ended, NOW);
  }
  const step = ring.next("m", NOW);
  assert.ok(step.kind === "exhausted");
  const { message, returns } = modelUnavailable("m", step);
  assert.match(
    message,
    /remain: 6 keys rest, KEY_6 returns first 20.* UTC \(tokens per day\), KEY_1 returns last 20.* UTC \(tokens per day\); KEY_7, KEY_8 do not return: it is refused\. What/,
  );
  assert.equal(returns?.getTime(), NOW + 3_000_000);
});
