import assert from "node:assert/strict";
import fc from "fast-check";
import { EncodedTextCache } from "./encoded_text_cache.ts";
import type { EncodedText } from "./sentence_encoder.ts";

/** 400 + 2 for a text of one letter + 4,096 for the vector. */
const BYTES = 4498;

function encoded(): EncodedText {
  return { sentence: new Float32Array(1024), tokens: [], readTo: 1 };
}

Deno.test("a cache forgets what was not asked for the longest", () => {
  const cache = new EncodedTextCache(2 * BYTES);
  cache.set("a", encoded());
  cache.set("b", encoded());
  cache.get("a");
  cache.set("c", encoded());
  assert.deepEqual(["a", "b", "c"].map((text) => cache.get(text) !== undefined), [
    true,
    false,
    true,
  ]);
});

Deno.test("a cache keeps nothing that is bigger than it", () => {
  const cache = new EncodedTextCache(BYTES - 1);
  cache.set("a", encoded());
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.bytes, 0);
});

Deno.test("a cleared cache holds nothing", () => {
  const cache = new EncodedTextCache(9 * BYTES);
  cache.set("a", encoded());
  assert.equal(cache.bytes, BYTES);
  cache.clear();
  assert.deepEqual([cache.bytes, cache.get("a")], [0, undefined]);
});

Deno.test("Requirement 9.3: a cache never holds more than its bytes, and what it holds is right", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "d", "e"));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 4 }), (asked, count) => {
      const cache = new EncodedTextCache(count * BYTES);
      const made = new Map<string, EncodedText>();
      for (const text of asked) {
        const found = cache.get(text);
        assert.ok(found === undefined || found === made.get(text));
        if (found !== undefined) continue;
        made.set(text, encoded());
        cache.set(text, made.get(text)!);
        assert.ok(cache.bytes <= count * BYTES);
      }
      assert.equal(cache.bytes, Math.min(new Set(asked).size, count) * BYTES);
    }),
    { numRuns: 200 },
  );
});
