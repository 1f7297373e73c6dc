import assert from "node:assert/strict";
import { join } from "node:path";
import { ModelUnavailable } from "../model.ts";
import { apiKey } from "./api_keys.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { limitError } from "./testdata/host_errors.ts";
import { virtualTime } from "./testdata/virtual_time.ts";
import { meanTokens, readUsage } from "./usage.ts";

const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "memory"].join("_"));

Deno.test("openKeyedCalls() asks nobody while an earlier process's daily quota lasts, and says why", async () => {
  const folder = Deno.makeTempDirSync();
  const usagePath = join(folder, "hosted", "usage.json");
  const options = { ...virtualTime(), usagePath };
  const tokens = { promptTokens: 40, replyTokens: 2 };
  let requests = 0;
  const request = () => {
    requests++;
    return requests === 1
      ? Promise.resolve("A")
      : Promise.reject(limitError("requests per day (RPD)", "8h"));
  };
  {
    using calls = openKeyedCalls([KEY], options);
    await calls.call("m", request, { tokensOf: () => tokens });
    await assert.rejects(calls.call("m", request), ModelUnavailable);
  }
  assert.deepEqual(meanTokens(readUsage(usagePath), "m", "questions"), tokens);
  {
    using calls = openKeyedCalls([KEY], options);
    await assert.rejects(
      calls.call("m", request),
      /returns .* \(requests per day, as .*usage\.json remembers/,
    );
  }
  assert.deepEqual([requests, readUsage(usagePath).days[0]?.requests], [2, 2]);
  {
    const later = virtualTime(options.now() + 8 * 3_600_000);
    using calls = openKeyedCalls([KEY], { ...later, usagePath });
    assert.equal((await calls.call("m", () => Promise.resolve("A"))).kind, "done");
  }
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("openKeyedCalls() counts its requests as what they are for", async () => {
  const folder = Deno.makeTempDirSync();
  const usagePath = join(folder, "usage.json");
  const tokens = { promptTokens: 900, replyTokens: 400 };
  {
    using calls = openKeyedCalls([KEY], { ...virtualTime(), usagePath, purpose: "proposals" });
    await calls.call("m", () => Promise.resolve("A"), { tokensOf: () => tokens });
  }
  const usage = readUsage(usagePath);
  assert.deepEqual(meanTokens(usage, "m", "proposals"), tokens);
  assert.equal(meanTokens(usage, "m", "questions"), undefined);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("openKeyedCalls() outlives an outage that fails all calls in flight, four times over", async () => {
  using calls = openKeyedCalls([KEY], { concurrencyPerKey: 2, tries: 1 });
  const refuse = () => Promise.reject(new TypeError("error sending request: connection refused"));
  for (let i = 0; i < 8; i++) assert.equal((await calls.call("m", refuse)).kind, "failure");
  await assert.rejects(calls.call("m", refuse), /8 calls in a row failed, the last because Groq/);
});
