import assert from "node:assert/strict";
import { ggufBytes } from "./gguf_file.ts";

/** The GGUF specification's layout of one text and one tensor, byte by byte. */
Deno.test("ggufBytes() writes header, metadata, tensor's place and its bytes, padded to 32", () => {
  const metadata = { k: { type: "text", value: "v" } } as const;
  const tensor = { name: "t", shape: [2, 1], bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) };
  const bytes = [...ggufBytes(metadata, [tensor])].flatMap((piece) => [...piece]);
  const u64 = (value: number) => [value, 0, 0, 0, 0, 0, 0, 0];
  const head = [
    ...[71, 71, 85, 70, 3, 0, 0, 0, ...u64(1), ...u64(1)],
    ...[...u64(1), 107, 8, 0, 0, 0, ...u64(1), 118],
    ...[...u64(1), 116, 2, 0, 0, 0, ...u64(1), ...u64(2), 0, 0, 0, 0, ...u64(0)],
  ];
  assert.deepEqual(bytes.slice(0, head.length), head);
  const begin = Math.ceil(head.length / 32) * 32;
  assert.deepEqual(bytes.slice(head.length, begin), Array(begin - head.length).fill(0));
  assert.deepEqual(bytes.slice(begin, begin + 8), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(bytes.length, begin + 32);
});

Deno.test("ggufBytes() sets the second tensor behind the first one's padding", () => {
  const tensor = (name: string) => ({ name, shape: [9], bytes: new Uint8Array(36).fill(7) });
  const [head] = [...ggufBytes({}, [tensor("a"), tensor("b")])];
  const infoOfB = 24 + 33;
  assert.equal(new DataView(head!.buffer).getUint32(infoOfB + 25, true), 64);
});
