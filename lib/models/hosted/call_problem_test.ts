import assert from "node:assert/strict";
import fc from "fast-check";
import { Groq } from "groq-sdk";
import OpenAI from "openai";
import { TimeLimitError } from "../in_flight.ts";
import { parseWait, readProblem, readRateLimit, UnusableReply } from "./call_problem.ts";

const CONTEXT = { host: "Groq", modelRemedy: "replace it", now: 0, clean: (text: string) => text };

/** The same error as both SDKs would throw it. */
function sdkErrors(status: number, body: unknown, headers: Record<string, string> = {}) {
  const error = typeof body === "string" ? undefined : body as Record<string, unknown>;
  const text = typeof body === "string" ? body : undefined;
  return [
    Groq.APIError.generate(status, error, text, new Headers(headers)),
    OpenAI.APIError.generate(status, error, text, new Headers(headers)),
  ];
}

const body = (message: string, code?: string) => ({ error: { message, type: "x", code } });

/** Status, code, message of the body (a page where it begins with <), kind of problem, what is said. */
const STATUSES = `
500 |  | oops | transient | ^Groq answers 500: oops$
502 |  | <html><title>Bad gateway</title></html> | transient | 502: an HTML page \\(Bad gateway\\)
498 |  | Flex tier capacity exceeded | transient | 498
401 | invalid_api_key | Invalid API Key | key | refuses the key \\(401: Invalid API Key\\); put a valid one
403 |  | Forbidden | key | refuses the key \\(403
402 | invalid_request_error | Insufficient Balance | key | no credit left with Groq
403 |  | <html><title>Access denied</title></html> | key | something before Groq blocks .*\\(Access denied\\)
400 | blocked_api_access | Spend limit reached | key | no credit left with Groq
400 | organization_restricted | Organization has been restricted. | key | restricted its organisation
429 | insufficient_quota | You exceeded your quota | key | no credit left
400 | model_decommissioned | The model has been decommissioned | model | does not serve it .*; replace it$
404 | model_not_found | The model does not exist | model | does not serve it
403 | model_permission_blocked_org | The model is blocked | model | does not serve it
413 |  | Request Entity Too Large | refused | request is too large
429 |  | Request too large for model: Limit 6000 | refused | too large: .*Limit 6000.*shorten the prompt
400 | unsupported | logprobs is not supported | refused | ^bad request \\(Groq answers 400: logprobs is
`.trim().split("\n").map((line) => line.split(" | "));

Deno.test("readProblem() tells by status and body what is to be done, for both SDKs", () => {
  for (const [status, code, message, kind, pattern] of STATUSES) {
    const content = message!.startsWith("<") ? message : body(message!, code!.trim() || undefined);
    for (const error of sdkErrors(Number(status), content)) {
      const problem = readProblem(error, CONTEXT);
      assert.equal(problem.kind, kind, `${status} ${message}`);
      assert.match("message" in problem ? problem.message : "", new RegExp(pattern!));
    }
  }
  const [told] = sdkErrors(401, { error: "in one sentence" });
  assert.match(
    JSON.stringify(readProblem(told, CONTEXT)),
    /refuses the key \(401: in one sentence/,
  );
  const [nothing] = sdkErrors(404, "404 page not found");
  assert.match(JSON.stringify(readProblem(nothing, CONTEXT)), /nothing is served at this address/);
});

Deno.test("readProblem() reads limit, time and organisation of a 429", () => {
  const message = "Rate limit reached for model `m` in organization `org_01k` service tier " +
    "`on_demand` on tokens per day (TPD): Limit 1, Used 1, Requested 1. Please try again in 2m.";
  for (const error of sdkErrors(429, body(message, "rate_limit_exceeded"))) {
    assert.deepEqual(readProblem(error, CONTEXT), {
      kind: "limited",
      rate: { limit: "tokens per day", waitSeconds: 120 },
      organisation: "org_01k",
    });
  }
  for (const error of sdkErrors(429, "slow down", { "retry-after": "7" })) {
    const rate = { limit: "rate limit", waitSeconds: 7 };
    assert.deepEqual(readProblem(error, CONTEXT), { kind: "limited", rate });
  }
});

Deno.test("readProblem() tells the ways apart in which no reply comes, and shows no address", () => {
  const connect = (text: string) =>
    new TypeError(`error sending request for url (https://host.example/x): client error: ${text}`);
  const network: readonly (readonly [Error, RegExp])[] = [
    [connect("dns error: failed to lookup address information"), /name cannot be resolved/],
    [connect("tcp connect error: Connection refused (os error 111)"), /refuses the connection/],
    [connect("tcp connect error: Network is unreachable"), /no way to it/],
    [connect("invalid peer certificate: UnknownIssuer"), /certificate/],
    [connect("connection reset by peer"), /broke off/],
    [connect("something new"), /the connection failed/],
    [new TypeError("error reading a body from connection"), /broke off/],
  ];
  const wrapped = network.map(([cause, pattern]) =>
    [new Groq.APIConnectionError({ cause }), pattern] as const
  );
  const others: readonly (readonly [unknown, RegExp])[] = [
    [new TimeLimitError(30), /gave no whole answer within 30 s/],
    [new SyntaxError("Unexpected end of JSON input"), /half a reply/],
    [new UnusableReply("choices: Too small"), /no usable reply: choices/],
  ];
  for (const [error, pattern] of [...network, ...wrapped, ...others]) {
    const problem = readProblem(error, CONTEXT);
    assert.ok(problem.kind === "transient", String(error));
    assert.match(problem.message, pattern);
    assert.doesNotMatch(problem.message, /host\.example/);
  }
  for (const error of [new Deno.errors.NotCapable("Requires net access"), new RangeError("own")]) {
    assert.equal(readProblem(error, CONTEXT).kind, "refused");
  }
});

Deno.test("readProblem() never tries a 4xx again, and always a 5xx (property)", () => {
  const status = fc.integer({ min: 400, max: 599 });
  fc.assert(
    fc.property(status, fc.string(), fc.string(), (status, message, code) => {
      for (const error of sdkErrors(status, body(message, code))) {
        const again = readProblem(error, CONTEXT).kind === "transient";
        assert.equal(again, status >= 500 || status === 498);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("readProblem() cleans a text before it cuts it: no half of a key is left", () => {
  const clean = (text: string) => text.replaceAll("plain-secret-value", "[key]");
  for (let length = 280; length <= 300; length++) {
    for (const error of sdkErrors(500, body(`${"x".repeat(length)}plain-secret-value`))) {
      assert.doesNotMatch(JSON.stringify(readProblem(error, { ...CONTEXT, clean })), /plain/);
    }
  }
});

const NOW = Date.UTC(2026, 5, 1, 12);
const WEEK = 7 * 86_400;

Deno.test("parseWait() reads durations as Groq writes them, and nothing above a week (property)", () => {
  const read = ["9m38.016s", "7.66s", "2h", "1d1h", "120ms", "1m0s"].map(parseWait);
  assert.deepEqual(read, [578.016, 7.66, 7200, 90_000, 0.12, 60]);
  for (const text of ["", "soon", "5", "0s", "s", "-3s", "3 s", "1.2.3s"]) {
    assert.equal(parseWait(text), undefined);
  }
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
  const resets = { "x-ratelimit-reset-tokens": "3s", "x-ratelimit-reset-requests": "4s" };
  const tpd = "on tokens per day (TPD): Limit 100000. Please try again in 9m38.016s. Need more?";
  const read = (fields: Record<string, string>, message: string) => {
    const { limit, waitSeconds } = readRateLimit(new Headers(fields), message, NOW);
    return `${limit}: ${waitSeconds}`;
  };
  const date = new Date(NOW + 90_000).toUTCString();
  assert.equal(read({ ...resets, "retry-after": "12" }, tpd), "tokens per day: 12");
  assert.equal(read({ "retry-after": date }, tpd), "tokens per day: 90");
  assert.equal(read({ "retry-after": "12", "retry-after-ms": "1500" }, ""), "rate limit: 1.5");
  assert.equal(read({ "retry-after": "12", "retry-after-ms": "soon" }, ""), "rate limit: 12");
  assert.equal(read(resets, tpd), "tokens per day: 578.016");
  assert.equal(read(resets, "on tokens per minute (TPM): Limit 8000"), "tokens per minute: 3");
  assert.equal(read(resets, "on requests per day (RPD): Limit 1000"), "requests per day: 4");
  assert.equal(read({ "x-ratelimit-remaining-requests": "0" }, ""), "requests per day: undefined");
  assert.equal(read({ "x-ratelimit-remaining-tokens": "0" }, ""), "tokens per minute: undefined");
});

Deno.test("readRateLimit() waits between 0 and 7 days, or names no time (property)", () => {
  // Seconds since 1970, or a slip: no limit lasts so long.
  const odd = ["0", "soon", `${NOW / 1000}`, "0x10", "1e3", "Infinity", "1,5", "60s", "9 May 2030"];
  const past = new Date(NOW - 1000).toUTCString();
  for (const value of [...odd, "-5", past]) {
    assert.equal(
      readRateLimit(new Headers({ "retry-after": value }), "", NOW).waitSeconds,
      undefined,
    );
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[\x20-\x7e]{0,20}$/), fc.string(), (value, message) => {
      const { waitSeconds } = readRateLimit(new Headers({ "retry-after": value }), message, NOW);
      assert.ok(waitSeconds === undefined || (waitSeconds > 0 && waitSeconds <= WEEK));
    }),
    { numRuns: 300 },
  );
});
