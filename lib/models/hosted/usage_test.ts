import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { apiKey } from "./api_keys.ts";
import { keyRing, next } from "./key_ring.ts";
import { limited } from "./key_ring_changes.ts";
import { meanTokens, NO_USAGE, readUsage, restsOf, withRequest } from "./usage.ts";
import { openUsageMemory } from "./usage_memory.ts";

const NOW = Date.UTC(2026, 5, 1, 23, 59);
const SETTINGS = { concurrencyPerKey: 1, longestWait: 60_000, backoff: 1000, failuresInARow: 3 };
const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "first"].join("_"));
const RATE = { limit: "tokens per day", waitSeconds: 3600 } as const;

function inFolder(task: (path: string, folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    task(join(folder, "hosted", "usage.json"), folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("withRequest() counts by model and UTC day; meanTokens() averages over answers", () => {
  let usage = withRequest(NO_USAGE, "m", NOW, { promptTokens: 100, replyTokens: 3 });
  usage = withRequest(usage, "m", NOW);
  usage = withRequest(usage, "n", NOW, { promptTokens: 7, replyTokens: 1 });
  usage = withRequest(usage, "m", NOW + 60_000, { promptTokens: 200, replyTokens: 4 });
  assert.deepEqual(usage.days.find(({ day, model }) => day === "2026-06-01" && model === "m"), {
    day: "2026-06-01",
    model: "m",
    requests: 2,
    answers: 1,
    promptTokens: 100,
    replyTokens: 3,
  });
  assert.deepEqual(meanTokens(usage, "m"), { promptTokens: 150, replyTokens: 3.5 });
  assert.equal(meanTokens(usage, "other"), undefined);
  const later = withRequest(usage, "m", NOW + 90 * 86_400_000);
  assert.deepEqual(later.days.map(({ day }) => day), ["2026-08-30"]);
});

Deno.test("openUsageMemory() lets a later process know which of its keys rest, and until when", () => {
  inFolder((path) => {
    const ring = limited(keyRing([KEY.label], SETTINGS), KEY.label, "m", { rate: RATE }, NOW);
    {
      using memory = openUsageMemory(path, [KEY], () => NOW);
      memory.request("m");
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
    memory.request("m", { promptTokens: 1, replyTokens: 1 });
    assert.equal(requests(), 1);
    memory.request("m");
    assert.equal(requests(), 1);
    now += 2000;
    memory.request("m");
    assert.equal(requests(), 3);
    memory.request("m");
    memory[Symbol.dispose]();
    assert.equal(requests(), 4);
    assert.ok(!Deno.readTextFileSync(path).includes(KEY.reveal()));
  });
});

Deno.test("openUsageMemory() without a path keeps nothing; one that cannot be written says so last", () => {
  inFolder((_, folder) => {
    using nothing = openUsageMemory(undefined, [KEY], () => NOW);
    nothing.request("m");
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    Deno.writeTextFileSync(join(folder, "hosted"), "a file where a folder should be");
    const broken = openUsageMemory(join(folder, "other"), [KEY], () => NOW);
    Deno.mkdirSync(join(folder, "other", "in the way"), { recursive: true });
    broken.request("m");
    assert.throws(() => broken[Symbol.dispose]());
  });
});

Deno.test("readUsage() takes a missing or damaged file for none (property)", () => {
  inFolder((path, folder) => {
    assert.deepEqual(readUsage(path), NO_USAGE);
    const file = join(folder, "usage.json");
    const whole = JSON.stringify(withRequest(NO_USAGE, "m", NOW));
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
