import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { z } from "zod";
import { writeBytesAtomic, writeTextAtomic } from "./atomic.ts";
import { damagedPath, formatCsv, parseCsv, readCsv, setAsideDamaged } from "./csv.ts";
import {
  blankOr,
  decimals,
  field,
  flag,
  json,
  name,
  number,
  oneOf,
  outsideFile,
  type OutsideSet,
  type Table,
  table,
  text,
  wholeNumber,
} from "./table.ts";
import { inFolder } from "./testdata/folder.ts";

const MADE = { path: "/nowhere/rows.csv", about: "made for this test", maker: "the test" };

const ANSWERS = table({
  ...MADE,
  columns: {
    model: text("who answered"),
    pair_id: field(z.string().regex(/^ON_\d{3}$/), "the pair"),
    correct: flag("whether it was right"),
  },
  key: ["model", "pair_id"],
});
const answers = [
  { model: "små", pair_id: "ON_001", correct: true },
  { model: 'a "b", c', pair_id: "ON_002", correct: false },
  { model: "ǫ", pair_id: "ON_003", correct: true },
];

const SCORES = table({
  ...MADE,
  columns: { id: name("key"), note: text("any"), logprob: number("nats", { max: 0 }) },
  key: ["id"],
  order: (a, b) => a.id < b.id ? -1 : 1,
});
const scores = [
  { id: "a", note: "þó, at", logprob: -12.3456 },
  { id: "b", note: 'kvað "já"', logprob: -7 },
  { id: "c", note: "", logprob: -100.5 },
];

/** The table of scores in a folder of its own. */
const withScores = (work: (own: typeof SCORES) => void) =>
  inFolder((folder) => work(SCORES.at(join(folder, "norse", "rows.csv"))));

/** Cuts the file at every byte, resumes, and expects the bytes of an uninterrupted run. */
function survivesEveryCut<Row>(described: Table<Row>, rows: readonly Row[]): void {
  const bytes = new TextEncoder().encode(described.format(rows));
  inFolder((folder) => {
    const own = described.at(join(folder, "rows.csv"));
    for (let length = 0; length <= bytes.length; length++) {
      Deno.writeFileSync(own.path, bytes.subarray(0, length));
      {
        using open = own.open();
        const found = [...open.rows.values()];
        assert.deepEqual(found, rows.slice(0, found.length), `cut at ${length}`);
        const ended = Math.max(0, bytes.subarray(0, length).filter((b) => b === 0x0a).length - 1);
        assert.ok(found.length >= ended, `a whole row was lost at ${length}`);
        for (const row of rows) open.put(row);
      }
      assert.deepEqual(Deno.readFileSync(own.path), bytes, `cut at ${length}`);
      assert.deepEqual(own.readSoFar().damaged, []);
    }
  });
}

Deno.test("open() resumes after a cut at any byte, be the last column a closed set or a number", () => {
  survivesEveryCut(ANSWERS, answers);
  survivesEveryCut(SCORES, scores);
});

Deno.test("open() begins a missing file, and a folder with it; put() refuses what one line cannot hold", () => {
  withScores((own) => {
    assert.deepEqual(own.readSoFar(), { rows: [], damaged: [] });
    {
      using open = own.open();
      assert.throws(() => open.put({ id: "x", note: "two\nlines", logprob: -1 }), RangeError);
      for (const row of scores) open.put(row);
    }
    assert.deepEqual(own.read(), scores);
    Deno.writeTextFileSync(own.path, "id,logprob\na,-1\n");
    const wrong = { name: "SyntaxError", message: /rows\.csv.*"id,logprob".*"id,note,logprob"/ };
    assert.throws(() => own.open(), wrong);
    assert.equal(Deno.readTextFileSync(own.path), "id,logprob\na,-1\n");
  });
});

Deno.test("finish() orders rows, drops doubles and what is not kept, and leaves a sound file alone", () => {
  withScores((own) => {
    {
      using open = own.open();
      for (const row of [...scores].reverse()) open.put(row);
      open.put({ ...scores[0]!, note: "anew" });
      open.finish(({ id }) => id !== "b");
    }
    assert.deepEqual(own.read(), [{ ...scores[0]!, note: "anew" }, scores[2]]);
    const before = Deno.statSync(own.path).ino;
    using again = own.open();
    again.finish();
    assert.equal(Deno.statSync(own.path).ino, before);
  });
});

Deno.test("open() sets damaged lines aside with number and reason, once; read() names the first", () => {
  withScores((own) => {
    writeTextAtomic(own.path, 'id,note,logprob\na,,-1\n"cut\nb,x\nc,,-2\nd,,');
    assert.throws(() => own.read(), /line 3 is damaged.*3 such in all\. Run the test again/s);
    for (let time = 0; time < 2; time++) {
      using open = own.open();
      assert.deepEqual([...open.rows.keys()], ['["a"]', '["c"]']);
    }
    assert.equal(Deno.readTextFileSync(own.path), "id,note,logprob\na,,-1\nc,,-2\n");
    const kept = Deno.readTextFileSync(damagedPath(own.path)).trimEnd().split("\n");
    assert.equal(kept[0], "line,reason,text");
    assert.deepEqual(kept.slice(1).map((line) => line.split(",")[0]), ["3", "4", "6"]);
  });
});

Deno.test("setAsideDamaged() finishes what was killed between its two files, keeps bytes and none twice", () => {
  withScores(({ path, columns, parse }) => {
    const torn = Uint8Array.of(0x61, 0x2c, 0xff, 0x00, 0x22, 0x0a);
    const before = Buffer.concat([Buffer.from("id,note,logprob\nbad\na,,-1\nbad\n"), torn]);
    writeBytesAtomic(path, before);
    const { damaged } = readCsv(path, columns, parse);
    const both = () => [Deno.readTextFileSync(path), Deno.readTextFileSync(damagedPath(path))];
    setAsideDamaged(path, damaged);
    const after = both();
    assert.equal(after[0], "id,note,logprob\na,,-1\n");
    Deno.writeFileSync(path, before); // as if the table had not been replaced yet
    setAsideDamaged(path, damaged);
    assert.deepEqual(both(), after);
    const kept = readCsv(damagedPath(path), ["line", "reason", "text"], (record) => record.text);
    assert.deepEqual(kept.rows, ["bad", "bad", 'a,\\xff\\x00"']);
  });
});

Deno.test("columns read what they write, and refuse what is none of theirs", () => {
  const every = table({
    ...MADE,
    columns: {
      word: oneOf(["ab", "ba"], "order"),
      p: blankOr(number("share", { min: 0, max: 1 })),
      n: wholeNumber("count"),
      nats: decimals(2, "nats"),
      marks: json(z.array(z.string()), "marks"),
    },
  });
  const row = { word: "ab", p: "", n: 3, nats: -0.001, marks: ["x, y", '"'] } as const;
  const [header, line] = every.format([{ ...row, marks: [...row.marks] }]).split("\n");
  assert.equal(header, "word,p,n,nats,marks");
  const { rows } = parseCsv(`${header}\n${line}\n`, every.columns, every.parse);
  assert.deepEqual(rows, [{ ...row, nats: 0 }]);
  const wrong = [
    "cd,,3,0.00,[]",
    "ab,2,3,0.00,[]",
    "ab,,3.5,0.00,[]",
    "ab,,3,0.1,[]",
    "ab,,3,0.00,x",
  ];
  const { damaged } = parseCsv(`${header}\n${wrong.join("\n")}\n`, every.columns, every.parse);
  assert.deepEqual(damaged.map(({ line }) => line), [2, 3, 4, 5, 6]);
});

Deno.test("table() maps rows of another form there and back, and refuses a path that is not absolute", () => {
  const nested = table({
    ...MADE,
    columns: { id: name("key"), nats: decimals(2, "nats") },
    form: {
      read: ({ id, nats }) => ({ id, score: { nats } }),
      write: ({ id, score }) => ({ id, nats: score.nats }),
    },
    key: ["id"],
  });
  const rows = [{ id: "a", score: { nats: -1.25 } }];
  assert.equal(nested.format(rows), "id,nats\na,-1.25\n");
  assert.deepEqual(nested.parse({ id: "a", nats: "-1.25" }), rows[0]);
  assert.equal(nested.keyOf(rows[0]!), '["a"]');
  assert.deepEqual(nested.sentences, { id: "key", nats: "nats" });
  assert.throws(() => ANSWERS.at("rows.csv"), /not absolute/);
  assert.equal(formatCsv(["id"], [{ id: "" }]), 'id\n""\n');
});

const SET: OutsideSet = {
  name: "stances",
  file: "stances.jsonl",
  sha256: "00",
  licence: "MIT",
  origin: "a/b.jsonl of owner/name at commit 0123abc",
  made: "",
};

Deno.test("outsideFile() finds the file in the named folder, and says what to get where it is absent", () =>
  inFolder((folder) => {
    const sentence =
      "the set stances is not part of this repository. Get a/b.jsonl of owner/name at " +
      "commit 0123abc (licence: MIT), put it into a folder and name that with --folder.";
    const path = join(folder, SET.file);
    assert.throws(() => outsideFile(SET, undefined), {
      message: `Cannot read stances.jsonl: ${sentence}`,
    });
    assert.throws(() => outsideFile(SET, folder), { message: `Cannot read ${path}: ${sentence}` });
    const made = { ...SET, made: "every second line" };
    assert.throws(() => outsideFile(made, folder), /data\/README\.md says how stances\.jsonl is/);
    Deno.writeTextFileSync(path, "");
    assert.equal(outsideFile(SET, folder), path);
  }));
