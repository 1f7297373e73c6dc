import assert from "node:assert/strict";
import fc from "fast-check";
import { Groq } from "groq-sdk";
import OpenAI from "openai";
import { readProblem, UnusableReply } from "./call_problem.ts";
import { TimeLimitError } from "./time_limit.ts";

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

Deno.test("readProblem() tells by status and body what is to be done, for both SDKs", () => {
  const cases: readonly (readonly [number, unknown, string, RegExp])[] = [
    [500, body("oops"), "transient", /^Groq answers 500: oops$/],
    [
      502,
      "<html><title>Bad gateway</title></html>",
      "transient",
      /502: an HTML page \(Bad gateway\)/,
    ],
    [498, body("Flex tier capacity exceeded"), "transient", /498/],
    [
      401,
      body("Invalid API Key", "invalid_api_key"),
      "key",
      /refuses the key \(401: Invalid API Key\); put a valid one/,
    ],
    [403, body("Forbidden"), "key", /refuses the key \(403/],
    [403, { error: "token expired" }, "key", /refuses the key \(403: token expired\)/],
    [401, { error: "Unauthorized" }, "key", /refuses the key \(401: Unauthorized\)/],
    [402, body("Insufficient Balance", "invalid_request_error"), "key", /no credit left with Groq/],
    [
      403,
      "<html><title>Access denied</title></html>",
      "key",
      /something before Groq blocks .*\(Access denied\)/,
    ],
    [400, body("Spend limit reached", "blocked_api_access"), "key", /no credit left with Groq/],
    [
      400,
      body("Organization has been restricted.", "organization_restricted"),
      "key",
      /restricted its organisation/,
    ],
    [403, body("The organization has been restricted"), "key", /restricted its organisation/],
    [
      429,
      body("You exceeded your quota", "insufficient_quota"),
      "key",
      /no credit left/,
    ],
    [
      400,
      body("The model `m` has been decommissioned", "model_decommissioned"),
      "model",
      /does not serve it .*; replace it$/,
    ],
    [404, body("The model `m` does not exist", "model_not_found"), "model", /does not serve it/],
    [
      403,
      body("The model is blocked", "model_permission_blocked_org"),
      "model",
      /does not serve it/,
    ],
    [404, "404 page not found", "refused", /nothing is served at this address/],
    [413, body("Request Entity Too Large"), "refused", /request is too large/],
    [
      429,
      body(
        "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000",
      ),
      "refused",
      /too large: .*Limit 6000.*shorten the prompt/,
    ],
    [
      400,
      body("logprobs is not supported", "unsupported"),
      "refused",
      /^bad request \(Groq answers 400: logprobs is/,
    ],
    [422, body("no"), "refused", /bad request/],
  ];
  for (const [status, content, kind, pattern] of cases) {
    for (const error of sdkErrors(status, content)) {
      const problem = readProblem(error, CONTEXT);
      assert.equal(problem.kind, kind, `${status} ${JSON.stringify(content)}`);
      assert.ok("message" in problem);
      assert.match(problem.message, pattern);
    }
  }
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

Deno.test("readProblem() tells the ways apart in which no reply comes", () => {
  const connect = (text: string) =>
    new TypeError(`error sending request for url (https://host.example/x): client error: ${text}`);
  const cases: readonly (readonly [unknown, string, RegExp])[] = [
    [
      connect("dns error: failed to lookup address information"),
      "transient",
      /name cannot be resolved/,
    ],
    [
      connect("tcp connect error: Connection refused (os error 111)"),
      "transient",
      /refuses the connection/,
    ],
    [connect("tcp connect error: Network is unreachable"), "transient", /no way to it/],
    [connect("invalid peer certificate: UnknownIssuer"), "transient", /certificate/],
    [connect("connection reset by peer"), "transient", /broke off/],
    [connect("something new"), "transient", /the connection failed/],
    [new TypeError("error reading a body from connection"), "transient", /broke off/],
    [new TimeLimitError(30), "transient", /gave no whole answer within 30 s/],
    [new SyntaxError("Unexpected end of JSON input"), "transient", /half a reply/],
    [new UnusableReply("choices: Too small"), "transient", /no usable reply: choices/],
    [new Deno.errors.NotCapable("Requires net access"), "refused", /--allow-net/],
    [new RangeError("own mistake"), "refused", /RangeError: own mistake/],
    ["thrown text", "refused", /thrown text/],
  ];
  for (const [error, kind, pattern] of cases) {
    for (const cause of [error, new Groq.APIConnectionError({ cause: error as Error })]) {
      // Only network errors come wrapped.
      if (
        cause !== error && !pattern.source.match(/resolved|refuses|way|certificate|broke|failed/)
      ) continue;
      const problem = readProblem(cause, CONTEXT);
      assert.equal(problem.kind, kind, String(error));
      assert.ok("message" in problem);
      assert.match(problem.message, pattern);
      if (error !== "thrown text") assert.doesNotMatch(problem.message, /host\.example/);
    }
  }
});

Deno.test("readProblem() never tries a 4xx again, and always a 5xx (property)", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 599 }),
      fc.string(),
      fc.string(),
      (status, message, code) => {
        for (const error of sdkErrors(status, body(message, code))) {
          const again = readProblem(error, CONTEXT).kind === "transient";
          assert.equal(again, status >= 500 || status === 498);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("readProblem() cleans a text before it cuts it: no half of a key is left", () => {
  const clean = (text: string) => text.replaceAll("plain-secret-value", "[key]");
  for (let length = 280; length <= 300; length++) {
    for (const error of sdkErrors(500, body(`${"x".repeat(length)}plain-secret-value`))) {
      const problem = readProblem(error, { ...CONTEXT, clean });
      assert.ok("message" in problem);
      assert.doesNotMatch(problem.message, /plain/);
    }
  }
});
