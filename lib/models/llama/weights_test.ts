import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { ggufBytes, makeOnce, readGguf, readSafetensors, writeSafetensors } from "./weights.ts";

Deno.test("makeOnce() makes a file once, and anew for another source, another size or a damaged note", () =>
  inFolder(async (folder) => {
    const path = join(folder, "made.gguf");
    let count = 0;
    const make = (source: string) =>
      makeOnce(path, source, () => {
        count++;
        return Deno.writeTextFile(path, "weights");
      });
    const made = { path, sha256: sha256Hex("weights") };
    for (const source of ["one", "one", "other"]) assert.deepEqual(await make(source), made);
    assert.equal(count, 2);
    for (const [name, damage] of [[path, "cut"], [`${path}.json`, "{"]] as const) {
      Deno.writeTextFileSync(name, damage);
      assert.deepEqual(await make("other"), made);
    }
    assert.equal(count, 4);
  }));

Deno.test("readSafetensors() gives back what was written, and says what is wrong with a file that is cut short or another", () =>
  inFolder((folder) => {
    const path = join(folder, "two.safetensors");
    const tensors = [[1, 2, 3, 4], [5, 6]].map((bytes, at) => (
      { name: `t${at}`, type: "F16", shape: [bytes.length / 2], bytes: Uint8Array.from(bytes) }
    ));
    writeSafetensors(path, tensors);
    const whole = Deno.readFileSync(path);
    assert.deepEqual([...readSafetensors(path, whole).values()], tensors);
    const headed = (text: string) =>
      Uint8Array.from([text.length, ...Array(7).fill(0), ...new TextEncoder().encode(text)]);
    const cases = [
      [whole.subarray(0, -1), /m\.safetensors: tensor t1 is cut/],
      [whole.subarray(0, 20), /header is longer/],
      [headed("[1"), /not a JSON object/],
      [headed('{"a":1}'), /tensor a is not described/],
      [new Uint8Array(3), SyntaxError],
    ] as const;
    for (const [bytes, problem] of cases) {
      assert.throws(() => readSafetensors("m.safetensors", bytes), problem);
    }
    assert.equal(readSafetensors("x", headed('{"__metadata__":{"format":"pt"}}')).size, 0);
  }));

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
