import assert from "node:assert/strict";
import { minilmMetadata, minilmTensors } from "./minilm_gguf.ts";

Deno.test("minilmMetadata() marks the beginnings of words as llama.cpp does", () => {
  assert.deepEqual(minilmMetadata(["[CLS]", "cat", "##s", "!"])["tokenizer.ggml.tokens"], {
    type: "texts",
    value: ["[CLS]", "▁cat", "s", "▁!"],
  });
});

Deno.test("minilmTensors() names the tensor that is missing or not of 32-bit floats", () => {
  const name = "embeddings.word_embeddings.weight";
  assert.throws(() => minilmTensors(new Map()), new RegExp(`${name} is missing`));
  const half = { name, type: "F16", shape: [1], bytes: new Uint8Array(2) };
  assert.throws(() => minilmTensors(new Map([[name, half]])), /of type F16, not F32/);
});
