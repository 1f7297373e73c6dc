import assert from "node:assert/strict";
import { basename, join } from "node:path";
import {
  fileProblem,
  hasSha256,
  makeFolder,
  openTemporary,
  readInput,
  replaceMarkedSection,
  sha256Hex,
  sha256OfFile,
  writeBytesAtomic,
  writeTextAtomic,
  writeUnder,
} from "./atomic.ts";
import { appendJsonLine } from "./json.ts";
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

const NAMED = { isNamed: true, isForced: false };
const why = (path: string) => `Cannot read ${path}`;

Deno.test("writeUnder(): what a command read or did not make stays, its own outputs do not", () =>
  inFolder(async (folder) => {
    const at = (name: string) => join(folder, name);
    Deno.writeTextFileSync(at("theirs.csv"), "theirs");
    Deno.writeTextFileSync(at("empty.csv"), "");
    await writeUnder(NAMED, () => {
      assert.throws(() => writeTextAtomic(at("theirs.csv"), "x"), /Touchstone did not make it/);
      assert.throws(() => appendJsonLine(at("theirs.csv"), {}), /Touchstone did not make it/);
      writeTextAtomic(at("empty.csv"), "x");
      for (const text of ["1", "2"]) writeTextAtomic(at("made.csv"), text);
      for (const _ of [1, 2]) appendJsonLine(at("log.jsonl"), { _ });
    });
    // Another process, later.
    await writeUnder(NAMED, () => {
      writeTextAtomic(at("made.csv"), "3");
      appendJsonLine(at("log.jsonl"), {});
      readInput(at("made.csv"), why);
      Deno.symlinkSync(at("made.csv"), at("link.csv"));
      for (const name of ["made.csv", "link.csv"]) {
        assert.throws(() => writeTextAtomic(at(name), "x"), /this command reads it/);
      }
    });
    Deno.writeTextFileSync(at("made.csv"), "labelled by hand");
    await writeUnder(
      NAMED,
      () => assert.throws(() => writeTextAtomic(at("made.csv"), "x"), /it was changed since/),
    );
    await writeUnder({ isNamed: true, isForced: true }, () => {
      for (const name of ["made.csv", "theirs.csv"]) writeTextAtomic(at(name), "4");
      readInput(at("theirs.csv"), why);
      assert.throws(() => writeTextAtomic(at("theirs.csv"), "x"), /this command reads it/);
    });
    assert.equal(Deno.readTextFileSync(at("theirs.csv")), "4");
    assert.ok(names(folder).every((name) => !name.endsWith(".tmp")), "nothing half written");
  }));

Deno.test("writeUnder(): a run killed before its file had its name goes on over the file before", () =>
  inFolder(async (folder) => {
    const path = join(folder, "x.csv");
    await writeUnder(NAMED, () => writeTextAtomic(path, "1"));
    await writeUnder(NAMED, () => {
      const rename = Deno.renameSync;
      Deno.renameSync = () => {
        throw new Error("killed");
      };
      try {
        assert.throws(() => writeTextAtomic(path, "2"), /killed/);
      } finally {
        Deno.renameSync = rename;
      }
    });
    await writeUnder(NAMED, () => writeTextAtomic(path, "3"));
    assert.equal(Deno.readTextFileSync(path), "3");
  }));

Deno.test("writeUnder(): nothing named is written into the project's data, through no link either", () =>
  inFolder(async (folder) => {
    const data = join(import.meta.dirname!, "../../data");
    Deno.symlinkSync(data, join(folder, "link"));
    await writeUnder({ isNamed: true, isForced: true }, () => {
      for (const at of [data, join(folder, "link")]) {
        assert.throws(() => writeTextAtomic(join(at, "new/x.csv"), "x"), /belongs to the project/);
        assert.throws(() => makeFolder(join(at, "new")), /belongs to the project/);
        assert.throws(() => appendJsonLine(join(at, "x.jsonl"), {}), /belongs to the project/);
      }
    });
    assert.ok(!names(data).includes("new"));
  }));

Deno.test("what the system says is said in our words, with the file", () =>
  inFolder((folder) => {
    const file = join(folder, "x");
    Deno.writeTextFileSync(file, "");
    for (const at of [file, "/dev/null"]) {
      assert.throws(
        () => makeFolder(at),
        /^RangeError: Cannot write into .*: a file is in the way\./,
      );
    }
    const within = join(file, "y.csv");
    assert.throws(
      () => writeTextAtomic(within, ""),
      /^Error: Cannot write .*: a file is in the way\./,
    );
    assert.throws(
      () => writeTextAtomic("/dev/null", ""),
      /Cannot write .*: it is no file that can be/,
    );
    const cause = Object.assign(new Error("No space left on device (os error 28)"), {
      code: "ENOSPC",
    });
    assert.equal(fileProblem(cause), "the disk is full");
    assert.equal(fileProblem(new Error("Strange (os error 99): open '/x'")), "Strange");
    Deno.truncateSync(file, 420e6);
    assert.throws(() => readInput(file, why), /^RangeError/);
    assert.throws(
      () => readInput(file, (words) => words),
      /it has 420 MB, at most 250 MB are read/,
    );
  }));
