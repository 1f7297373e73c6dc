import assert from "node:assert/strict";
import { join } from "node:path";
import { writeSheets } from "../workbook/sheet_adapter.ts";
import { withDirectoryField } from "../workbook/testdata/bomb.ts";
import { readOutputs } from "./outputs_files.ts";
import { LONG_FORM, WIDE_FORM } from "./outputs.ts";

const HEADINGS = ["document", "segment", "source", "x", "y"];
const WANTED = {
  systems: ["x", "y"],
  segments: [
    { document: "d", segment: "1", source: 'He said "no"', translations: ["=1+1", "Nein"] },
    { document: "d", segment: "2", source: "Two", translations: ["", "007"] },
  ],
};

async function inFile<T>(name: string, bytes: Uint8Array, act: (path: string) => Promise<T>) {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeFileSync(join(folder, name), bytes);
    return await act(join(folder, name));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text);

Deno.test("readOutputs() reads the same from CSV, TSV without quoting, and XLSX", async () => {
  const rows = [["d", 1, 'He said "no"', "=1+1", "Nein"], ["d", 2, "Two", undefined, "007"]];
  const columns = HEADINGS.map((heading) => ({ heading, width: 10 }));
  const xlsx = await writeSheets([{ name: "outputs", columns, rows, isProtected: false }]);
  const csv = utf8(`${HEADINGS}\nd,1,"He said ""no""",=1+1,Nein\nd,2,Two,,007\n`);
  const tsv = utf8(
    [HEADINGS, ...rows].map((row) => row.map((it) => it ?? "").join("\t")).join("\r\n"),
  );
  const layout = WIDE_FORM;
  const read = (name: string, bytes: Uint8Array, quotes = true) =>
    inFile(name, bytes, (path) => readOutputs(path, { layout, quotes }));
  assert.deepEqual(await read("o.csv", csv), WANTED);
  assert.deepEqual(await read("o.tsv", tsv, false), WANTED);
  assert.deepEqual(await read("o.XLSX", xlsx), WANTED);
});

Deno.test("readOutputs() names the cells of an XLSX that stand under no heading", async () => {
  const columns = [...HEADINGS.slice(0, 4), ""].map((heading) => ({ heading, width: 10 }));
  const rows = [["d", 1, "One", "Eins", "Ein", "Uno"]];
  const xlsx = await writeSheets([{ name: "outputs", columns, rows, isProtected: false }]);
  const read = inFile("o.xlsx", xlsx, (path) => readOutputs(path, { layout: WIDE_FORM }));
  await assert.rejects(read, /o\.xlsx: .*cell F2 stands under no heading/);
});

Deno.test("readOutputs() says what to do about an XLSX that is too large", async () => {
  const columns = HEADINGS.map((heading) => ({ heading, width: 10 }));
  const xlsx = await writeSheets([{ name: "outputs", columns, rows: [], isProtected: false }]);
  const read = inFile(
    "o.xlsx",
    withDirectoryField(xlsx, 24, 50_000_000, 4),
    (path) => readOutputs(path),
  );
  await assert.rejects(read, /o\.xlsx: .*over 40 MB.*\. A CSV or TSV may be larger\.$/);
});

Deno.test("readOutputs() refuses what is no table", async () => {
  const read = (name: string, bytes: Uint8Array) =>
    inFile(name, bytes, (path) => readOutputs(path, { layout: LONG_FORM }));
  await assert.rejects(read("o.xlsx", utf8("no zip")), /^SyntaxError: Cannot read .*o\.xlsx: /);
  await assert.rejects(read("o.csv", new Uint8Array([0x61, 0xff])), /is not in UTF-8/);
  await assert.rejects(readOutputs("/nowhere/o.csv"), /Cannot read .*o\.csv: it is not there\./);
  await assert.rejects(read("o.ods", new Uint8Array()), /no \.csv, \.tsv or \.xlsx/);
});
