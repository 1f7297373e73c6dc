import assert from "node:assert/strict";
import fc from "fast-check";
import { inFolder } from "./testdata/folder.ts";
import { join } from "node:path";
import { z } from "zod";
import { appendJsonLine, doubledKeys, readJsonLines, writeJsonAtomic } from "./json.ts";

Deno.test("writeJsonAtomic() writes the same bytes whatever the order of keys", () => {
  inFolder((folder) => {
    const path = join(folder, "settings.json");
    const expected =
      '{\n  "a": [\n    {\n      "x": null,\n      "y": "þ"\n    }\n  ],\n  "b": 0.5\n}\n';
    for (
      const value of [{ b: 0.5, a: [{ y: "þ", x: null }] }, { a: [{ x: null, y: "þ" }], b: 0.5 }]
    ) {
      writeJsonAtomic(path, value);
      assert.equal(Deno.readTextFileSync(path), expected);
    }
    const wrong = { name: "RangeError", message: /value\.a\[1\]/ };
    assert.throws(() => writeJsonAtomic(path, { a: [1, NaN] }), wrong);
    assert.equal(Deno.readTextFileSync(path), expected);
  });
});

/** A path in a folder that is not there yet. */
const inRows = (work: (path: string) => void) =>
  inFolder((folder) => work(join(folder, "log", "rows.jsonl")));

const Row = z.object({ id: z.number(), text: z.string() });
const rows = [{ id: 1, text: "þó\nat" }, { id: 2, text: '"}{' }, { id: 3, text: "" }];

Deno.test("appendJsonLine() and readJsonLines() lose no whole object to a cut at any byte", () => {
  inRows((path) => {
    for (const row of rows) appendJsonLine(path, row);
    assert.deepEqual(readJsonLines(path, (v) => Row.parse(v)), { rows, damaged: [] });
    const whole = Deno.readFileSync(path);
    for (let length = 0; length <= whole.length; length++) {
      Deno.writeFileSync(path, whole.subarray(0, length));
      const left = readJsonLines(path, (v) => Row.parse(v)).rows;
      for (const row of rows.slice(left.length)) appendJsonLine(path, row);
      const table = readJsonLines(path, (v) => Row.parse(v));
      assert.deepEqual(table.rows, rows, `cut at ${length}`);
      assert.ok(table.damaged.length <= 1);
    }
  });
});

Deno.test("readJsonLines() reports each bad line by number and reads the others", () => {
  inRows((path) => {
    appendJsonLine(path, rows[0] ?? {});
    const bad = '{"id":2,\n3\n{"id":"x","text":""}\n\n';
    Deno.writeTextFileSync(path, bad, { append: true });
    Deno.writeFileSync(path, Uint8Array.of(0xff, 0x0a), { append: true });
    appendJsonLine(path, rows[2] ?? {});
    const table = readJsonLines(path, (v) => Row.parse(v));
    assert.deepEqual(table.rows, [rows[0], rows[2]]);
    assert.deepEqual(table.damaged.map(({ line }) => line), [2, 3, 4, 5, 6]);
    assert.equal(table.damaged[4]?.text, "\\xff");
    assert.ok(table.damaged.every(({ reason }) => reason.length > 0 && !reason.includes("\n")));
  });
});

Deno.test("readJsonLines() says that a file is UTF-16, not that every line of it is damaged", () =>
  inFolder((folder) => {
    const path = join(folder, "x.jsonl");
    const text = '{"a": 1}\n';
    const units = Uint16Array.from(text, (unit) => unit.charCodeAt(0));
    for (const mark of [[0xff, 0xfe], []]) {
      Deno.writeFileSync(path, Uint8Array.from([...mark, ...new Uint8Array(units.buffer)]));
      assert.throws(
        () => readJsonLines(path, (value) => value),
        /Cannot read .*UTF-16; save it as/,
      );
    }
  }));

Deno.test("doubledKeys() finds keys that stand twice in one object, and none in values (property)", () => {
  const twice = '{"a": "{\\"a\\": 1, \\"a\\"", "b\\u0061": [1, {"a": 2}],\n "a": 3, "ba"\n: {}}\n';
  assert.deepEqual(doubledKeys(twice), [{ key: "a", line: 2 }, { key: "ba", line: 2 }]);
  fc.assert(fc.property(fc.json(), (text) => {
    const value = JSON.stringify(JSON.parse(text), null, 1);
    const names = [...value.matchAll(/\n *"((?:[^"\\]|\\.)*)":/g)].map(([, name]) => name!);
    fc.pre(names.every((name) => JSON.parse(`"${name}"`).trim() === JSON.parse(`"${name}"`)));
    assert.deepEqual(doubledKeys(value), []);
  }));
});
