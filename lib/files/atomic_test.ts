import assert from "node:assert/strict";
import { basename, join } from "node:path";
import {
  hasSha256,
  openTemporary,
  replaceMarkedSection,
  sha256Hex,
  sha256OfFile,
  writeBytesAtomic,
  writeTextAtomic,
} from "./atomic.ts";
import { inFolder } from "./testdata/folder.ts";

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}

Deno.test("writeTextAtomic() replaces the file, makes the folder and leaves nothing else", () => {
  inFolder((folder) => {
    const path = join(folder, "norse", "x.csv");
    writeTextAtomic(path, "a long first text");
    writeTextAtomic(path, "þ");
    assert.deepEqual([...Deno.readFileSync(path)], [0xc3, 0xbe]);
    assert.deepEqual(names(join(folder, "norse")), ["x.csv"]);
    // A folder cannot be replaced by a file.
    assert.throws(() => writeBytesAtomic(join(folder, "norse"), Uint8Array.of(1)));
    assert.deepEqual(names(folder), ["norse"]);
  });
});

Deno.test("openTemporary() shows nothing under the final name before commit", () => {
  inFolder((folder) => {
    const path = join(folder, "model.gguf");
    const begun = openTemporary(path);
    begun.file.writeSync(Uint8Array.of(1, 2));
    assert.ok(names(folder).every((name) => name !== basename(path) && name.endsWith(".tmp")));
    begun.commit();
    assert.deepEqual(names(folder), [basename(path)]);
    const dropped = openTemporary(path);
    dropped.discard();
    assert.deepEqual([...Deno.readFileSync(path)], [1, 2]);
    assert.deepEqual(names(folder), [basename(path)]);
  });
});

const DOCUMENT =
  "# Results\n\n<!-- begin norse (generated, edits are lost) -->\nold\n<!-- end norse -->\n\nMore.\n";

Deno.test("replaceMarkedSection() exchanges only what stands between the markers", () => {
  const replaced = replaceMarkedSection(DOCUMENT, "norse", "new $1 $&\n");
  assert.equal(replaced, DOCUMENT.replace("\nold\n", () => "\n\nnew $1 $&\n\n"));
  assert.equal(replaceMarkedSection(replaced, "norse", "new $1 $&"), replaced);
  assert.throws(() => replaceMarkedSection(DOCUMENT, "sanskrit", "x"), /section "sanskrit"/);
  assert.throws(() => replaceMarkedSection(DOCUMENT + DOCUMENT, "norse", "x"), SyntaxError);
});

// FIPS 180-4's own examples: the empty message, "abc", and a million times "a".
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const MILLION_A = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

Deno.test("sha256Hex() and sha256OfFile() give the published digests, text being its UTF-8", () => {
  inFolder((folder) => {
    const path = join(folder, "blocks");
    for (const [text, digest] of [["", EMPTY], ["abc", ABC], ["a".repeat(1_000_000), MILLION_A]]) {
      assert.equal(sha256Hex(text!), digest);
      Deno.writeTextFileSync(path, text!);
      assert.equal(sha256OfFile(path), digest);
    }
    const bytes = new Uint8Array(3 * (1 << 20) + 7).map((_, index) => index % 251);
    Deno.writeFileSync(path, bytes);
    assert.ok(hasSha256(path, sha256Hex(bytes)) && !hasSha256(path, ABC));
    assert.equal(hasSha256(join(folder, "none"), EMPTY), false);
  });
});
