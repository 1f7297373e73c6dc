import assert from "node:assert/strict";
import { estimateRun, totalOf } from "./estimate.ts";

const ENTRY = {
  limits: {
    requestsPerMinute: 30,
    requestsPerDay: 1000,
    tokensPerMinute: 12_000,
    tokensPerDay: 100_000,
  },
  price: { prompt: 0.59, reply: 0.79 },
};

const estimate = (calls: number, maxReplyTokens = 300, more: object = {}) =>
  estimateRun(ENTRY, { temperature: 0, maxReplyTokens }, {
    calls,
    promptBytes: 300 * calls,
    organisations: 1,
    ...more,
  });

Deno.test("estimateRun() works out tokens, time and price from guesses, as by hand", () => {
  // 300 bytes a prompt: 100 tokens, and 5 for the reply: 100,000 / 105 = 952 calls a day.
  // A call reserves 100 + 300: 12,000 / 400 = 30 calls a minute.
  assert.deepEqual(estimate(1000), {
    calls: 1000,
    promptTokens: 100_000,
    replyTokens: 5000,
    basis: "guessed",
    time: { minutes: 1000 / 30, days: 2, bound: "tokens per day" },
    dollars: 0.06295,
  });
});

Deno.test("estimateRun() takes measured tokens, and the limits of every organisation", () => {
  const measured = { promptTokens: 500, replyTokens: 100 };
  const { basis, promptTokens, time } = estimate(1000, 300, { organisations: 2, measured });
  assert.deepEqual([basis, promptTokens], ["measured", 500_000]);
  // 12,000 / (500 + 300) = 15 a minute and 100,000 / 600 = 166 a day, for each of the two.
  assert.deepEqual(time, { minutes: 1000 / 30, days: 4, bound: "tokens per day" });
});

Deno.test("estimateRun() names the minute's limit where one day is enough, and where no call ever fits it", () => {
  assert.deepEqual(estimate(60).time, { minutes: 2, days: 1, bound: "requests per minute" });
  const reserving = estimate(60, 1100).time;
  assert.deepEqual(reserving, { minutes: 6, days: 1, bound: "tokens per minute" });
  // 100 tokens of a prompt and the longest reply, against 12,000 a minute.
  const { tooLarge, time } = estimate(60, 11_901);
  assert.deepEqual(tooLarge, { tokensPerCall: 12_001, tokensPerMinute: 12_000 });
  assert.equal(time, undefined);
  assert.equal(estimate(60, 11_900).time?.minutes, 60);
});

Deno.test("totalOf() adds requests, tokens and dollars, and no dollars where a price is not known", () => {
  const first = { calls: 10, promptTokens: 900, replyTokens: 50, dollars: 0.25 };
  const second = { calls: 2, promptTokens: 100, replyTokens: 10 };
  const total = { calls: 12, promptTokens: 1000, replyTokens: 60 };
  assert.deepEqual(totalOf([first, { ...second, dollars: 0.5 }]), { ...total, dollars: 0.75 });
  assert.deepEqual(totalOf([first, second]), total);
  // Who has nothing left to be asked costs nothing, whatever the price.
  assert.equal(totalOf([first, { calls: 0, promptTokens: 0, replyTokens: 0 }]).dollars, 0.25);
});
