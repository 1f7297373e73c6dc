import assert from "node:assert/strict";
import { hasSha256, sha256Hex, sha256OfFile } from "./checksum.ts";

// FIPS 180-4's own examples: the empty message, "abc", and a million times "a".
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const MILLION_A = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

Deno.test("sha256Hex() gives the published digests, text being its UTF-8", () => {
  assert.equal(sha256Hex(""), EMPTY);
  assert.equal(sha256Hex("abc"), ABC);
  assert.equal(sha256Hex("a".repeat(1_000_000)), MILLION_A);
  assert.equal(sha256Hex("þ"), sha256Hex(Uint8Array.of(0xc3, 0xbe)));
});

Deno.test("sha256OfFile() digests files longer than one block", () => {
  const path = Deno.makeTempFileSync();
  try {
    assert.equal(sha256OfFile(path), EMPTY);
    Deno.writeTextFileSync(path, "a".repeat(1_000_000));
    assert.equal(sha256OfFile(path), MILLION_A);
    const bytes = new Uint8Array(3 * (1 << 20) + 7).map((_, index) => index % 251);
    Deno.writeFileSync(path, bytes);
    assert.equal(sha256OfFile(path), sha256Hex(bytes));
    assert.ok(hasSha256(path, sha256Hex(bytes)) && !hasSha256(path, ABC));
  } finally {
    Deno.removeSync(path);
  }
  assert.equal(hasSha256(path, EMPTY), false);
});
