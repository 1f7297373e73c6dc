import { inFolder } from "../../../lib/files/testdata/folder.ts";
import assert from "node:assert/strict";
import type { Behaviour } from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import type { EvaluationReport } from "../../../lib/pairs/choose.ts";
import { runWithoutDns } from "./processes.ts";
import { readLines, startKnowingServer } from "./run_scenario.ts";
import {
  evaluateOnce,
  invalidPath,
  MODELS,
  requireNoSecret,
  resultsPath,
  skippingClock,
} from "./setting.ts";

/** What a run says of one model and two questions when every request meets the same fault. */
async function alwaysMeeting(behaviour: Behaviour) {
  const { server } = startKnowingServer(() => behaviour);
  await using _server = server;
  return await inFolder(async (folder) => {
    const { now, sleep } = skippingClock();
    const place = { folder, baseUrl: server.baseUrl, pairs: 1 };
    const timeoutSeconds = behaviour.kind.startsWith("hang") ? 0.1 : 30;
    const options = { models: MODELS.slice(0, 1), calls: { now, sleep, timeoutSeconds } };
    const report = await evaluateOnce(place, options);
    requireNoSecret(folder, report);
    assert.deepEqual([report.answered, report.missing], [0, 2], behaviour.kind);
    assert.deepEqual(readLines(resultsPath(folder)), [], "a fault is no row");
    assert.equal(Deno.readTextFileSync(invalidPath(folder)).trimEnd().split("\n").length, 1);
    return { report, requests: server.calls.length, now: now() };
  });
}

function endOf({ models }: EvaluationReport) {
  const ended = models[0]?.ended;
  assert.ok(ended, "the model's part did not end");
  return ended;
}

Deno.test("evaluateForcedChoice() tries network errors, 5xx and broken replies three times, and says what came", async () => {
  const cases: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "status", status: 500 }, /Groq answers 500/],
    [{ kind: "status", status: 498 }, /498: Flex tier capacity exceeded/],
    [{ kind: "hang" }, /no whole answer within 0\.1 s/],
    [{ kind: "hang in body" }, /no whole answer within 0\.1 s/],
    [{ kind: "cut", promised: "chunks" }, /broke off in the middle/],
    [{ kind: "cut", promised: "length" }, /broke off in the middle/],
    [{ kind: "drop" }, /broke off in the middle/],
    [{ kind: "garbage" }, /the connection failed; check the network/],
    [{ kind: "half JSON" }, /half a reply/],
    [{ kind: "no body" }, /no usable reply/],
    [{ kind: "html", status: 502 }, /502: an HTML page \(502 A\)/],
    [{ kind: "html", status: 200 }, /no usable reply: an HTML page/],
    [{ kind: "no choices" }, /no usable reply: choices/],
    [{ kind: "no message" }, /no usable reply: choices\.0\.message/],
  ];
  for (const [behaviour, message] of cases) {
    const { report, requests } = await alwaysMeeting(behaviour);
    const [first, second] = report.failed;
    assert.match(first?.message ?? "", /^Cannot ask stand-in\/one: .*3 tries/);
    assert.match(first?.message ?? "", message);
    assert.match(second?.message ?? "", message);
    assert.equal(requests, 6, JSON.stringify(behaviour));
  }
});

Deno.test("evaluateForcedChoice() never repeats a request that was refused", async () => {
  const cases: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "too large" }, /too large.*shorten the prompt/],
    [{ kind: "status", status: 400, message: "odd" }, /bad request.*400: odd/],
    [{ kind: "json", status: 422, body: { error: { message: "bad" } } }, /422: bad/],
  ];
  for (const [behaviour, message] of cases) {
    const { report, requests } = await alwaysMeeting(behaviour);
    assert.match(report.failed[0]?.message ?? "", message);
    assert.equal(requests, 2, JSON.stringify(behaviour));
  }
});

Deno.test("evaluateForcedChoice() ends when no key is left, naming each and what to do", async () => {
  const cases: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "invalid key" }, /refuses the key \(401.*its line of \.env/],
    [{ kind: "restricted" }, /restricted its organisation \(400.*keys of another organisation/],
    [{ kind: "restricted", status: 403 }, /restricted its organisation \(403/],
  ];
  for (const [behaviour, message] of cases) {
    const { report, requests } = await alwaysMeeting(behaviour);
    const { kind, message: said, returns } = endOf(report);
    assert.deepEqual([kind, returns, report.failed], ["unavailable", undefined, []]);
    assert.match(said, /no available keys remain/);
    assert.match(said, message);
    for (const number of [1, 2, 3]) assert.match(said, new RegExp(`GROQ_API_KEY_${number} does`));
    assert.ok(requests <= 4, `${requests} requests with three keys and two callers`);
  }
});

Deno.test("evaluateForcedChoice() ends a withdrawn model and says how to have it nonetheless", async () => {
  for (const kind of ["withdrawn", "unknown model"] as const) {
    const { report, requests } = await alwaysMeeting({ kind });
    const { message, returns } = endOf(report);
    assert.match(message, /stand-in\/one.*openai-compatible.*same id in data\/panels\/groq\.yaml/);
    assert.doesNotMatch(message, /https?:/);
    assert.equal(returns, undefined);
    assert.ok(requests <= 2, "the two callers asked at once; nobody asks after them");
  }
});

Deno.test("evaluateForcedChoice() ends at a quota that is long in coming back, and says when", async () => {
  const cases: readonly (readonly [Behaviour, string, number])[] = [
    [{ kind: "rate limit", quota: "TPM", retryAfter: 400 }, "tokens per minute", 400],
    [{ kind: "rate limit", quota: "TPD", tryAgainIn: "9m38.016s" }, "tokens per day", 578],
    [{ kind: "rate limit", quota: "RPD", tryAgainIn: "5h2m" }, "requests per day", 18120],
  ];
  for (const [behaviour, limit, seconds] of cases) {
    const { report, now } = await alwaysMeeting(behaviour);
    const { message, returns } = endOf(report);
    assert.match(message, new RegExp(`no available keys remain.*_1 returns .*\\(${limit}\\)`));
    assert.match(message, /run the same command again/);
    const wait = ((returns?.getTime() ?? 0) - now) / 1000;
    assert.ok(wait > seconds - 5 && wait <= seconds + 1, `returns in ${wait} s, not ${seconds}`);
  }
});

Deno.test("evaluateForcedChoice() waits no longer for a 429 without end than it was told", async () => {
  const { report, requests } = await alwaysMeeting({ kind: "rate limit", quota: "RPM" });
  assert.match(endOf(report).message, /no available keys remain.*requests per minute/);
  assert.ok(requests < 100, `${requests} requests for two questions: it spins`);
});

Deno.test("evaluateForcedChoice() tells a missing network from all else", async () => {
  const ended = await inFolder((folder) => runWithoutDns({ folder, pairs: 3 }));
  assert.equal(ended.length, MODELS.length);
  // Where a resolver is set that does not answer, time is up first.
  const why = /its name cannot be resolved; check that this machine has a network|no whole answer/;
  for (const message of ended) assert.match(message, why);
});
