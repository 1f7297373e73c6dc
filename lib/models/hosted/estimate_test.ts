import assert from "node:assert/strict";
import { estimateRun, totalOf } from "./estimate.ts";

const GENERATION = { temperature: 0, maxReplyTokens: 300 };

const ENTRY = {
  limits: {
    requestsPerMinute: 30,
    requestsPerDay: 1000,
    tokensPerMinute: 12_000,
    tokensPerDay: 100_000,
  },
  price: { prompt: 0.59, reply: 0.79 },
};

Deno.test("estimateRun() works out tokens, time and price from guesses, as by hand", () => {
  // 300 bytes a prompt: 100 tokens, and 5 for the reply: 100,000 / 105 = 952 calls a day.
  // A call reserves 100 + 300: 12,000 / 400 = 30 calls a minute.
  const planned = { calls: 1000, promptBytes: 300_000, organisations: 1 };
  assert.deepEqual(estimateRun(ENTRY, GENERATION, planned), {
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
  const planned = { calls: 1000, promptBytes: 300_000, organisations: 2, measured };
  const { basis, promptTokens, time } = estimateRun(ENTRY, GENERATION, planned);
  assert.deepEqual([basis, promptTokens], ["measured", 500_000]);
  // 12,000 / (500 + 300) = 15 a minute and 100,000 / 600 = 166 a day, for each of the two.
  assert.deepEqual(time, { minutes: 1000 / 30, days: 4, bound: "tokens per day" });
});

Deno.test("estimateRun() names the minute's limit where one day is enough", () => {
  const planned = { calls: 60, promptBytes: 18_000, organisations: 1 };
  const { time } = estimateRun(ENTRY, GENERATION, planned);
  assert.deepEqual(time, { minutes: 2, days: 1, bound: "requests per minute" });
  const long = { temperature: 0, maxReplyTokens: 1100 };
  const reserving = estimateRun(ENTRY, long, planned).time;
  assert.deepEqual(reserving, { minutes: 6, days: 1, bound: "tokens per minute" });
  const none = estimateRun(ENTRY, GENERATION, { calls: 0, promptBytes: 0, organisations: 1 });
  assert.deepEqual([none.promptTokens, none.time?.days, none.dollars], [0, 0, 0]);
});

Deno.test("estimateRun() says so where no call ever fits the minute, and gives no time", () => {
  const planned = { calls: 60, promptBytes: 18_000, organisations: 2 };
  const at = (maxReplyTokens: number) =>
    estimateRun(ENTRY, { temperature: 0, maxReplyTokens }, planned);
  // 100 tokens of a prompt and the longest reply, against 12,000 a minute for each organisation.
  assert.deepEqual(at(11_901).tooLarge, { tokensPerCall: 12_001, tokensPerMinute: 12_000 });
  assert.equal(at(11_901).time, undefined);
  assert.equal(at(11_900).tooLarge, undefined);
  assert.equal(at(11_900).time?.minutes, 30);
});

const FIRST = { calls: 10, promptTokens: 900, replyTokens: 50, dollars: 0.25 };
const SECOND = { calls: 2, promptTokens: 100, replyTokens: 10, dollars: 0.5 };

Deno.test("totalOf() adds requests, tokens and dollars, and no dollars where a price is not known", () => {
  const total = { calls: 12, promptTokens: 1000, replyTokens: 60 };
  assert.deepEqual(totalOf([FIRST, SECOND]), { ...total, dollars: 0.75 });
  const { dollars: _, ...unpriced } = SECOND;
  assert.deepEqual(totalOf([FIRST, unpriced]), total);
  // Who has nothing left to be asked costs nothing, whatever the price.
  const done = { calls: 0, promptTokens: 0, replyTokens: 0 };
  assert.equal(totalOf([FIRST, done]).dollars, 0.25);
});
