import assert from "node:assert/strict";
import { join } from "node:path";
import { zipSync } from "fflate";
import { inFolder } from "../../files/testdata/folder.ts";
import { edited, INPUTS_PART, withCell, withDates } from "../testdata/workbooks.ts";
import { writeSheets } from "../workbook/sheets.ts";
import { outputsOf, readOutputs } from "./outputs.ts";
import { listFaults, parseTable } from "./read_table.ts";

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
  const many = listFaults(Array.from({ length: 12 }, (_, index) => `Row ${index + 1}.`));
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

type Layout = Parameters<typeof outputsOf>[2];
const read = (text: string, layout: Layout = {}) => {
  const { described: _, ...outputs } = outputsOf(parseTable(text, "f"), "f", layout);
  return outputs;
};

Deno.test("outputsOf() puts segments and systems together, documents in one piece, long or wide", () => {
  const first = { segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] };
  assert.deepEqual(read(LONG), {
    systems: ["x", "y"],
    segments: [
      first,
      { segment: "s3", document: "news", source: "Three", translations: ["Drei", "Tres"] },
      { segment: "s2", document: "story", source: "Two", translations: ["", "Zwei"] },
    ],
  });
  const wide = { systems: ["x", "y"], segments: [first] };
  assert.deepEqual(read("source,document,segment,x,y\nOne,news,s1,Eins,Ein\n"), wide);
  assert.deepEqual(read(";SRC;Doc ID;seg;x;y\n0;One;news;s1;Eins;Ein\n"), wide);
});

Deno.test("outputsOf() lists every fault at once, of columns, lines and segments", () => {
  const columns =
    /no column for the translation\n.*column docs is missing\n.*column system occurs twice\n.*holds no outputs\nIts/;
  const layout = { form: "long", columns: { document: "docs" } } as const;
  assert.throws(() => read("segment,system,system,source,text\n", layout), columns);
  assert.throws(() => read(LONG, { exclude: ["w"] }), /there is no system w, only x, y\./);
  const long = `s4,news,x,Four,${"v".repeat(32_768)}\ns4,news,y,Four,Vier\n`;
  const faulty = `${LONG}s1,news,x,One,Doubled\ns3,news,z,Tree,Trois\n,story,x,Four,Vier\n${long}`;
  const faults = [
    "line 10 has an empty segment",
    "line 11 has a translation of 32768 characters, a cell holds 32767",
    "segment s1 of document news has no output of z",
    "segment s1 of document news has 2 outputs of x (lines 2, 8)",
    "segment s3 of document news has another source in line 9 than in 5",
  ];
  assert.throws(() => read(faulty), ({ message }: Error) => {
    for (const fault of faults) assert.ok(message.includes(fault), `${fault} is not in ${message}`);
    return true;
  });
});

const HEADINGS = ["document", "segment", "source", "x", "y"];
const utf8 = (text: string) => new TextEncoder().encode(text);

const readFile = (name: string, bytes: Uint8Array, layout: Layout = {}) =>
  inFolder(async (folder) => {
    Deno.writeFileSync(join(folder, name), bytes);
    const { described: _, ...outputs } = await readOutputs(join(folder, name), layout);
    return outputs;
  });

const xlsxOf = (rows: readonly (readonly (string | number | undefined)[])[]) => {
  const columns = HEADINGS.map((heading) => ({ heading, width: 10 }));
  return writeSheets([{ name: "outputs", columns, rows, isProtected: false }]);
};

Deno.test("readOutputs() reads the same from CSV, TSV without quoting, and XLSX", async () => {
  const rows = [["d", 1, 'He said "no"', "=1+1", "Nein"], ["d", 2, "Two", undefined, "007"]];
  const csv = utf8(`${HEADINGS}\nd,1,"He said ""no""",=1+1,Nein\nd,2,Two,,007\n`);
  const lines = [HEADINGS, ...rows].map((row) => row.map((it) => it ?? "").join("\t"));
  const named = { systems: ["x", "y"] };
  const segments = [
    { document: "d", segment: "1", source: 'He said "no"', translations: ["=1+1", "Nein"] },
    { document: "d", segment: "2", source: "Two", translations: ["", "007"] },
  ];
  const wanted = { ...named, segments };
  assert.deepEqual(await readFile("o.csv", csv, named), wanted);
  assert.deepEqual(await readFile("o.tsv", utf8(lines.join("\r\n")), named), wanted);
  assert.deepEqual(await readFile("o.XLSX", await xlsxOf(rows), named), wanted);
});

Deno.test("parseTable() tells the delimiter, and quotation marks that are text, by themselves", () => {
  const described = (text: string) => {
    const { described, lines } = parseTable(text, "f");
    return [described, lines[0]!.cells[1]];
  };
  assert.deepEqual(described('a;b\n1,5;"x;y"\n'), ["text separated by semicolons", "x;y"]);
  assert.deepEqual(described('a\tb\n1\t"say ""x"""\n'), ["text separated by tabs", 'say "x"']);
  // Spreadsheets quote a whole column or what must be; here a translation is a quotation.
  const asText = "text separated by tabs, quotation marks as text";
  assert.deepEqual(described('a\tb\nEins\t"Zwei"\n'), [asText, '"Zwei"']);
  assert.deepEqual(described('a\tb\n1\t"Zwei" sagte er\n'), [asText, '"Zwei" sagte er']);
});

Deno.test("outputsOf() tells of a table with several faults all of them, the first ten one a line", () => {
  const wide = "segment,source,a,b,note\n1,One,Eins,Ein,\n1,,Zwei,,\n3,Drei,Drei,Tres,x\n";
  const layout = { exclude: ["w"], columns: { document: "docs" } };
  assert.throws(() => read(wide, layout), ({ message }: Error) => {
    const [, ...lines] = message.split("\n");
    assert.deepEqual(lines.slice(0, 6).map((line) => line.trim()), [
      "column docs is missing",
      "there is no system w, only a, b, note",
      "line 3 has nothing under b",
      "note may be no system: its name is usually that of something else, 2 of 3 cells are empty",
      "line 3 has an empty source",
      "segment 1 of document 1 has 2 outputs of a, b (lines 2, 3)",
    ]);
    assert.match(lines.at(-1)!, /systems: \["a","b"\]/);
    return true;
  });
  const rows = Array.from({ length: 12 }, (_, n) => `${n + 1},,Eins ${n},Ein ${n}`);
  const many = `segment,source,a,b\n${rows.join("\n")}\n`;
  assert.throws(() => read(many), /line 11 has an empty source\n {2}… and 2 more$/);
});

Deno.test("outputsOf() makes no system of a column that may be something else", () => {
  const rows = (cell: (n: number) => string) =>
    ["source,a,b", ...[0, 1, 2, 3].map((n) => `S${n},Satz ${n},${cell(n)}`), ""].join("\n");
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      rows((n) => `Satz ${n}`).replace(",b", ",Comments"),
      /Comments may be no system: its name is usually/,
    ],
    [rows((n) => `Satz ${n}`).replace(",b", ",ref_A"), /ref_A may be no system: its name/],
    [
      rows((n) => `s${n}`).replace("a,b", "segment,id"),
      /Error: Cannot .*:\s*id may be no system: its name/s,
    ],
    [
      rows((n) => n === 2 ? "" : `Satz ${n}`),
      /f: line 4 has nothing under b\.\n.*\n.*\n +systems: \["a","b"\]/,
    ],
    [rows((n) => n > 0 ? "" : `Satz ${n}`), /b may be no system: 3 of 4 cells are empty/],
    [rows((n) => `${n}.5`), /b may be no system: it holds numbers/],
    [
      rows((n) => n % 2 ? "gut" : "schlecht"),
      /b may be no system: a few short.*\n.*\n.*\n +systems: \["a"\]/,
    ],
  ];
  for (const [text, message] of cases) assert.throws(() => read(text), message);
  assert.deepEqual(read(cases[3]![0], { systems: ["b", "a"] }).systems, ["a", "b"]);
  assert.deepEqual(read(cases[0]![0], { exclude: ["Comments"] }).systems, ["a"]);
});

/** Irregular files, each read or refused with a remedy (issue 19). */
Deno.test("readOutputs() reads a CSV named .xlsx and UTF-16, and says what to do with what is no table", async () => {
  const csv = "source;x;y\nOne;Eins;Ein\n";
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...csv].flatMap((it) => [it.charCodeAt(0), 0])]);
  for (const [name, bytes] of [["o.xlsx", utf8(csv)], ["o.csv", utf16]] as const) {
    assert.deepEqual((await readFile(name, bytes)).segments[0]!.translations, ["Eins", "Ein"]);
  }
  const sound = await xlsxOf([["d", 1, "One", "Eins", "Ein"]]);
  const formula = withCell(sound, INPUTS_PART, "D2", "><f>1+1</f><v>2</v>");
  const shownAs = (format: number, value: number) =>
    withCell(withDates(sound, format), INPUTS_PART, "D2", `s="2"><v>${value}</v>`);
  const locked = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]);
  const large = zipSync({ a: new Uint8Array(41_000_000) });
  const faults: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ["o.xlsx", formula, /cell D2 of sheet outputs holds a formula: copy it and paste/],
    [
      "o.xlsx",
      shownAs(9, 0.5),
      /cell D2 of sheet outputs holds 0\.5 shown as 0%: write it as text/,
    ],
    ["o.xlsx", shownAs(1, 1.5), /holds 1\.5 shown as 0:/],
    ["o.xlsx", shownAs(14, 46053), /cell D2 of sheet outputs holds a date/],
    ["o.xlsx", locked, /save it as \.xlsx without a password/],
    ["o.xlsx", large, /o\.xlsx: .*over 40 MB.*\. A CSV or TSV may be larger\.$/],
    ["o.xlsx", utf8("no zip"), /^SyntaxError: Cannot read .*o\.xlsx:\s/],
    ["o.csv", new Uint8Array([0x61, 0xff]), /is not in UTF-8/],
    ["o.ods", new Uint8Array(), /no \.csv, \.tsv, \.jsonl or \.xlsx/],
  ];
  for (const [name, bytes, message] of faults) await assert.rejects(readFile(name, bytes), message);
  const whole = await readFile("o.xlsx", shownAs(1, 2), { systems: ["x", "y"] });
  assert.deepEqual(whole.segments[0]!.translations, ["2", "Ein"]);
  // That column is not used.
  const unread = await readFile("o.xlsx", formula, { systems: ["y"] });
  assert.deepEqual(unread.segments.map(({ translations }) => translations), [["Ein"]]);
  await assert.rejects(
    readOutputs("/nowhere/o.csv"),
    /Cannot read .*o\.csv: there is no such file\./,
  );
});

const toldOf = (name: string, bytes: Uint8Array, layout: Layout = {}) =>
  inFolder(async (folder) => {
    Deno.writeFileSync(join(folder, name), bytes);
    return (await readOutputs(join(folder, name), layout)).described.join("\n");
  });

Deno.test("readOutputs() reads JSON lines, translations in a nested object or next to the source", async () => {
  const rows = [{ doc: "d", id: 1, source: "One", x: "Eins", y: "Ein" }, {
    doc: "d",
    id: 2,
    source: "Two",
    x: "Zwei",
  }];
  const flat = rows.map((row) => JSON.stringify(row)).join("\n");
  const nested = rows.map(({ x, y, ...row }) => JSON.stringify({ ...row, outputs: { x, y } }))
    .join("\r\n") + "\n\n";
  const wanted = {
    systems: ["x", "y"],
    segments: [
      { document: "d", segment: "1", source: "One", translations: ["Eins", "Ein"] },
      { document: "d", segment: "2", source: "Two", translations: ["Zwei", ""] },
    ],
  };
  const named = { systems: ["x", "y"] };
  assert.deepEqual(await readFile("o.jsonl", utf8(flat), named), wanted);
  assert.deepEqual(await readFile("o.ndjson", utf8(nested), named), wanted);
  const long = rows.flatMap(({ x, y = "", ...row }) =>
    Object.entries({ x, y }).map(([system, output]) => JSON.stringify({ ...row, system, output }))
  );
  assert.deepEqual(await readFile("o.jsonl", utf8(long.join("\n"))), wanted);
  await assert.rejects(readFile("o.jsonl", utf8("[1]\n")), /line 1 is no JSON object/);
  await assert.rejects(readFile("o.jsonl", utf8("{}\n{")), /line 2 is no JSON\. /);
  const large = utf8('{"id": 9007199254740993, "source": "S", "x": "a", "y": "b"}');
  await assert.rejects(readFile("o.jsonl", large), /line 1 \(id\) holds a number above 2\^53/);
});

Deno.test("readOutputs() reads a folder with a text a system, a segment a line", () =>
  inFolder(async (folder) => {
    const write = (name: string, text: string) => Deno.writeTextFileSync(join(folder, name), text);
    write("source.txt", "One\nTwo\n");
    write("documents.txt", "all\td\nall\td\n");
    write("x.txt", "Eins\nZwei");
    write("online-y.txt", "Ein\r\nZwo\r\n");
    const { systems, segments } = await readOutputs(folder);
    assert.deepEqual(systems, ["online-y", "x"]);
    assert.deepEqual(segments[1], {
      document: "d",
      segment: "2",
      source: "Two",
      translations: ["Zwo", "Zwei"],
    });
    write("x.txt", "Eins\n");
    await assert.rejects(readOutputs(folder), /x\.txt has 1 lines, source\.txt has 2/);
    Deno.removeSync(join(folder, "source.txt"));
    await assert.rejects(readOutputs(folder), /it has no source\.txt with a line per sentence/);
  }));

Deno.test("readOutputs() takes a sheet by its name, and says which are there", async () => {
  const sheet = (name: string, text: string) => {
    const rows = [["d", 1, "One", text, "Ein"]];
    return {
      name,
      columns: HEADINGS.map((heading) => ({ heading, width: 9 })),
      rows,
      isProtected: false,
    };
  };
  const bytes = await writeSheets([sheet("first", "Eins"), sheet("second", "Uno")]);
  const texts = async (layout: Layout) =>
    (await readFile("o.xlsx", bytes, layout)).segments[0]!.translations[0];
  assert.deepEqual([await texts({}), await texts({ sheet: "second" })], ["Eins", "Uno"]);
  await assert.rejects(texts({ sheet: "third" }), /no sheet third, only first, second/);
  await assert.rejects(
    readFile("o.csv", utf8("source,x,y\n"), { sheet: "a" }),
    /no workbook and has no sheet a/,
  );
});

Deno.test("holes of a long form are refused, unless configured as empty translations, which is reported", () => {
  const hole = "id,source,system,translation\n1,One,x,Eins\n1,One,y,Ein\n2,Two,x,Zwei\n";
  assert.throws(() => read(hole), /segment 2 .* has no output of y\.\n.*\n.*missing: empty/s);
  const { segments, described } = outputsOf(parseTable(hole, "f"), "f", { missing: "empty" });
  assert.deepEqual(segments[1]!.translations, ["Zwei", ""]);
  assert.match(described.join("\n"), /holes, taken for empty translations: 1/);
  assert.throws(() => read(`${hole}2,Two,x,Zwo\n`, { missing: "empty" }), /has 2 outputs of x/);
});

Deno.test("headings may stand below a title, in sheets and in texts", async () => {
  const title = ["My evaluation, export of 2026", undefined, undefined, undefined, undefined];
  const rows = [[], HEADINGS, ["d", 1, "One", "Eins", "Ein"]];
  const columns = title.map((heading) => ({ heading: heading ?? "", width: 9 }));
  const bytes = await writeSheets([{ name: "s", columns, rows, isProtected: false }]);
  const wanted = [{ document: "d", segment: "1", source: "One", translations: ["Eins", "Ein"] }];
  assert.deepEqual((await readFile("o.xlsx", bytes)).segments, wanted);
  assert.match(await toldOf("o.xlsx", bytes), /headings in line 3, what stands above is not read/);
  const csv = utf8(
    `\ufeffMy evaluation, of 2026\n\n${HEADINGS}\nd,1,One,Eins,Ein\nd,1,One,Eins,Ein\n`,
  );
  await assert.rejects(readFile("o.csv", csv), /lines 4, 5/);
  assert.match(
    await toldOf("o.csv", utf8(`Title\n${HEADINGS.join(";")}\nd;1;One;Eins;Ein\n`)),
    /semicolons, headings in line 2/,
  );
});

Deno.test("formulas, dates, formats and too large numbers are reported once each, with the repair", async () => {
  const rows = Array.from({ length: 9 }, (_, n) => ["d", n, `S ${n}`, `X ${n}`, `Y ${n}`]);
  let bytes = await xlsxOf(rows);
  for (let row = 2; row <= 9; row++) {
    bytes = withCell(bytes, INPUTS_PART, `D${row}`, "><f>1+1</f><v>2</v>");
  }
  await assert.rejects(
    readFile("o.xlsx", bytes),
    /Cannot read .*o\.xlsx: cells D2, D3, D4, D5, D6 and 3 more of sheet outputs hold a formula: copy them and paste them over themselves as values only\.$/,
  );
  const large = await xlsxOf(rows.map((row, n) => row.with(1, 2 ** 53 + 2 * (n + 1))));
  await assert.rejects(
    readFile("o.xlsx", large),
    /B2, .* and 4 more of sheet outputs hold numbers above 2\^53/,
  );
});

Deno.test("hidden rows and columns are read and reported", async () => {
  const bytes = await xlsxOf([["d", 1, "One", "Eins", "Ein"], ["d", 2, "Two", "Zwei", "Zwo"]]);
  const hidden = edited(
    bytes,
    INPUTS_PART,
    (xml) => xml.replace('<row r="3"', '<row hidden="1" r="3"'),
  );
  assert.match(await toldOf("o.xlsx", hidden), /hidden, and read: rows 3/);
  assert.equal((await readFile("o.xlsx", hidden)).segments.length, 2);
});
