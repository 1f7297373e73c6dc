import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { ggufBytes, madeOnce, readGguf, readSafetensors, writeSafetensors } from "./weights.ts";

const withPath = (work: (path: string) => Promise<void>) =>
  inFolder((folder) => work(join(folder, "made.gguf")));

Deno.test("madeOnce() makes a file once, and anew for another source, another size or a damaged note", () =>
  withPath(async (path) => {
    let count = 0;
    const make = (source: string) =>
      madeOnce(path, source, async () => {
        count++;
        await Deno.writeTextFile(path, "weights");
      });
    const first = await make("source");
    assert.deepEqual(first, { path, sha256: sha256Hex("weights") });
    assert.deepEqual(await make("source"), first);
    assert.equal(count, 1);
    await make("another");
    await Deno.writeTextFile(path, "cut");
    await make("another");
    await Deno.writeTextFile(`${path}.json`, "{");
    await make("another");
    assert.equal(count, 4);
  }));

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

Deno.test("readSafetensors() says what is wrong with a file that is cut short or another", () => {
  const short = file(HEADER, [0, 0, 128, 63]);
  assert.throws(() => readSafetensors("m.safetensors", short), /m\.safetensors: tensor b is cut/);
  assert.throws(() => readSafetensors("x", short.subarray(0, 20)), /header is longer/);
  assert.throws(() => readSafetensors("x", file("[1", [])), /not a JSON object/);
  assert.throws(() => readSafetensors("x", file('{"a":1}', [])), /tensor a is not described/);
  assert.throws(() => readSafetensors("x", new Uint8Array(3)), SyntaxError);
});

Deno.test("readGguf() gives back what was written, and says of any beginning of it that it is cut short", () => {
  const metadata = {
    ...{ a: { type: "u32", value: 7 }, b: { type: "f32", value: 0.5 } } as const,
    ...{ c: { type: "bool", value: true }, d: { type: "text", value: "▁é" } } as const,
    e: { type: "texts", value: ["", "▁cat"] },
  } as const;
  const eight = Uint8Array.from({ length: 34 }, (_, at) => at);
  const tensors = [
    { name: "x", type: "Q8_0", shape: [1, 32], bytes: eight },
    { name: "y", type: "F16", shape: [3, 2], bytes: eight.subarray(0, 12) },
    { name: "z", type: "F32", shape: [2], bytes: eight.subarray(0, 8) },
  ] as const;
  const bytes = Uint8Array.from([...ggufBytes(metadata, tensors)].flatMap((piece) => [...piece]));
  const read = readGguf("m.gguf", bytes);
  assert.deepEqual(read.metadata, metadata);
  assert.deepEqual([...read.tensors.values()], tensors);
  const end = bytes.length - 24;
  for (let length = 0; length < end; length++) {
    const torn = () => readGguf("m.gguf", bytes.subarray(0, length));
    assert.throws(torn, /^SyntaxError: Cannot read m\.gguf: .*cut short; it is damaged/);
  }
  assert.throws(() => readGguf("x", bytes.with(4, 2)), /not of version 3/);
});

Deno.test("writeSafetensors() writes what readSafetensors() reads", () =>
  inFolder((folder) => {
    const path = join(folder, "two.safetensors");
    const tensors = [[1, 2, 3, 4], [5, 6]].map((bytes, at) => (
      { name: `t${at}`, type: "F16", shape: [bytes.length / 2], bytes: Uint8Array.from(bytes) }
    ));
    writeSafetensors(path, tensors);
    assert.deepEqual([...readSafetensors(path, Deno.readFileSync(path)).values()], tensors);
  }));
