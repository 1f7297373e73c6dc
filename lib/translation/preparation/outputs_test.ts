import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { withDirectoryField } from "../testdata/workbooks.ts";
import { writeSheets } from "../workbook/sheets.ts";
import { LONG_FORM, outputsFrom, readOutputs, systemOutputs, WIDE_FORM } from "./outputs.ts";
import { faultLines, parseTable } from "./read_table.ts";

const CSV = { delimiter: ",", quotes: true } as const;
const TSV = { delimiter: "\t", quotes: false } as const;

Deno.test("parseTable() keeps quoted line breaks and knows each row's first line, or takes marks as text", () => {
  const { headings, lines } = parseTable('\ufeffa, b\r\n"1\n2",x\n\n3,"say ""y"""\n', "f.csv", CSV);
  assert.deepEqual(headings, ["a", "b"]);
  const [first, second] = [{ line: 2, cells: ["1\n2", "x"] }, { line: 5, cells: ["3", 'say "y"'] }];
  assert.deepEqual(lines, [first, second]);
  const plain = parseTable('a\tb\n"Yes", he said\tx "\n', "f.tsv", TSV);
  assert.deepEqual(plain.lines, [{ line: 2, cells: ['"Yes", he said', 'x "'] }]);
});

Deno.test("parseTable() names what is wrong, line by line, and what to do", () => {
  const lines = /f\.csv: line 2 has 1 cells, the heading has 2; line 4 has 3 cells/;
  assert.throws(() => parseTable("a,b\n1\n1,2\n1,2,3\n", "f.csv", CSV), lines);
  const quoted = /^SyntaxError: Cannot read f.csv: .* read it with "quotes: false"\.$/s;
  assert.throws(() => parseTable('a,b\nx "y,z\n', "f.csv", CSV), quoted);
  assert.throws(() => parseTable("\n", "f.tsv", TSV), /f.tsv: it has no headings/);
  const many = faultLines(Array.from({ length: 12 }, (_, index) => `Row ${index + 1}.`));
  assert.ok(many.endsWith("\n  Row 10.\n  … and 2 more"));
});

const LONG = `segment,document,system,source,translation
s1,news,x,One,Eins
s2,story,x,Two,
s1,news,y,One,Ein
s3,news,x,Three,Drei
s2,story,y,Two,Zwei
s3,news,y,Three,Tres
`;

const read = (text: string, exclude: readonly string[] = []) =>
  systemOutputs(outputsFrom(parseTable(text, "f", CSV), LONG_FORM, "f"), "f", exclude);

Deno.test("systemOutputs() puts segments and systems together, documents in one piece, long or wide", () => {
  const first = { segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] };
  assert.deepEqual(read(LONG), {
    systems: ["x", "y"],
    segments: [
      first,
      { segment: "s3", document: "news", source: "Three", translations: ["Drei", "Tres"] },
      { segment: "s2", document: "story", source: "Two", translations: ["", "Zwei"] },
    ],
  });
  const wide = parseTable("source,document,segment,x,y\nOne,news,s1,Eins,Ein\n", "f", CSV);
  const outputs = systemOutputs(outputsFrom(wide, WIDE_FORM, "f"), "f");
  assert.deepEqual(outputs, { systems: ["x", "y"], segments: [first] });
});

Deno.test("systemOutputs() lists every fault at once, of columns, lines and segments", () => {
  const columns = /column document is missing; column translation is missing; column system stands/;
  assert.throws(() => read("segment,system,system,source,text\n"), columns);
  const long = `s4,news,x,Four,${"v".repeat(32_768)}\ns4,news,y,Four,Vier\n`;
  const faulty = `${LONG}s1,news,x,One,Doubled\ns3,news,z,Tree,Trois\n,story,x,Four,Vier\n${long}`;
  const faults = [
    "there is no system w to exclude",
    "line 10 has an empty segment",
    "line 11 has a translation of 32768 characters, a cell holds 32767",
    "segment s1 of document news has no output of z",
    "segment s1 of document news has 2 outputs of x (lines 2, 8)",
    "segment s3 of document news has another source in line 9 than in 5",
  ];
  assert.throws(() => read(faulty, ["w"]), ({ message }: Error) => {
    for (const fault of faults) assert.ok(message.includes(fault), `${fault} is not in ${message}`);
    return true;
  });
});

const HEADINGS = ["document", "segment", "source", "x", "y"];
const utf8 = (text: string) => new TextEncoder().encode(text);

const readFile = (name: string, bytes: Uint8Array, quotes = true) =>
  inFolder(async (folder) => {
    Deno.writeFileSync(join(folder, name), bytes);
    return await readOutputs(join(folder, name), { layout: WIDE_FORM, quotes });
  });

const xlsxOf = (rows: readonly (readonly (string | number | undefined)[])[]) => {
  const columns = HEADINGS.map((heading) => ({ heading, width: 10 }));
  return writeSheets([{ name: "outputs", columns, rows, isProtected: false }]);
};

Deno.test("readOutputs() reads the same from CSV, TSV without quoting, and XLSX", async () => {
  const rows = [["d", 1, 'He said "no"', "=1+1", "Nein"], ["d", 2, "Two", undefined, "007"]];
  const csv = utf8(`${HEADINGS}\nd,1,"He said ""no""",=1+1,Nein\nd,2,Two,,007\n`);
  const lines = [HEADINGS, ...rows].map((row) => row.map((it) => it ?? "").join("\t"));
  const wanted = {
    systems: ["x", "y"],
    segments: [
      { document: "d", segment: "1", source: 'He said "no"', translations: ["=1+1", "Nein"] },
      { document: "d", segment: "2", source: "Two", translations: ["", "007"] },
    ],
  };
  assert.deepEqual(await readFile("o.csv", csv), wanted);
  assert.deepEqual(await readFile("o.tsv", utf8(lines.join("\r\n")), false), wanted);
  assert.deepEqual(await readFile("o.XLSX", await xlsxOf(rows)), wanted);
});

Deno.test("readOutputs() refuses what is no table, and says what to do about one too large", async () => {
  const large = withDirectoryField(await xlsxOf([]), 24, 50_000_000, 4);
  const faults: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ["o.xlsx", large, /o\.xlsx: .*over 40 MB.*\. A CSV or TSV may be larger\.$/],
    ["o.xlsx", utf8("no zip"), /^SyntaxError: Cannot read .*o\.xlsx: /],
    ["o.csv", new Uint8Array([0x61, 0xff]), /is not in UTF-8/],
    ["o.ods", new Uint8Array(), /no \.csv, \.tsv or \.xlsx/],
  ];
  for (const [name, bytes, message] of faults) await assert.rejects(readFile(name, bytes), message);
  await assert.rejects(readOutputs("/nowhere/o.csv"), /Cannot read .*o\.csv: it is not there\./);
});
