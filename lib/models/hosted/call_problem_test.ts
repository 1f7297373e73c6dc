import assert from "node:assert/strict";
import fc from "fast-check";
import { Groq } from "groq-sdk";
import OpenAI from "openai";
import { TimeLimitError } from "../in_flight.ts";
import { readProblem, UnusableReply } from "./call_problem.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const CONTEXT = {
  host: "Groq",
  modelRemedy: "replace it",
  now: NOW,
  clean: (text: string) => text,
};

function sdkErrors(status: number, body: unknown, headers: Record<string, string> = {}) {
  const [error, text] = typeof body === "string" ? [undefined, body] : [body as object, undefined];
  return [Groq, OpenAI].map(({ APIError }) =>
    APIError.generate(status, error, text, new Headers(headers))
  );
}

const body = (message: string, code?: string) => ({ error: { message, type: "x", code } });

/** Columns: status, code, body (a page where it begins with <), kind of problem, message. */
const STATUSES = `
500 |  | oops | transient | ^Groq answers 500: oops$
502 |  | <html><title>Bad gateway</title></html> | transient | 502: an HTML page \\(Bad gateway\\)
498 |  | Flex tier capacity exceeded | transient | 498
401 | invalid_api_key | Invalid API Key | key | refuses the key \\(401: Invalid API Key\\); put a valid one
403 |  | Forbidden | key | refuses the key \\(403
403 |  | <html><title>Access denied</title></html> | key | something before Groq blocks .*\\(Access denied\\)
400 | blocked_api_access | Spend limit reached | key | no credit left with Groq
400 | organization_restricted | Organization has been restricted. | key | restricted its organisation
400 | model_decommissioned | The model has been decommissioned | model | does not serve it .*; replace it$
403 | model_permission_blocked_org | The model is blocked | model | does not serve it
429 |  | Request too large for model: Limit 6000 | refused | too large: .*Limit 6000.*shorten the prompt
400 | unsupported | logprobs is not supported | refused | ^bad request \\(Groq answers 400: logprobs is
404 |  | Not Found | refused | nothing is served at this address
`.trim().split("\n").map((line) => line.split(" | "));

Deno.test("readProblem() reads the remedy from status and body, for both SDKs", () => {
  for (const [status, code, message, kind, pattern] of STATUSES) {
    const content = message!.startsWith("<") ? message : body(message!, code!.trim() || undefined);
    for (const error of sdkErrors(Number(status), content)) {
      const problem = readProblem(error, CONTEXT);
      assert.equal(problem.kind, kind, `${status} ${message}`);
      assert.match("message" in problem ? problem.message : "", new RegExp(pattern!));
    }
  }
  const [error] = sdkErrors(401, { error: "in one sentence" });
  assert.match(JSON.stringify(readProblem(error, CONTEXT)), /the key \(401: in one sentence/);
});

Deno.test("readProblem() distinguishes the ways in which no reply comes, and shows no address", () => {
  const connect = (text: string) =>
    new TypeError(`error sending request for url (https://host.example/x): client error: ${text}`);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [connect("dns error: failed to lookup address information"), /name cannot be resolved/],
    [connect("tcp connect error: Connection refused (os error 111)"), /refuses the connection/],
    [connect("tcp connect error: Network is unreachable"), /no way to it/],
    [connect("invalid peer certificate: UnknownIssuer"), /certificate/],
    [new TypeError("error reading a body from connection"), /broke off/],
    [new TimeLimitError(30), /gave no whole answer within 30 s/],
    [new UnusableReply("choices: Too small"), /no usable reply: choices/],
    [new Groq.APIConnectionError({ cause: connect("No route to host") }), /no way to it/],
  ];
  for (const [error, pattern] of cases) {
    const problem = readProblem(error, CONTEXT);
    assert.ok(problem.kind === "transient", String(error));
    assert.match(problem.message, pattern);
    assert.doesNotMatch(problem.message, /host\.example/);
  }
  for (const error of [new Deno.errors.NotCapable("Requires net access"), new RangeError("own")]) {
    assert.equal(readProblem(error, CONTEXT).kind, "refused");
  }
});

Deno.test("readProblem() never tries a 4xx again, nor 501, and always another 5xx (property)", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 599 }),
      fc.string(),
      fc.string(),
      (status, text, code) => {
        for (const error of sdkErrors(status, body(text, code))) {
          const again = readProblem(error, CONTEXT).kind === "transient";
          assert.equal(again, status === 498 || status >= 500 && status !== 501);
        }
      },
    ),
    { numRuns: 300 },
  );
});

function rateOf(message: string, headers: Record<string, string> = {}) {
  const rates = sdkErrors(429, body(message, "rate_limit_exceeded"), headers).map((error) => {
    const problem = readProblem(error, CONTEXT);
    assert.ok(problem.kind === "limited");
    const { rate: { limit, waitSeconds }, organisation } = problem;
    return { limit, waitSeconds, organisation, text: `${limit}: ${waitSeconds}` };
  });
  assert.deepEqual(rates[0], rates[1]);
  return rates[0]!;
}

Deno.test("readProblem() honours retry-after, then the message, then the limit's own header", () => {
  const resets = { "x-ratelimit-reset-tokens": "3s", "x-ratelimit-reset-requests": "4s" };
  const tpd = "in organization `org_01k` service tier `on_demand` on tokens per day (TPD): " +
    "Limit 100000. Please try again in 9m38.016s. Need more?";
  assert.equal(rateOf(tpd).organisation, "org_01k");
  const cases: readonly (readonly [Record<string, string>, string, string])[] = [
    [{ ...resets, "retry-after": "12" }, tpd, "tokens per day: 12"],
    [{ "retry-after": new Date(NOW + 90_000).toUTCString() }, "x", "rate limit: 90"],
    [resets, tpd, "tokens per day: 578.016"],
    [resets, "on tokens per minute (TPM): Limit 8000", "tokens per minute: 3"],
    [resets, "on requests per day (RPD): Limit 1000", "requests per day: 4"],
    [{ "x-ratelimit-remaining-requests": "0" }, "x", "requests per day: undefined"],
    [{ "x-ratelimit-remaining-tokens": "0" }, "x", "tokens per minute: undefined"],
  ];
  for (const [headers, message, expected] of cases) {
    assert.equal(rateOf(message, headers).text, expected);
  }
});

Deno.test("readProblem() waits between 0 and 7 days, or names no time (property)", () => {
  const WEEK = 7 * 86_400;
  const wait = (text: string) => rateOf(`Please try again in ${text}.`).waitSeconds;
  const durations = ["9m38.016s", "7.66s", "2h", "1d1h", "120ms", "1m0s", "soon", "0s", "-3s"];
  assert.deepEqual(durations.map(wait), [578.016, 7.66, 7200, 90_000, 0.12, 60, ...Array(3)]);
  // Seconds since 1970, or a slip: no limit lasts so long.
  const odd = ["0", "soon", `${NOW / 1000}`, "0x10", "1e3", "Infinity", "1,5", "60s", "9 May 2030"];
  for (const value of [...odd, "-5", new Date(NOW - 1000).toUTCString()]) {
    assert.equal(rateOf("x", { "retry-after": value }).waitSeconds, undefined, value);
  }
  const part = fc.nat({ max: 999 });
  fc.assert(
    fc.property(part, part, part, fc.stringMatching(/^[\x20-\x7e]{0,20}$/), (h, m, s, after) => {
      const seconds = h * 3600 + m * 60 + s;
      const expected = seconds > 0 && seconds <= WEEK ? seconds : undefined;
      assert.equal(wait(`${h}h${m}m${s}s`), expected);
      const { waitSeconds = 1 } = rateOf("x", { "retry-after": after });
      assert.ok(waitSeconds > 0 && waitSeconds <= WEEK);
    }),
  );
});
