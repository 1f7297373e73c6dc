import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { type CsvValue, formatCsv, parseCsv, type ParseRow, readCsv } from "./csv.ts";
import { openCsvAppender } from "./csv_appender.ts";
import { damagedPath, setAsideDamaged } from "./csv_damage.ts";

function inFolder(work: (path: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    work(join(folder, "rows.csv"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const ANSWERS = ["model", "pair_id", "correct"] as const;
const answers = [
  { model: "små", pair_id: "ON_001", correct: "True" },
  { model: 'a "b", c', pair_id: "ON_002", correct: "False" },
  { model: "ǫ", pair_id: "ON_003", correct: "True" },
];
const parseAnswer: ParseRow<(typeof ANSWERS)[number], (typeof answers)[number]> = (record) => {
  if (!/^ON_\d{3}$/.test(record.pair_id)) throw new SyntaxError("no pair id");
  if (!["True", "False"].includes(record.correct)) throw new SyntaxError("neither True nor False");
  return record;
};

const SCORES = ["id", "note", "logprob"] as const;
const scores = [
  { id: "a", note: "þó, at", logprob: -12.3456 },
  { id: "b", note: 'kvað "já"', logprob: -7 },
  { id: "c", note: "", logprob: -100.5 },
];
const parseScore: ParseRow<(typeof SCORES)[number], (typeof scores)[number]> = (record) => {
  if (record.logprob === "" || !(Number(record.logprob) <= 0)) throw new RangeError("no logprob");
  return { ...record, logprob: Number(record.logprob) };
};

/** Cuts the file at every byte, resumes, and expects the bytes of a run that was never cut. */
function survivesEveryCut<Column extends string, Row extends Readonly<Record<Column, CsvValue>>>(
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
  rows: readonly Row[],
): void {
  const whole = new TextEncoder().encode(formatCsv(columns, rows));
  inFolder((path) => {
    for (let length = 0; length <= whole.length; length++) {
      Deno.writeFileSync(path, whole.subarray(0, length));
      {
        using table = openCsvAppender(path, columns, parseRow);
        assert.deepEqual(table.rows, rows.slice(0, table.rows.length), `cut at ${length}`);
        const ended = parseEnded(whole.subarray(0, length));
        assert.ok(table.rows.length >= ended, `a whole row was lost at ${length}`);
        for (const row of rows.slice(table.rows.length)) table.append(row);
      }
      assert.deepEqual(Deno.readFileSync(path), whole, `cut at ${length}`);
      const again = openCsvAppender(path, columns, parseRow);
      again[Symbol.dispose]();
      assert.deepEqual(again.damaged, []);
    }
  });
}

/** Rows whose line has its end. */
function parseEnded(bytes: Uint8Array): number {
  return Math.max(0, bytes.filter((byte) => byte === 0x0a).length - 1);
}

Deno.test("openCsvAppender() resumes after a cut at any byte: rows that end in a closed set", () => {
  survivesEveryCut(ANSWERS, parseAnswer, answers);
});

Deno.test("openCsvAppender() resumes after a cut at any byte: rows that end in a number", () => {
  survivesEveryCut(SCORES, parseScore, scores);
});

Deno.test("parseCsv() loses no sound row to a quote written anywhere", () => {
  const whole = formatCsv(ANSWERS, answers.map((a) => ({ ...a, model: "m" })));
  const body = fc.integer({ min: whole.indexOf("\n") + 1, max: whole.length - 1 });
  fc.assert(
    fc.property(body, (position) => {
      const text = whole.slice(0, position) + '"' + whole.slice(position);
      assert.ok(parseCsv(text, ANSWERS, parseAnswer).rows.length >= answers.length - 1);
    }),
    { numRuns: 100 },
  );
});

Deno.test("openCsvAppender() begins a missing file, and a folder with it", () => {
  inFolder((path) => {
    const deep = join(path, "..", "norse", "rows.csv");
    {
      using table = openCsvAppender(deep, SCORES, parseScore, { sync: true });
      assert.deepEqual(table.rows, []);
      for (const row of scores) table.append(row);
    }
    assert.deepEqual(readCsv(deep, SCORES, parseScore), { rows: scores, damaged: [] });
  });
});

Deno.test("openCsvAppender() writes nothing where the header is another", () => {
  inFolder((path) => {
    Deno.writeTextFileSync(path, "id,logprob\na,-1\n");
    const wrong = { name: "SyntaxError", message: /rows\.csv.*"id,logprob".*"id,note,logprob"/ };
    assert.throws(() => openCsvAppender(path, SCORES, parseScore), wrong);
    assert.equal(Deno.readTextFileSync(path), "id,logprob\na,-1\n");
    assert.equal([...Deno.readDirSync(join(path, ".."))].length, 1);
  });
});

Deno.test("append() refuses a row that one line cannot hold and goes on with the next", () => {
  inFolder((path) => {
    using table = openCsvAppender(path, SCORES, parseScore);
    assert.throws(() => table.append({ id: "x", note: "two\nlines", logprob: -1 }), RangeError);
    table.append({ id: "a", note: "", logprob: -1 });
    assert.equal(Deno.readTextFileSync(path), "id,note,logprob\na,,-1\n");
  });
});

Deno.test("openCsvAppender() sets damaged lines aside with number and reason, once", () => {
  inFolder((path) => {
    const damaged = '"cut\nb,x\n';
    Deno.writeTextFileSync(path, `id,note,logprob\na,,-1\n${damaged}c,,-2\nd,,`);
    for (const expected of [[3, 4, 6], []]) {
      using table = openCsvAppender(path, SCORES, parseScore);
      assert.deepEqual(table.rows.map((row) => row.id), ["a", "c"]);
      assert.deepEqual(table.damaged.map((entry) => entry.line), expected);
    }
    assert.equal(Deno.readTextFileSync(path), "id,note,logprob\na,,-1\nc,,-2\n");
    const kept = Deno.readTextFileSync(damagedPath(path)).trimEnd().split("\n");
    assert.equal(kept[0], "line,reason,text");
    assert.deepEqual(kept.slice(1).map((line) => line.split(",")[0]), ["3", "4", "6"]);
    assert.ok(kept[1]?.endsWith(',"""cut"') && kept[2]?.endsWith(',"b,x"'));
  });
});

Deno.test("setAsideDamaged() finishes what was killed between its two files, and keeps none twice", () => {
  inFolder((path) => {
    const before = "id,note,logprob\nbad\na,,-1\nbad\n";
    Deno.writeTextFileSync(path, before);
    const { damaged } = readCsv(path, SCORES, parseScore);
    setAsideDamaged(path, damaged);
    const after = [Deno.readTextFileSync(path), Deno.readTextFileSync(damagedPath(path))];
    assert.equal(after[0], "id,note,logprob\na,,-1\n");
    setAsideDamaged(path, damaged);
    assert.equal(Deno.readTextFileSync(path), after[0]);
    Deno.writeTextFileSync(path, before); // as if the table had not been replaced yet
    setAsideDamaged(path, damaged);
    assert.deepEqual(
      [Deno.readTextFileSync(path), Deno.readTextFileSync(damagedPath(path))],
      after,
    );
  });
});

Deno.test("setAsideDamaged() keeps each damaged line so that its bytes can be had back", () => {
  inFolder((path) => {
    const line = Uint8Array.of(0x61, 0x2c, 0xff, 0x00, 0x22);
    Deno.writeFileSync(
      path,
      Uint8Array.of(...new TextEncoder().encode("id,note,logprob\n"), ...line),
    );
    setAsideDamaged(path, readCsv(path, SCORES, parseScore).damaged);
    const columns = ["line", "reason", "text"] as const;
    const kept = readCsv(damagedPath(path), columns, (record) => record.text).rows;
    assert.deepEqual(kept, ['a,\\xff\\x00"']);
  });
});
