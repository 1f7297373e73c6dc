import assert from "node:assert/strict";
import { join } from "node:path";
import { apiKey } from "./api_keys.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { NO_KEY } from "./openai_compatible_client.ts";
import { statusError } from "./testdata/host_errors.ts";
import { virtualTime } from "./testdata/virtual_time.ts";
import { readUsage } from "./usage.ts";

const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "reach"].join("_"));
const NO_NAME = new TypeError("error sending request for url (https://h.example/): dns error");
const REFUSED = new TypeError("error sending request for url (http://h/): connection refused");
const options = { ...virtualTime(), backoffSeconds: 0.001 };

/** What a call ends with, thrown or told. */
async function endOf(asked: ReturnType<ReturnType<typeof openKeyedCalls>["call"]>) {
  try {
    const result = await asked;
    return result.kind === "done" ? "done" : `${result.kind}: ${result.message}`;
  } catch (error) {
    assert.ok(error instanceof Error);
    return `${error.name}: ${error.message}`;
  }
}

Deno.test("call() asks no model more at a host whose name one call could not resolve, and says so once", async () => {
  using calls = openKeyedCalls([KEY], options);
  let requests = 0;
  const request = () => {
    requests += 1;
    return Promise.reject(NO_NAME);
  };
  const models = ["a", "b", "c", "d"];
  const ends = await Promise.all(models.map((model) => endOf(calls.call(model, request))));
  assert.equal(new Set(ends).size, 1);
  assert.equal(
    ends[0],
    "ModelUnavailable: Groq cannot be reached: its name cannot be resolved; check that this " +
      "machine has a network and DNS. What is answered is kept: run the same command again afterwards.",
  );
  assert.ok(requests <= 12, `${requests} requests`);
  const before = requests;
  assert.match(await endOf(calls.call("e", request)), /cannot be resolved/);
  assert.equal(requests, before);
});

Deno.test("call() takes a name that was resolved before and is not now for an outage", async () => {
  using calls = openKeyedCalls([KEY], options);
  assert.equal(await endOf(calls.call("m", () => Promise.resolve("A"))), "done");
  const gone = await endOf(calls.call("m", () => Promise.reject(NO_NAME)));
  assert.match(gone, /^failure: Cannot ask m: .*cannot be resolved.*\(3 tries\)\.$/);
  assert.equal(await endOf(calls.call("m", () => Promise.resolve("A"))), "done");
});

Deno.test("call() counts no request that never reached the host", async () => {
  const folder = Deno.makeTempDirSync();
  const usagePath = join(folder, "usage.json");
  {
    using calls = openKeyedCalls([KEY], { ...options, usagePath });
    await endOf(calls.call("m", () => Promise.reject(REFUSED)));
    await endOf(calls.call("m", () => Promise.reject(statusError(500, "oops"))));
    await endOf(calls.call("m", () => Promise.reject(NO_NAME)));
  }
  assert.deepEqual(readUsage(usagePath).days.map(({ requests }) => requests), [3]);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("call() tells who asks a server without a key where to write one", async () => {
  using calls = openKeyedCalls([NO_KEY], { ...options, host: "its server at h:8000" });
  const unauthorised = () => Promise.reject(statusError(401, "Unauthorized"));
  const end = await endOf(calls.call("m", unauthorised));
  assert.match(
    end,
    /Cannot ask m: its server at h:8000 asks for a key \(401: Unauthorized\); write keyName: \w+ into its panel entry and \w+=… into \.env\. What is answered is kept/,
  );
  const closed = await endOf(
    openKeyedCalls([NO_KEY], { ...options, host: "its server at h:8000" })
      .call("m", () => Promise.reject(REFUSED)),
  );
  assert.match(closed, /its server at h:8000 cannot be reached: .*is it running.*\(3 tries\)\.$/);
});
