import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCsv } from "../../lib/files/csv.ts";
import { fileEntry, type Table } from "../../lib/files/table.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { PROVENANCE as OF_NORSE } from "../../lib/studies/norse/tables.ts";
import { PROVENANCE as OF_SANSKRIT } from "../../lib/studies/sanskrit/tables.ts";
import {
  COLUMN_PAGES,
  DATA_FILES,
  OUTSIDE_SETS,
  renderColumns,
  renderFiles,
  renderOutsideSets,
} from "./manifest.ts";

const DATA = join(import.meta.dirname!, "..", "..", "data");

Deno.test("data/README.md states every file's rows and hash, each study's page its columns", () => {
  const sections = [
    ["README.md", renderFiles(DATA_FILES, DATA)],
    ["README.md", renderOutsideSets()],
    ...COLUMN_PAGES.map((folder) =>
      [`${folder}/README.md`, renderColumns(DATA_FILES, folder, DATA)] as const
    ),
  ] as const;
  for (const [page, section] of sections) {
    const isCurrent = Deno.readTextFileSync(join(DATA, page)).includes(`\n${section}\n`);
    assert.ok(isCurrent, `data/${page} is out of date: deno task study manifest`);
  }
});

Deno.test("descriptions of files and columns use the words of the language guide", () => {
  const words = /\b(told|by lot|so many|nobody|beside|likewise|borne out|own|whether|what)\b/i;
  const described = DATA_FILES.flatMap(({ path, about, sentences }) =>
    [about, ...Object.values(sentences)].map((text) => ({ path, text }))
  );
  assert.deepEqual(described.filter(({ text }) => words.test(text)), []);
  const isLong = ({ text }: { text: string }) =>
    text.split(/[.;:] /).some((sentence) => sentence.split(/\s+/).length > 35);
  assert.deepEqual(described.filter(isLong), []);
});

Deno.test("data/README.md leaves no file out, and describes none twice", () => {
  const named = DATA_FILES.map(({ path }) => path);
  assert.equal(new Set(named).size, named.length);
  const pages = ["", ...COLUMN_PAGES].map((folder) => join(DATA, folder, "README.md"));
  const described = new Set([...named, ...pages]);
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

Deno.test("renderFiles() counts rows, links columns, and refuses wrong columns and a missing origin", () =>
  inFolder((folder) => {
    const path = join(folder, "set", "x.csv");
    Deno.mkdirSync(dirname(path));
    Deno.writeTextFileSync(path, "a,b\n1,2\n");
    const entry = fileEntry(path, "a test: two numbers", { sentences: { a: "first" } });
    const wrong = /columns are a,b, the manifest describes a/;
    assert.throws(() => renderFiles([entry], folder), wrong);
    const [whole, silent] = ["a test: two numbers", "two numbers"].map((about) =>
      fileEntry(path, about, { sentences: { a: "first", b: "second" } })
    );
    assert.throws(() => renderFiles([silent!], folder), /not of the form "origin: content"/);
    assert.match(
      renderFiles([whole!], folder),
      /\| \[`x.csv`\]\(set\/README.md#xcsv\) \| two numbers \| a test \| 1 \| MIT \|/,
    );
  }));

Deno.test("reading_provenance.csv accounts for every judgement that a language model made; none is by hand", () => {
  const rowsIn = (path: string) => {
    const { sentences } = DATA_FILES.find((file) => file.path === path)!;
    return readCsv(path, Object.keys(sentences), (row) => row).rows;
  };
  for (const table of [OF_NORSE, OF_SANSKRIT]) {
    for (const [file, readings] of Map.groupBy(table.read(), (row) => row.file)) {
      const stated = readings.reduce((sum, { rows }) => sum + rows, 0);
      assert.equal(
        stated,
        rowsIn(join(dirname(table.path), file)).length,
        `${table.path}: ${file}`,
      );
    }
  }
  for (const { path, sentences } of DATA_FILES) {
    if (!("read_by" in sentences)) continue;
    for (const row of rowsIn(path)) assert.notEqual(row.read_by, "hand", path);
  }
});
