import assert from "node:assert/strict";
import { caseSource } from "./case_source.ts";

Deno.test("caseSource() takes the format before the colon, and no drive for one", () => {
  assert.deepEqual(caseSource("fever:a/b.jsonl"), { format: "fever", path: "a/b.jsonl" });
  assert.deepEqual(caseSource("mine.csv"), { format: "file", path: "mine.csv" });
  assert.deepEqual(caseSource("C:\\mine.csv"), { format: "file", path: "C:\\mine.csv" });
  for (const text of ["fevr:a.jsonl", "fever:", ""]) {
    assert.throws(() => caseSource(text), /FORMAT:FILE or FILE\. The formats are file, fever/);
  }
});
