import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCsv } from "../../lib/files/csv.ts";
import { fileEntry, type Table } from "../../lib/files/table.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { PROVENANCE as OF_NORSE } from "../../lib/studies/norse/tables.ts";
import { PROVENANCE as OF_SANSKRIT } from "../../lib/studies/sanskrit/tables.ts";
import { DATA_FILES, OUTSIDE_SETS, renderManifest, renderOutsideSets } from "./manifest.ts";

const DATA = join(import.meta.dirname!, "..", "..", "data");

Deno.test("data/README.md states every file's columns and hash as they are", () => {
  const stated = Deno.readTextFileSync(join(DATA, "README.md"));
  const isCurrent = stated.includes(`\n${renderManifest(DATA_FILES, DATA)}\n`);
  assert.ok(isCurrent, "data/README.md is out of date: deno task study manifest");
  assert.ok(stated.includes(`\n${renderOutsideSets()}\n`), "its sets that are not there are, too");
});

Deno.test("data/README.md leaves no file out, and describes none twice", () => {
  const named = DATA_FILES.map(({ path }) => path);
  assert.equal(new Set(named).size, named.length);
  const described = new Set([...named, join(DATA, "README.md")]);
  const files = readdirSync(DATA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  assert.deepEqual(files.filter((path) => !described.has(path)), []);
});

Deno.test("every table of the study of factuality is read and written again to the byte, no key twice", () => {
  const isTable = (file: typeof DATA_FILES[number]): file is Table<unknown> =>
    "read" in file && file.whenMissing === undefined && file.path.includes("/factuality/");
  for (const { path, read, format, keyOf } of DATA_FILES.filter(isTable)) {
    const rows = read();
    assert.equal(format(rows), Deno.readTextFileSync(path), path);
    assert.equal(new Set(rows.map(keyOf)).size, rows.length, path);
  }
});

Deno.test("every outside set states a licence, a SHA-256 and an origin, and no address", () => {
  for (const { file, sha256, licence, origin, made } of OUTSIDE_SETS) {
    assert.match(sha256, /^[0-9a-f]{64}$/, file);
    assert.ok(licence !== "" && origin !== "", file);
    assert.doesNotMatch(origin + made, /https?:|www\.|\.(?:com|org|co)\b/, file);
  }
});

Deno.test("renderManifest() refuses a table whose columns it does not describe", () =>
  inFolder((folder) => {
    const path = join(folder, "x.csv");
    Deno.writeTextFileSync(path, "a,b\n1,2\n");
    const entry = fileEntry(path, "here", { sentences: { a: "first" } });
    const wrong = /columns are a,b, the manifest describes a/;
    assert.throws(() => renderManifest([entry], folder), wrong);
  }));

Deno.test("reading_provenance.csv accounts for every judgement that a language model made; none is by hand", () => {
  const rowsIn = (path: string) => {
    const { sentences } = DATA_FILES.find((file) => file.path === path)!;
    return readCsv(path, Object.keys(sentences), (row) => row).rows;
  };
  for (const table of [OF_NORSE, OF_SANSKRIT]) {
    for (const [file, readings] of Map.groupBy(table.read(), (row) => row.file)) {
      const told = readings.reduce((sum, { rows }) => sum + rows, 0);
      assert.equal(told, rowsIn(join(dirname(table.path), file)).length, `${table.path}: ${file}`);
    }
  }
  for (const { path, sentences } of DATA_FILES) {
    if (!("read_by" in sentences)) continue;
    for (const row of rowsIn(path)) assert.notEqual(row.read_by, "hand", path);
  }
});
