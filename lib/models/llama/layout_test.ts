import assert from "node:assert/strict";
import { assertLayout, CONTEXT_PARAMS, readField, writeField } from "./layout.ts";

function defaults(): Uint8Array {
  const bytes = new Uint8Array(CONTEXT_PARAMS.size);
  for (const field of Object.values(CONTEXT_PARAMS.fields)) {
    writeField(bytes, field, field.expected);
  }
  return bytes;
}

Deno.test("assertLayout() accepts the defaults of llama.cpp v0.4.0", () => {
  assertLayout(CONTEXT_PARAMS, defaults());
});

Deno.test("assertLayout() names the field that has moved, whichever it is", () => {
  for (const [name, field] of Object.entries(CONTEXT_PARAMS.fields)) {
    const bytes = defaults();
    writeField(bytes, field, field.expected + 2);
    assert.throws(
      () => assertLayout(CONTEXT_PARAMS, bytes),
      (error) =>
        error instanceof TypeError && error.message.includes(`llama_context_params.${name} `),
    );
  }
});

Deno.test("assertLayout() refuses a struct into which a field of four bytes was inserted", () => {
  const bytes = defaults();
  bytes.copyWithin(20, 16);
  assert.throws(() => assertLayout(CONTEXT_PARAMS, bytes), TypeError);
});

Deno.test("writeField() writes what readField() reads, in a view with an offset too", () => {
  const bytes = new Uint8Array(new ArrayBuffer(CONTEXT_PARAMS.size + 8), 8);
  writeField(bytes, CONTEXT_PARAMS.fields.threads, -7);
  writeField(bytes, CONTEXT_PARAMS.fields.yarnBetaSlow, 0.5);
  writeField(bytes, CONTEXT_PARAMS.fields.kvUnified, 1);
  assert.equal(readField(bytes, CONTEXT_PARAMS.fields.threads), -7);
  assert.equal(readField(bytes, CONTEXT_PARAMS.fields.yarnBetaSlow), 0.5);
  assert.equal(readField(bytes, CONTEXT_PARAMS.fields.kvUnified), 1);
});
