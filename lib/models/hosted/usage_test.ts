import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { apiKey } from "./api_keys.ts";
import { KeyRing } from "./key_ring.ts";
import { openRestMemory, restingUntil } from "./usage.ts";

const withPath = (work: (path: string) => void) =>
  inFolder((folder) => work(join(folder, "hosted", "usage.json")));

const NOW = Date.UTC(2026, 5, 1, 23, 59);
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

Deno.test("restingUntil() takes a missing or damaged file for none (property)", () => {
  withPath((path) => {
    assert.deepEqual(restingUntil(path, "m", NOW), []);
    openRestMemory(path, [KEY], () => NOW).note(ringOf(KEY, 7200));
    const whole = Deno.readTextFileSync(path);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 3 }), fc.string(), (length, rest) => {
        Deno.writeTextFileSync(path, `${whole.slice(0, length)}${rest}`);
        assert.deepEqual(restingUntil(path, "m", NOW), []);
      }),
    );
  });
});

Deno.test("openRestMemory() of two processes at once loses no rest of any key", () => {
  withPath((path) => {
    const other = apiKey("GROQ_API_KEY_2", "another");
    const open = (key: typeof KEY) => openRestMemory(path, [key], () => NOW);
    const [first, second, third] = [open(KEY), open(KEY), open(other)];
    first.note(ringOf(KEY, 7200));
    second.note(ringOf(KEY, 3600));
    third.note(ringOf(other, 30));
    for (const memory of [third, second, first, first]) memory[Symbol.dispose]();
    const seconds = restingUntil(path, "m", NOW)
      .map(({ key, until }) => [key, (Date.parse(until) - NOW) / 1000]);
    assert.deepEqual(seconds, [["GROQ_API_KEY_2", 30], ["GROQ_API_KEY_1", 7200]]);
  });
});

Deno.test("openRestMemory() lets a later process know which of its keys rest, and until when", () => {
  withPath((path) => {
    openRestMemory(path, [KEY], () => NOW).note(ringOf(KEY, 3600));
    assert.deepEqual(restingUntil(path, "m", NOW + 3_600_000), []);
    const restored = (key: typeof KEY, now: number) => {
      const ring = new KeyRing([KEY.label], SETTINGS);
      openRestMemory(path, [key], () => now).restore(ring);
      return ring.next("m", now).kind;
    };
    assert.equal(restored(KEY, NOW + 1000), "exhausted");
    assert.equal(restored(KEY, NOW + 3_600_001), "use");
    // Another key on the same line of .env has a quota of its own.
    assert.equal(restored(apiKey(KEY.label, "another"), NOW + 1000), "use");
  });
});
