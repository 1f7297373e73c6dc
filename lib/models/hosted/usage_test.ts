import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { apiKey } from "./api_keys.ts";
import { keyRing, limited, next } from "./key_ring.ts";
import { meanTokens, NO_USAGE, openUsageMemory, readUsage, restsOf, withRequest } from "./usage.ts";

/** With the path of a usage file that is not there yet. */
const withPath = (work: (path: string, folder: string) => void) =>
  inFolder((folder) => work(join(folder, "hosted", "usage.json"), folder));

const NOW = Date.UTC(2026, 5, 1, 23, 59);
const SENT = { model: "m", purpose: "questions" } as const;

Deno.test("withRequest() counts by model and UTC day; meanTokens() averages over answers", () => {
  const answer = (promptTokens: number, replyTokens: number) => ({
    ...SENT,
    tokens: { promptTokens, replyTokens },
  });
  let usage = withRequest(NO_USAGE, answer(100, 3), NOW);
  usage = withRequest(usage, SENT, NOW);
  usage = withRequest(usage, { ...answer(7, 1), model: "n" }, NOW);
  usage = withRequest(usage, answer(200, 4), NOW + 60_000);
  assert.deepEqual(usage.days.find(({ day, model }) => day === "2026-06-01" && model === "m"), {
    day: "2026-06-01",
    model: "m",
    purpose: "questions",
    requests: 2,
    answers: 1,
    promptTokens: 100,
    replyTokens: 3,
  });
  assert.deepEqual(meanTokens(usage, "m", "questions"), { promptTokens: 150, replyTokens: 3.5 });
  assert.equal(meanTokens(usage, "other", "questions"), undefined);
  const later = withRequest(usage, SENT, NOW + 90 * 86_400_000);
  assert.deepEqual(later.days.map(({ day }) => day), ["2026-08-30"]);
});

Deno.test("readUsage() takes a missing or damaged file for none (property)", () => {
  withPath((path, folder) => {
    assert.deepEqual(readUsage(path), NO_USAGE);
    const file = join(folder, "usage.json");
    const whole = JSON.stringify(withRequest(NO_USAGE, SENT, NOW));
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.string(), (length, rest) => {
        Deno.writeTextFileSync(file, `${whole.slice(0, length)}${rest}`);
        const { days } = readUsage(file);
        assert.ok(days.length === 0 || days[0]?.model.startsWith("m"));
      }),
    );
    Deno.writeTextFileSync(file, '{"days":[{"day":"yesterday"}],"rests":[]}');
    assert.deepEqual(readUsage(file), NO_USAGE);
  });
});

const SETTINGS = { concurrencyPerKey: 1, longestWait: 60_000, backoff: 1000, failuresInARow: 3 };
const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "first"].join("_"));

/** A ring whose only key rests for so long. */
const ringOf = (key: typeof KEY, waitSeconds: number, now = NOW) =>
  limited(keyRing([key.label], SETTINGS), key.label, "m", {
    rate: { limit: "tokens per day", waitSeconds },
  }, now);

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

Deno.test("openUsageMemory() writes short rests at most once a pause, and a long one at once", () => {
  withPath((path) => {
    let now = NOW;
    const memory = openUsageMemory(path, [KEY], () => now);
    const restFor = (waitSeconds: number) => memory.rests(ringOf(KEY, waitSeconds, now));
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
  withPath((path) => {
    const ring = ringOf(KEY, 3600);
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
  withPath((path) => {
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
  withPath((_, folder) => {
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
