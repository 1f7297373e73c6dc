import assert from "node:assert/strict";
import { isMemoryError } from "./run.ts";

Deno.test("isMemoryError() knows V8's, a native library's and llama.cpp's words, and their causes", () => {
  for (const words of ["Array buffer allocation failed", "std::bad_alloc", "CUDA: out of memory"]) {
    assert.equal(isMemoryError(new RangeError(words)), true, words);
  }
  assert.equal(
    isMemoryError(new Error("x", { cause: new Error("Failed to create context") })),
    true,
  );
  assert.equal(isMemoryError(new Error("no such file")), false);
  assert.equal(isMemoryError("out of memory"), false);
});
