import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { apiKey } from "./api_keys.ts";
import { KeyRing } from "./key_ring.ts";
import { meanTokens, openUsageMemory, readUsage, restsOf } from "./usage.ts";

const withPath = (work: (path: string) => void) =>
  inFolder((folder) => work(join(folder, "hosted", "usage.json")));

const NOW = Date.UTC(2026, 5, 1, 23, 59);
const SENT = { model: "m", purpose: "questions" } as const;
const SETTINGS = {
  concurrencyPerKey: 1,
  longestWaitSeconds: 60,
  backoffSeconds: 1,
  failuresInARow: 3,
};
const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "first"].join("_"));

function ringOf({ label }: typeof KEY, waitSeconds: number, now = NOW): KeyRing {
  const ring = new KeyRing([label], SETTINGS);
  const rate = { limit: "tokens per day", waitSeconds } as const;
  ring.settle(label, "m", { kind: "limited", rate }, now);
  return ring;
}

Deno.test("openUsageMemory() counts by model and UTC day, for 60 days; meanTokens() averages over answers", () => {
  withPath((path) => {
    let now = NOW;
    const tokens = (promptTokens: number, replyTokens: number) => ({
      tokens: { promptTokens, replyTokens },
    });
    using memory = openUsageMemory(path, [KEY], () => now);
    memory.request({ ...SENT, ...tokens(100, 3) });
    memory.request(SENT);
    memory.request({ ...SENT, ...tokens(7, 1), model: "n" });
    now += 60_000;
    memory.request({ ...SENT, ...tokens(200, 4) });
    const usage = readUsage(path);
    assert.deepEqual(usage.days.find(({ day, model }) => day === "2026-06-01" && model === "m"), {
      day: "2026-06-01",
      ...SENT,
      requests: 2,
      answers: 1,
      promptTokens: 100,
      replyTokens: 3,
    });
    assert.deepEqual(meanTokens(usage, "m", "questions"), { promptTokens: 150, replyTokens: 3.5 });
    assert.equal(meanTokens(usage, "m", "proposals"), undefined);
    now += 90 * 86_400_000;
    memory.request(SENT);
    assert.deepEqual(readUsage(path).days.map(({ day }) => day), ["2026-08-31"]);
  });
});

Deno.test("readUsage() takes a missing or damaged file for none (property)", () => {
  withPath((path) => {
    assert.deepEqual(readUsage(path).days, []);
    openUsageMemory(path, [KEY], () => NOW).request(SENT);
    const whole = Deno.readTextFileSync(path);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 3 }), fc.string(), (length, rest) => {
        Deno.writeTextFileSync(path, `${whole.slice(0, length)}${rest}`);
        assert.deepEqual(readUsage(path), { days: [], rests: [] });
      }),
    );
  });
});

Deno.test("openUsageMemory() of two processes at once loses neither's counts, nor a rest of any key", () => {
  withPath((path) => {
    const other = apiKey("GROQ_API_KEY_2", "another");
    const open = (key: typeof KEY) => openUsageMemory(path, [key], () => NOW);
    const [first, second, third] = [open(KEY), open(KEY), open(other)];
    for (let sent = 0; sent < 3; sent++) first.request(SENT);
    first.rests(ringOf(KEY, 7200));
    second.request({ ...SENT, model: "n" });
    second.request(SENT);
    second.rests(ringOf(KEY, 3600));
    third.rests(ringOf(other, 1800));
    for (const memory of [third, second, first, first]) memory[Symbol.dispose]();
    const { days, rests } = readUsage(path);
    const counts = Object.fromEntries(days.map(({ model, requests }) => [model, requests]));
    assert.deepEqual(counts, { m: 4, n: 1 });
    const hours = rests.map(({ key, until }) => [key, (Date.parse(until) - NOW) / 3_600_000]);
    assert.deepEqual(hours.sort(), [["GROQ_API_KEY_1", 2], ["GROQ_API_KEY_2", 0.5]]);
  });
});

Deno.test("openUsageMemory() lets a later process know which of its keys rest, and until when", () => {
  withPath((path) => {
    openUsageMemory(path, [KEY], () => NOW).rests(ringOf(KEY, 3600));
    const resting = (now: number) => restsOf(readUsage(path), "m", now).map(({ key }) => key);
    assert.deepEqual([resting(NOW), resting(NOW + 3_600_000)], [[KEY.label], []]);
    const restored = (key: typeof KEY, now: number) => {
      using memory = openUsageMemory(path, [key], () => now);
      const ring = new KeyRing([KEY.label], SETTINGS);
      memory.restore(ring);
      return ring.next("m", now).kind;
    };
    assert.equal(restored(KEY, NOW + 1000), "exhausted");
    assert.equal(restored(KEY, NOW + 3_600_001), "use");
    // Another key on the same line of .env has a quota of its own.
    assert.equal(restored(apiKey(KEY.label, "another"), NOW + 1000), "use");
  });
});
