import assert from "node:assert/strict";
import { estimateCost } from "./estimate.ts";

const ENTRY = {
  limits: {
    requestsPerMinute: 30,
    requestsPerDay: 1000,
    tokensPerMinute: 12_000,
    tokensPerDay: 100_000,
  },
  price: { prompt: 0.59, reply: 0.79 },
};

const estimate = (calls: number, maxReplyTokens = 300) =>
  estimateCost(ENTRY, { temperature: 0, maxReplyTokens }, Array(calls).fill("þ".repeat(150)));

Deno.test("estimateRun() works out tokens, time and price from guesses, as by hand", () => {
  // 300 bytes a prompt: 100 tokens, and 5 for the reply: 100,000 / 105 = 952 calls a day.
  // A call reserves 100 + 300: 12,000 / 400 = 30 calls a minute.
  assert.deepEqual(estimate(1000), {
    calls: 1000,
    promptTokens: 100_000,
    replyTokens: 5000,
    time: { minutes: 1000 / 30, days: 2, bound: "tokens per day" },
    dollars: 0.06295,
  });
});

Deno.test("estimateRun() names the minute's limit where one day is enough", () => {
  assert.deepEqual(estimate(60).time, { minutes: 2, days: 1, bound: "requests per minute" });
  const reserving = estimate(60, 1100).time;
  assert.deepEqual(reserving, { minutes: 6, days: 1, bound: "tokens per minute" });
  assert.equal(estimate(60, 11_900).time?.minutes, 60);
});
