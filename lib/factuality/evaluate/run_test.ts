import assert from "node:assert/strict";
import fc from "fast-check";
import { inSmallerParts, isMemoryError } from "./run.ts";

const options = {
  size: 2,
  clearCaches: () => {},
  onRetry: () => {},
  giveUp: (_part: readonly number[], error: unknown) => {
    throw error;
  },
};

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
          { ...options, size, clearCaches: () => void cleared++ },
        );
        assert.deepEqual(results, items.map((item) => item * 2));
        assert.equal(cleared > 0, Math.min(size, items.length) > bearable);
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("inSmallerParts() halves down to one item, gives that up and goes on with the others", async () => {
  const sizes: number[] = [];
  const results = await inSmallerParts([1, 2, 3, 4], (part) => {
    sizes.push(part.length);
    if (part.includes(2)) throw new Error("out of memory");
    return Promise.resolve(part);
  }, { ...options, size: 4, giveUp: () => [-1] });
  assert.deepEqual(results, [1, -1, 3, 4]);
  assert.deepEqual(sizes, [4, 2, 1, 1, 1, 1]);
});

Deno.test("inSmallerParts() gives up at once what smaller parts do not mend", async () => {
  const told: unknown[] = [];
  const giveUp = (part: readonly number[], error: unknown) => {
    told.push((error as Error).message);
    return part.map(() => -1);
  };
  const failing = () => Promise.reject(new Error("no such file"));
  assert.deepEqual(await inSmallerParts([1, 2], failing, { ...options, giveUp }), [-1, -1]);
  const tooFew = () => Promise.resolve([1]);
  assert.deepEqual(await inSmallerParts([1, 2], tooFew, { ...options, giveUp }), [-1, -1]);
  assert.deepEqual(told, ["no such file", "1 answers came for 2 items"]);
});
