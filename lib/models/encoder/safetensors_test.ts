import assert from "node:assert/strict";
import { readSafetensors } from "./safetensors.ts";

function file(header: string, data: readonly number[]): Uint8Array {
  const head = new TextEncoder().encode(header);
  const bytes = new Uint8Array(8 + head.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(head.length), true);
  bytes.set(head, 8);
  bytes.set(data, 8 + head.length);
  return bytes;
}

const HEADER = JSON.stringify({
  __metadata__: { format: "pt" },
  a: { dtype: "F32", shape: [1], data_offsets: [0, 4] },
  b: { dtype: "I64", shape: [1, 1], data_offsets: [4, 12] },
});

Deno.test("readSafetensors() gives each tensor its type, shape and bytes", () => {
  const data = [0, 0, 128, 63, 1, 2, 3, 4, 5, 6, 7, 8];
  const tensors = readSafetensors("x", file(HEADER, data));
  assert.deepEqual([...tensors.keys()], ["a", "b"]);
  assert.deepEqual([...tensors.get("a")!.bytes], [0, 0, 128, 63]);
  assert.deepEqual(tensors.get("b")!.shape, [1, 1]);
  assert.deepEqual([...tensors.get("b")!.bytes], [1, 2, 3, 4, 5, 6, 7, 8]);
});

Deno.test("readSafetensors() says what is wrong with a file that is cut short or another", () => {
  const short = file(HEADER, [0, 0, 128, 63]);
  assert.throws(() => readSafetensors("m.safetensors", short), /m\.safetensors: tensor b is cut/);
  assert.throws(() => readSafetensors("x", short.subarray(0, 20)), /header is longer/);
  assert.throws(() => readSafetensors("x", file("[1", [])), /not a JSON object/);
  assert.throws(() => readSafetensors("x", file('{"a":1}', [])), /tensor a is not described/);
  assert.throws(() => readSafetensors("x", new Uint8Array(3)), SyntaxError);
});
