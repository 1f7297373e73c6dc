import assert from "node:assert/strict";
import fc from "fast-check";
import { parseWait, readRateLimit } from "./rate_limit.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const WEEK = 7 * 86_400;
const TPD =
  "Rate limit reached for model `m` in organization `org_x` service tier `on_demand` on " +
  "tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. " +
  "Need more tokens?";

Deno.test("parseWait() reads durations as Groq writes them", () => {
  const read = ["9m38.016s", "7.66s", "2h", "1d1h", "120ms", "1m0s"].map(parseWait);
  assert.deepEqual(read, [578.016, 7.66, 7200, 90_000, 0.12, 60]);
  const none = ["", "soon", "5", "0s", "s", "-3s", "3 s", "1.2.3s"].map(parseWait);
  assert.deepEqual(none, none.map(() => undefined));
});

Deno.test("parseWait() gives seconds of every duration, and nothing above a week (property)", () => {
  const part = fc.nat({ max: 999 });
  fc.assert(
    fc.property(part, part, part, (h, m, s) => {
      const seconds = h * 3600 + m * 60 + s;
      const expected = seconds > 0 && seconds <= WEEK ? seconds : undefined;
      assert.equal(parseWait(`${h}h${m}m${s}s`), expected);
    }),
  );
});

Deno.test("readRateLimit() honours retry-after, then the message, then the limit's own header", () => {
  const headers = {
    "retry-after": "12",
    "x-ratelimit-reset-tokens": "3s",
    "x-ratelimit-reset-requests": "4s",
  };
  const read = (fields: Record<string, string>, message: string) =>
    readRateLimit(new Headers(fields), message, NOW);
  assert.deepEqual(read(headers, TPD), { limit: "tokens per day", waitSeconds: 12 });
  const date = new Date(NOW + 90_000).toUTCString();
  assert.equal(read({ "retry-after": date }, TPD).waitSeconds, 90);
  assert.equal(read({ ...headers, "retry-after-ms": "1500" }, TPD).waitSeconds, 1.5);
  assert.equal(read({ ...headers, "retry-after-ms": "soon" }, TPD).waitSeconds, 12);
  const { "retry-after": _, ...resets } = headers;
  assert.equal(read(resets, TPD).waitSeconds, 578.016);
  const tpm = "Rate limit reached on tokens per minute (TPM): Limit 8000";
  assert.deepEqual(read(resets, tpm), { limit: "tokens per minute", waitSeconds: 3 });
  const rpd = "Rate limit reached on requests per day (RPD): Limit 1000";
  assert.deepEqual(read(resets, rpd), { limit: "requests per day", waitSeconds: 4 });
});

Deno.test("readRateLimit() names no time where there is none, and reads the limit from headers", () => {
  const cases: readonly (readonly [Record<string, string>, string, string])[] = [
    [{}, "slow down", "rate limit"],
    [{ "retry-after": "0" }, "slow down", "rate limit"],
    [{ "retry-after": "soon" }, "slow down", "rate limit"],
    // Seconds since 1970, or a slip: no limit lasts so long.
    [{ "retry-after": String(NOW / 1000) }, "slow down", "rate limit"],
    ...["0x10", "1e3", "Infinity", "1,5", "60s", "9 December 2030"].map((value) =>
      [{ "retry-after": value }, "slow down", "rate limit"] as const
    ),
    [{ "retry-after": "-5" }, "on requests per minute (RPM)", "requests per minute"],
    [{ "retry-after": new Date(NOW - 1000).toUTCString() }, "", "rate limit"],
    [{ "x-ratelimit-remaining-requests": "0" }, "", "requests per day"],
    [{ "x-ratelimit-remaining-tokens": "0" }, "", "tokens per minute"],
    [{ "x-ratelimit-reset-tokens": "3s" }, "tokens used up", "rate limit"],
    [{ "x-ratelimit-reset-tokens": "3s" }, "on tokens per day (TPD)", "tokens per day"],
  ];
  for (const [headers, message, limit] of cases) {
    const read = readRateLimit(new Headers(headers), message, NOW);
    assert.deepEqual(read, { limit, waitSeconds: undefined }, JSON.stringify(headers));
  }
});

Deno.test("readRateLimit() waits between 0 and 7 days, or says nothing (property)", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\x20-\x7e]{0,20}$/), fc.string(), (value, message) => {
      const { waitSeconds } = readRateLimit(new Headers({ "retry-after": value }), message, NOW);
      if (waitSeconds === undefined) return;
      assert.ok(waitSeconds > 0 && waitSeconds <= WEEK, String(waitSeconds));
    }),
    { numRuns: 300 },
  );
});
