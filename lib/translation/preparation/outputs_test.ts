import assert from "node:assert/strict";
import { join } from "node:path";
import { withDirectoryField } from "../testdata/workbooks.ts";
import { writeSheets } from "../workbook/sheets.ts";
import { LONG_FORM, outputsFrom, readOutputs, systemOutputs, WIDE_FORM } from "./outputs.ts";
import { parseTable } from "./read_table.ts";

const OPTIONS = { delimiter: ",", quotes: true } as const;

const LONG = `segment,document,system,source,translation
s1,news,x,One,Eins
s2,story,x,Two,
s1,news,y,One,Ein
s3,news,x,Three,Drei
s2,story,y,Two,Zwei
s3,news,y,Three,Tres
`;

const read = (text: string, exclude: readonly string[] = []) =>
  systemOutputs(
    outputsFrom(parseTable(text, "f.csv", OPTIONS), LONG_FORM, "f.csv"),
    "f.csv",
    exclude,
  );

Deno.test("systemOutputs() puts segments and systems together, documents in one piece", () => {
  assert.deepEqual(read(LONG), {
    systems: ["x", "y"],
    segments: [
      { segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] },
      { segment: "s3", document: "news", source: "Three", translations: ["Drei", "Tres"] },
      { segment: "s2", document: "story", source: "Two", translations: ["", "Zwei"] },
    ],
  });
});

Deno.test("outputsFrom() takes a wide table: every other column is a system", () => {
  const wide = "source,document,segment,x,y\nOne,news,s1,Eins,Ein\n";
  const outputs = outputsFrom(parseTable(wide, "f.csv", OPTIONS), WIDE_FORM, "f.csv");
  assert.deepEqual(systemOutputs(outputs, "f.csv"), {
    systems: ["x", "y"],
    segments: [{ segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] }],
  });
});

Deno.test("outputsFrom() names every column that is missing or stands twice", () => {
  assert.throws(
    () => read("segment,system,system,source,text\n"),
    /column document is missing; column translation is missing; column system stands twice\. Its/,
  );
});

Deno.test("systemOutputs() lists every fault at once", () => {
  const faulty = `${LONG}s1,news,x,One,Doubled
s3,news,z,Tree,Trois
,story,x,Four,Vier
`;
  const message = thrownMessage(() => read(faulty, ["w"]));
  for (
    const fault of [
      "there is no system w to exclude",
      "line 10 has an empty segment",
      "segment s1 of document news has no output of z",
      "segment s2 of document story has no output of z",
      "segment s1 of document news has 2 outputs of x (lines 2, 8)",
      "segment s3 of document news has another source in line 9 than in 5",
    ]
  ) assert.ok(message.includes(fault), `${fault} is not in ${message}`);
});

Deno.test("systemOutputs() refuses a text that no cell can hold, and names its line", () => {
  const long = `${LONG}s4,news,x,Four,${"v".repeat(32_768)}\ns4,news,y,Four,Vier\n`;
  assert.throws(
    () => read(long),
    /line 8 has a translation of 32768 characters, a cell holds 32767/,
  );
});

function thrownMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return error.message;
  }
  assert.fail("nothing was thrown");
}

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
