import assert from "node:assert/strict";
import { join } from "node:path";
import { writeJsonAtomic } from "./json_file.ts";

Deno.test("writeJsonAtomic() writes the same bytes whatever the order of keys", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "settings.json");
    const expected =
      '{\n  "a": [\n    {\n      "x": null,\n      "y": "þ"\n    }\n  ],\n  "b": 0.5\n}\n';
    writeJsonAtomic(path, { b: 0.5, a: [{ y: "þ", x: null }] });
    assert.equal(Deno.readTextFileSync(path), expected);
    writeJsonAtomic(path, { a: [{ x: null, y: "þ" }], b: 0.5 });
    assert.equal(Deno.readTextFileSync(path), expected);
    const wrong = { name: "RangeError", message: /value\.a\[1\]/ };
    assert.throws(() => writeJsonAtomic(path, { a: [1, NaN] }), wrong);
    assert.equal(Deno.readTextFileSync(path), expected);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
