import assert from "node:assert/strict";
import { basename, join } from "node:path";
import {
  hasSha256,
  openTemporary,
  replaceMarkedSection,
  sha256Hex,
  sha256OfFile,
  shownPath,
  temporaryName,
  writeBytesAtomic,
  writeTextAtomic,
} from "./atomic.ts";
import { inFolder } from "./testdata/folder.ts";

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}

Deno.test("temporaryName() stays in the folder, ends in .tmp and differs each time", () => {
  const [first, second] = [temporaryName("data/x.csv"), temporaryName("data/x.csv")];
  assert.match(first, /^data\/x\.csv\.[0-9a-f]{8}\.tmp$/);
  assert.notEqual(first, second);
});

Deno.test("writeTextAtomic() replaces the file, makes the folder and leaves nothing else", () => {
  inFolder((folder) => {
    const path = join(folder, "norse", "x.csv");
    writeTextAtomic(path, "a long first text");
    writeTextAtomic(path, "þ");
    assert.deepEqual([...Deno.readFileSync(path)], [0xc3, 0xbe]);
    assert.deepEqual(names(join(folder, "norse")), ["x.csv"]);
  });
});

Deno.test("writeBytesAtomic() leaves the old file and no other when it cannot finish", () => {
  inFolder((folder) => {
    const path = join(folder, "taken");
    Deno.mkdirSync(path); // a folder cannot be replaced by a file
    assert.throws(() => writeBytesAtomic(path, Uint8Array.of(1)));
    assert.deepEqual(names(folder), ["taken"]);
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

Deno.test("shownPath() starts from the working folder, also from a folder of the project", () => {
  assert.equal(shownPath("/home/me/project/.env", "/home/me/project"), ".env");
  assert.equal(shownPath("/home/me/project/.env", "/home/me/project/notebooks"), "../.env");
  assert.equal(shownPath("/home/me/project/data/a.csv", "/home/me/project"), "data/a.csv");
});

Deno.test("shownPath() leaves what is further away", () => {
  assert.equal(shownPath("/tmp/a/.env", "/home/me/project"), "/tmp/a/.env");
  assert.equal(shownPath("/home/me", "/home/me/project"), "/home/me");
});

const DOCUMENT =
  "# Results\n\n<!-- begin norse (generated, edits are lost) -->\nold\n<!-- end norse -->\n\nMore.\n";

Deno.test("replaceMarkedSection() exchanges only what stands between the markers", () => {
  const replaced = replaceMarkedSection(DOCUMENT, "norse", "new $1 $&\n");
  assert.equal(replaced, DOCUMENT.replace("\nold\n", () => "\n\nnew $1 $&\n\n"));
  assert.equal(replaceMarkedSection(replaced, "norse", "new $1 $&"), replaced);
});

Deno.test("replaceMarkedSection() refuses a document without the markers", () => {
  assert.throws(() => replaceMarkedSection(DOCUMENT, "sanskrit", "x"), /section "sanskrit"/);
  assert.throws(() => replaceMarkedSection(DOCUMENT + DOCUMENT, "norse", "x"), SyntaxError);
});

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
