import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { openTemporary, temporaryName, writeBytesAtomic, writeTextAtomic } from "./atomic.ts";

function inFolder(work: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

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
