import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { manifest } from "./manifest.ts";
import { MANIFEST } from "./manifest/entries.ts";
import { renderManifest } from "./manifest/render.ts";

const DATA = join(import.meta.dirname!, "..", "data");

function files(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? files(join(folder, name)) : [relative(DATA, join(folder, name))]
  );
}

Deno.test("data/README.md states every file's columns and hash as they are", () => {
  const stated = Deno.readTextFileSync(join(DATA, "README.md"));
  assert.ok(stated === manifest(DATA), "data/README.md is out of date: deno task manifest");
});

Deno.test("data/README.md leaves no file out", () => {
  const named = new Set([...MANIFEST.map(({ file }) => file), "README.md"]);
  assert.deepEqual(files(DATA).filter((file) => !named.has(file)), []);
});

Deno.test("renderManifest() refuses a table whose columns it does not describe", () => {
  const entry = { file: "x.csv", source: "here", licence: "MIT", columns: { a: "first" } };
  const read = () => new TextEncoder().encode("a,b\n1,2\n");
  assert.throws(() => renderManifest([entry], read), /columns are a,b, the manifest describes a/);
});
