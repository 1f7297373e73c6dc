import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { z } from "zod";
import {
  damageReason,
  delimiterOf,
  foreignRecords,
  formatCsv,
  formatCsvRow,
  parseCsv,
  withoutFormulas,
} from "./csv.ts";

const COLUMNS = ["id", "sentence", "correct"] as const;

function parseRow(record: Readonly<Record<(typeof COLUMNS)[number], string>>) {
  if (!/^ON_\d{3}$/.test(record.id)) throw new SyntaxError(`id "${record.id}" is no pair id`);
  if (!["True", "False"].includes(record.correct)) {
    throw new SyntaxError(`correct is "${record.correct}", expected True or False`);
  }
  return { ...record, correct: record.correct === "True" };
}

const HEADER = "id,sentence,correct\n";
const FIRST = 'ON_001,"Honum líkaði vel, ok fór",True\n';
const SECOND = "ON_002,ǫllum mǫnnum,False\n";
const FIRST_ROW = { id: "ON_001", sentence: "Honum líkaði vel, ok fór", correct: true };
const SECOND_ROW = { id: "ON_002", sentence: "ǫllum mǫnnum", correct: false };

/** Letters of the language, and every sign that CSV makes something of. */
const sentence = fc.array(
  fc.constantFrom(..."aðþǫøæœÞ ,,\"\"''\\;:\t.=#\ufeff\u2028𝄞".split(""), "𝄞"),
).map((letters) => letters.join("").toWellFormed());

const row = fc.record({
  id: fc.integer({ min: 0, max: 999 }).map((n) => `ON_${String(n).padStart(3, "0")}`),
  sentence,
  correct: fc.boolean(),
}, { noNullPrototype: true });

Deno.test("formatCsv() writes header and rows as RFC 4180 has them, no line empty", () => {
  assert.equal(formatCsv(COLUMNS, [FIRST_ROW, SECOND_ROW]), HEADER + FIRST + SECOND);
  assert.equal(formatCsv(["a", "b"], [{ a: 'say "já"', b: -1.5 }]), 'a,b\n"say ""já""",-1.5\n');
  assert.equal(formatCsv(["a"], [{ a: "" }]), 'a\n""\n');
  for (const a of ["x\ny", "x\r", "\0", "\ud800", NaN, Infinity]) {
    assert.throws(() => formatCsvRow(["a"], { a }), { name: "RangeError", message: /column a/ });
  }
  const missing = {} as { a: string };
  assert.throws(() => formatCsvRow(["a"], missing), { name: "TypeError", message: /column a/ });
});

Deno.test("parseCsv() takes CR LF, a byte order mark and columns in quotes as an editor saves them", () => {
  const text = "\ufeff" + (HEADER + FIRST + SECOND).replaceAll("\n", "\r\n");
  assert.deepEqual(parseCsv(text, COLUMNS, parseRow).rows, [FIRST_ROW, SECOND_ROW]);
  const other = { name: "SyntaxError", message: /pairs\.csv.*"id,correct".*"id,sentence,correct"/ };
  assert.throws(() => parseCsv("id,correct\n", COLUMNS, parseRow, "pairs.csv"), other);
  assert.throws(() => parseCsv("ID,sentence,correct\n", COLUMNS, parseRow), SyntaxError);
});

/** Damaged lines, each with the expected reason. */
const DAMAGES: readonly (readonly [name: string, line: string | Uint8Array, reason: RegExp])[] = [
  ["too few fields", "ON_003,x", /2 fields, expected 3/],
  ["too many fields", "ON_003,x,True,True", /4 fields, expected 3/],
  ["a quote that never closes", 'ON_003,"x,True', /Quote Not Closed/],
  ["a quote amid a field", 'ON_003,x"y,True', /Invalid Opening Quote/],
  ["a quote that closes too early", 'ON_003,"x"y,True', /Invalid Closing Quote/],
  ["a NUL", "ON_003,x\0y,True", /control character/],
  ["a lone CR", "ON_003,x\ry,True", /control character/],
  ["broken UTF-8", Uint8Array.of(0x4f, 0x4e, 0xc3, 0x2c, 0x2c), /broken UTF-8/],
  ["an empty line", "", /empty line/],
  ["a row of another kind", "ON_003,x,yes", /expected True or False/],
  ["the header again", "id,sentence,correct", /no pair id/],
];

Deno.test("parseCsv() keeps damage to its line", () => {
  for (const [name, line, reason] of DAMAGES) {
    const parts = [HEADER + FIRST, line, "\n" + SECOND].map((part) => Buffer.from(part));
    const table = parseCsv(Buffer.concat(parts), COLUMNS, parseRow);
    assert.deepEqual(table.rows, [FIRST_ROW, SECOND_ROW], name);
    assert.deepEqual(table.damaged.map((entry) => entry.line), [3]);
    assert.match(table.damaged[0]!.reason, reason);
  }
});

Deno.test("parseCsv() finds every sound row around damage in any place, beyond one batch too", () => {
  const damage = fc.constantFrom(
    ...DAMAGES.map(([, line]) => line).filter((l) => typeof l === "string"),
  );
  const line = fc.oneof(
    { weight: 3, arbitrary: row.map((value) => ({ value, text: formatCsvRow(COLUMNS, value) })) },
    { weight: 1, arbitrary: damage.map((text) => ({ value: undefined, text: `${text}\n` })) },
  );
  fc.assert(fc.property(fc.array(line, { maxLength: 320, size: "max" }), (lines) => {
    const table = parseCsv(HEADER + lines.map((l) => l.text).join(""), COLUMNS, parseRow);
    assert.deepEqual(table.rows, lines.map((l) => l.value).filter((value) => value !== undefined));
    const bad = lines.flatMap((l, index) => l.value === undefined ? [index + 2] : []);
    assert.deepEqual(table.damaged.map((entry) => entry.line), bad);
  }));
});

Deno.test("parseCsv() quotes the beginning of a header that is another file's", () => {
  const wrong = () => parseCsv("x".repeat(1_000_000), ["a"], (row) => row, "b.csv");
  assert.throws(wrong, ({ message }) => /b\.csv: .*x…"/.test(message) && message.length < 500);
});

Deno.test("damageReason() puts any error on one line, with the fields that a zod schema refuses", () => {
  assert.equal(damageReason(new SyntaxError("two\n  lines")), "two lines");
  assert.equal(damageReason(new Error("")), "refused without a reason");
  const { error } = z.object({ id: z.string(), bytes: z.number() }).safeParse({ bytes: "x" });
  assert.match(damageReason(error), /^id: .+; bytes: [^{]+$/);
  assert.match(damageReason(z.object({}).safeParse(1).error), /^Invalid/);
});

Deno.test("withoutFormulas() disarms every beginning that a spreadsheet may run", () => {
  const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "＝1", "\0=1", "﻿=1"];
  for (const text of dangerous) {
    assert.ok(withoutFormulas(text).startsWith("'"), JSON.stringify(text));
  }
  assert.equal(withoutFormulas("\r\n=1"), "' =1");
  assert.equal(withoutFormulas("plain = text, naïve"), "plain = text, naïve");
  assert.equal(withoutFormulas("two\nlines"), "two lines");
});

Deno.test("delimiterOf() is what the header has most of, commas where it has none", () => {
  const headers = ["a,b;c,d", "a;b;c", '"x;y;z",b', "a\tb", "candidate", "a;b\n1,2,3,4"];
  assert.deepEqual(headers.map(delimiterOf), [",", ";", ",", "\t", ",", ";"]);
});

Deno.test("foreignRecords() gives each record the line that it ends on, and leaves out what is refused", () => {
  const table = '\ufeffa;b\r\n1;"2\n3"\r\n\r\n4\r\n5;6\r\n';
  const refused: number[] = [];
  const sound = [
    { line: 3, record: { a: "1", b: "2\n3" } },
    { line: 6, record: { a: "5", b: "6" } },
  ];
  assert.deepEqual(foreignRecords(table, { refuse: (line) => refused.push(line) }), sound);
  assert.deepEqual(refused, [5]);
  const ragged = foreignRecords(table, { isRagged: true });
  assert.deepEqual(ragged, sound.toSpliced(1, 0, { line: 5, record: { a: "4" } as never }));
  assert.throws(() => foreignRecords(table), /Invalid Record Length/);
});
