import assert from "node:assert/strict";
import { join } from "node:path";
import { apiKey } from "./api_keys.ts";
import { keyRing, next } from "./key_ring.ts";
import { limited } from "./key_ring_changes.ts";
import { readUsage, restsOf } from "./usage.ts";
import { openUsageMemory } from "./usage_memory.ts";
import { inFolder } from "./testdata/usage_folder.ts";

const NOW = Date.UTC(2026, 5, 1, 23, 59);
const SETTINGS = { concurrencyPerKey: 1, longestWait: 60_000, backoff: 1000, failuresInARow: 3 };
const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "first"].join("_"));
const SENT = { model: "m", purpose: "questions" } as const;
const RATE = { limit: "tokens per day", waitSeconds: 3600 } as const;

Deno.test("openUsageMemory() of two processes at once loses neither's counts, nor a rest of any key", () => {
  inFolder((path) => {
    const other = apiKey("GROQ_API_KEY_2", "another");
    const open = (key: typeof KEY) => openUsageMemory(path, [key], () => NOW);
    const ringOf = (key: typeof KEY, waitSeconds: number) =>
      limited(
        keyRing([key.label], SETTINGS),
        key.label,
        "m",
        { rate: { ...RATE, waitSeconds } },
        NOW,
      );
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

Deno.test("openUsageMemory() writes short rests at most once a pause, and a long one at once", () => {
  inFolder((path) => {
    let now = NOW;
    const memory = openUsageMemory(path, [KEY], () => now);
    const restFor = (waitSeconds: number) =>
      memory.rests(
        limited(
          keyRing([KEY.label], SETTINGS),
          KEY.label,
          "m",
          { rate: { ...RATE, waitSeconds } },
          now,
        ),
      );
    const until = () => Date.parse(readUsage(path).rests[0]?.until ?? "") - NOW;
    restFor(10);
    assert.equal(until(), 10_000);
    now += 1;
    restFor(20);
    assert.equal(until(), 10_000);
    restFor(3600);
    assert.equal(until(), 3_600_001);
    memory[Symbol.dispose]();
  });
});

Deno.test("openUsageMemory() lets a later process know which of its keys rest, and until when", () => {
  inFolder((path) => {
    const ring = limited(keyRing([KEY.label], SETTINGS), KEY.label, "m", { rate: RATE }, NOW);
    {
      using memory = openUsageMemory(path, [KEY], () => NOW);
      memory.request(SENT);
      memory.rests(ring);
    }
    const until = new Date(NOW + 3_600_000).toISOString();
    assert.deepEqual(restsOf(readUsage(path), "m", NOW).map((rest) => [rest.key, rest.until]), [
      [KEY.label, until],
    ]);
    assert.deepEqual(restsOf(readUsage(path), "m", NOW + 3_600_000), []);
    const restored = (keys: readonly typeof KEY[], now: number) => {
      using memory = openUsageMemory(path, keys, () => now);
      return next(memory.restore(keyRing([KEY.label], SETTINGS)), "m", now).kind;
    };
    assert.equal(restored([KEY], NOW + 1000), "exhausted");
    assert.equal(restored([KEY], NOW + 3_600_001), "use");
    // Another key on the same line of .env has a quota of its own.
    assert.equal(restored([apiKey(KEY.label, "another")], NOW + 1000), "use");
  });
});

Deno.test("openUsageMemory() holds no secret, and writes seldom but in the end", () => {
  inFolder((path) => {
    let now = NOW;
    const memory = openUsageMemory(path, [KEY], () => now);
    const requests = () => readUsage(path).days[0]?.requests;
    memory.request({ ...SENT, tokens: { promptTokens: 1, replyTokens: 1 } });
    assert.equal(requests(), 1);
    memory.request(SENT);
    assert.equal(requests(), 1);
    now += 2000;
    memory.request(SENT);
    assert.equal(requests(), 3);
    memory.request(SENT);
    memory[Symbol.dispose]();
    assert.equal(requests(), 4);
    assert.ok(!Deno.readTextFileSync(path).includes(KEY.reveal()));
  });
});

Deno.test("openUsageMemory() without a path keeps nothing; one that cannot be written says so last", () => {
  inFolder((_, folder) => {
    using nothing = openUsageMemory(undefined, [KEY], () => NOW);
    nothing.request(SENT);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    Deno.writeTextFileSync(join(folder, "hosted"), "a file where a folder should be");
    const broken = openUsageMemory(join(folder, "other"), [KEY], () => NOW);
    Deno.mkdirSync(join(folder, "other", "in the way"), { recursive: true });
    broken.request(SENT);
    assert.throws(() => broken[Symbol.dispose]());
  });
});
