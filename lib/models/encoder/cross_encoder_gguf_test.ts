import assert from "node:assert/strict";
import { crossEncoderMetadata, crossEncoderTensors } from "./cross_encoder_gguf.ts";

const CONTENT = { name: "net", labels: ["yes", "no"], longest: 96, temperature: 1.0625 };

Deno.test("crossEncoderMetadata() states head, special tokens, length and temperature", () => {
  const metadata = crossEncoderMetadata(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat"], CONTENT);
  assert.deepEqual(metadata["bert.pooling_type"], { type: "u32", value: 4 });
  assert.deepEqual(metadata["bert.classifier.output_labels"]?.value, ["yes", "no"]);
  assert.equal(metadata["tokenizer.ggml.bos_token_id"]?.value, 2);
  assert.equal(metadata["tokenizer.ggml.seperator_token_id"]?.value, 3);
  assert.equal(metadata["touchstone.cross_encoder.temperature"]?.value, "1.0625");
  assert.equal(metadata["touchstone.cross_encoder.longest"]?.value, 96);
});

Deno.test("crossEncoderTensors() names the layer of the head that is missing", () => {
  assert.throws(() => crossEncoderTensors(new Map()), /dense.weight is missing/);
});
