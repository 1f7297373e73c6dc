import assert from "node:assert/strict";
import fc from "fast-check";
import { inSmallerParts, isMemoryError } from "./memory.ts";

Deno.test("isMemoryError() knows V8's, a native library's and llama.cpp's words, and their causes", () => {
  for (
    const message of [
      "Array buffer allocation failed",
      "Invalid array length",
      "std::bad_alloc",
      "CUDA error: out of memory",
      "Failed to create context",
    ]
  ) {
    assert.equal(isMemoryError(new RangeError(message)), true, message);
  }
  assert.equal(isMemoryError(new Error("x", { cause: new Error("out of memory") })), true);
  assert.equal(isMemoryError(new Error("no such file")), false);
  assert.equal(isMemoryError("out of memory"), false);
});

Deno.test("Requirement 9.3: whatever the memory bears, every item is done once, in order, after caches were cleared", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 1, max: 12 }),
      async (items, size, bearable) => {
        let cleared = 0;
        const results = await inSmallerParts(
          items,
          (part) => {
            if (part.length > bearable) throw new RangeError("Array buffer allocation failed");
            return Promise.resolve(part.map((item) => item * 2));
          },
          { size, clearCaches: () => void cleared++, onRetry: () => {} },
        );
        assert.deepEqual(results, items.map((item) => item * 2));
        assert.equal(cleared > 0, Math.min(size, items.length) > bearable);
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("inSmallerParts() throws what fails with one item, and any other error at once", async () => {
  const sizes: number[] = [];
  const options = { size: 4, clearCaches: () => {}, onRetry: () => {} };
  const work = (message: string) => (part: readonly number[]) => {
    sizes.push(part.length);
    throw new Error(message);
  };
  await assert.rejects(inSmallerParts([1, 2, 3, 4], work("out of memory"), options), /out of/);
  assert.deepEqual(sizes, [4, 2, 1]);
  await assert.rejects(inSmallerParts([1, 2, 3, 4], work("no such file"), options), /no such/);
  assert.deepEqual(sizes, [4, 2, 1, 4]);
});

Deno.test("inSmallerParts() refuses answers that are not as many as the items", async () => {
  const options = { size: 4, clearCaches: () => {}, onRetry: () => {} };
  await assert.rejects(
    inSmallerParts([1, 2], () => Promise.resolve([1]), options),
    /1 came for 2 items/,
  );
});
