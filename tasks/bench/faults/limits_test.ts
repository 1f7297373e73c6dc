import { inFolder } from "../../../lib/files/testdata/folder.ts";
import assert from "node:assert/strict";
import {
  type FaultPlan,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { dailyQuota, groqDuration, runUntilComplete, startKnowingServer } from "./run_scenario.ts";
import { drawn, evaluateOnce, KEYS, ONE_BY_ONE, skippingClock } from "./setting.ts";

Deno.test("openKeyedCalls() asks nobody before the time that a 429 named", async () => {
  const clock = skippingClock();
  const rests = new Map<string, number>();
  const early: string[] = [];
  const plan: FaultPlan = ({ key, model, prompt, asked }) => {
    const place = `${key} ${model}`;
    if ((rests.get(place) ?? 0) > clock.now()) early.push(place);
    if (asked > 2 || drawn("early", model, prompt) % 3 > 0) return undefined;
    const retryAfter = 1 + drawn("rest", model, prompt, String(asked)) % 40;
    rests.set(place, clock.now() + retryAfter * 1000);
    return { kind: "rate limit", quota: "TPM", retryAfter, organisation: `org_${key.at(-1)}` };
  };
  const { server, counted } = startKnowingServer(plan);
  await using _server = server;
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    await runUntilComplete(place, clock, { calls: ONE_BY_ONE });
  });
  assert.ok(counted.faults > 20, `${counted.faults} limits are too few to tell`);
  assert.deepEqual(early, []);
});

Deno.test("openKeyedCalls() asks nothing in a new process before the quota returns", async () => {
  const clock = skippingClock();
  const { server } = startKnowingServer(dailyQuota(clock.now));
  await using _server = server;
  const keys = KEYS.slice(0, 1);
  const { now, sleep } = clock;
  const options = { keys, calls: { ...ONE_BY_ONE, now, sleep } };
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    const first = await evaluateOnce(place, options);
    const requests = server.calls.length;
    const again = await evaluateOnce(place, options);
    assert.deepEqual([server.calls.length, again.answered], [requests, 0]);
    assert.match(again.models[0]?.ended?.message ?? "", /GROQ_API_KEY_1 returns 2026-11-23 .* UTC/);
    clock.skipTo(first.models[0]?.ended?.returns?.getTime() ?? NaN);
    assert.ok((await evaluateOnce(place, options)).answered > 0);
  });
});

Deno.test("evaluateForcedChoice() keeps as many requests in flight as the keys allow, and no more", async () => {
  await using server = startStandInServer({ delayMs: 15 });
  await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: 8 };
    await evaluateOnce(place, { calls: { concurrencyPerKey: 3, timeoutSeconds: 30 } });
  });
  assert.equal(server.mostInFlight, 3 * KEYS.length);
});

Deno.test("groqDuration() writes hours, minutes and seconds", () => {
  assert.equal(groqDuration(((7 * 60 + 41) * 60 + 0.25) * 1000), "7h41m0.250s");
});
