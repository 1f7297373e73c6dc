import assert from "node:assert/strict";
import { join } from "node:path";
import { fileEntry } from "../../lib/files/table.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { DATA_FILES, renderManifest } from "./manifest.ts";

const DATA = join(import.meta.dirname!, "..", "..", "data");

const files = (folder: string): readonly string[] =>
  [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? files(join(folder, name)) : [join(folder, name)]
  );

Deno.test("data/README.md states every file's columns and hash as they are", () => {
  const stated = Deno.readTextFileSync(join(DATA, "README.md"));
  const isCurrent = stated.includes(`\n${renderManifest(DATA_FILES, DATA)}\n`);
  assert.ok(isCurrent, "data/README.md is out of date: deno task study manifest");
});

Deno.test("data/README.md leaves no file out, and describes none twice", () => {
  const named = DATA_FILES.map(({ path }) => path);
  assert.equal(new Set(named).size, named.length);
  const described = new Set([...named, join(DATA, "README.md")]);
  assert.deepEqual(files(DATA).filter((path) => !described.has(path)), []);
});

Deno.test("renderManifest() refuses a table whose columns it does not describe", () =>
  inFolder((folder) => {
    const path = join(folder, "x.csv");
    Deno.writeTextFileSync(path, "a,b\n1,2\n");
    const entry = fileEntry(path, "here", { sentences: { a: "first" } });
    const wrong = /columns are a,b, the manifest describes a/;
    assert.throws(() => renderManifest([entry], folder), wrong);
  }));
