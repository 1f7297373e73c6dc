import assert from "node:assert/strict";
import Groq from "groq-sdk";
import { type Behaviour, type StandInOptions, startStandInServer } from "./server.ts";

const QUIET = { maxRetries: 0, logLevel: "off" } as const;
const KEY = "gsk_test_one";

/** One question through the real SDK to a server that behaves as told. */
async function ask(behaviour: Behaviour, options: StandInOptions = {}) {
  await using server = startStandInServer({ ...options, plan: () => behaviour });
  const client = new Groq({ ...QUIET, apiKey: KEY, baseURL: server.baseUrl });
  const messages = [{ role: "user" as const, content: "A or B?" }];
  return await client.chat.completions.create({ model: "m", messages }, {
    signal: AbortSignal.timeout(2000),
  });
}

/** The same, for what must go wrong. */
async function fail(behaviour: Behaviour): Promise<unknown> {
  return await ask(behaviour).then(
    (reply) => assert.fail(`it answered: ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );
}

Deno.test("startStandInServer() refuses with Groq's statuses, codes and headers", async () => {
  const cases: readonly (readonly [Behaviour, number, RegExp])[] = [
    [{ kind: "rate limit", quota: "TPD", tryAgainIn: "9m38.016s" }, 429, /TPD.*in 9m38\.016s\./],
    [{ kind: "rate limit", quota: "RPM", organisation: "org_b" }, 429, /`org_b`.*RPM/],
    [{ kind: "too large" }, 413, /Request too large.*TPM/],
    [{ kind: "status", status: 503 }, 503, /internal_server_error/],
    [{ kind: "status", status: 498 }, 498, /capacity_exceeded/],
    [{ kind: "html", status: 502 }, 502, /<html>/],
    [{ kind: "invalid key" }, 401, /invalid_api_key/],
    [{ kind: "restricted" }, 400, /Organization has been restricted/],
    [{ kind: "restricted", status: 403 }, 403, /organization_restricted/],
    [{ kind: "withdrawn" }, 400, /model_decommissioned/],
    [{ kind: "unknown model" }, 404, /model_not_found/],
    [{ kind: "json", status: 418, body: { short: "and stout" } }, 418, /stout/],
  ];
  for (const [behaviour, status, message] of cases) {
    const error = await fail(behaviour);
    assert.ok(error instanceof Groq.APIError, behaviour.kind);
    assert.equal(error.status, status);
    assert.match(error.message, message);
  }
  const limited = await fail({ kind: "rate limit", quota: "RPM", retryAfter: 7 });
  assert.ok(limited instanceof Groq.APIError);
  assert.equal(limited.headers?.get("retry-after"), "7");
});

Deno.test("startStandInServer() breaks connections and bodies as told", async () => {
  const cases: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "cut", promised: "chunks" }, /reading a body/],
    [{ kind: "cut", promised: "length" }, /reading a body/],
    [{ kind: "drop" }, /Connection error/],
    [{ kind: "garbage" }, /Connection error/],
    [{ kind: "half JSON" }, /JSON/],
  ];
  for (const [behaviour, message] of cases) {
    assert.match(String(await fail(behaviour)), message, JSON.stringify(behaviour));
  }
});

Deno.test("startStandInServer() hangs, in the head or in the body, until nobody waits", async () => {
  for (const kind of ["hang", "hang in body"] as const) {
    await using server = startStandInServer({ plan: () => ({ kind }) });
    const url = `${server.openAiBaseUrl}/chat/completions`;
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }] });
    const signal = AbortSignal.timeout(100);
    const read = async () => await (await fetch(url, { method: "POST", body, signal })).text();
    await assert.rejects(read(), { name: "TimeoutError" });
    assert.equal(server.calls.length, 1);
  }
});
