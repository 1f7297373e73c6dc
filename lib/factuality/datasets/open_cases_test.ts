import assert from "node:assert/strict";
import { join } from "node:path";
import { withFiles } from "./testdata/case_files.ts";
import { caseSource, readLabelledCases } from "./open_cases.ts";

Deno.test("caseSource() takes the format before the colon, and no drive for one", () => {
  assert.deepEqual(caseSource("fever:a/b.jsonl"), { format: "fever", path: "a/b.jsonl" });
  assert.deepEqual(caseSource("mine.csv"), { format: "file", path: "mine.csv" });
  assert.deepEqual(caseSource("C:\\mine.csv"), { format: "file", path: "C:\\mine.csv" });
  for (const text of ["fevr:a.jsonl", "fever:", ""]) {
    assert.throws(() => caseSource(text), /FORMAT:FILE or FILE\. The formats are file, fever/);
  }
});

Deno.test("readLabelledCases() finds what lies beside the claims of FEVER and RAGTruth", () =>
  withFiles({
    "claims.jsonl": [{ id: 1, claim: "A is B.", label: "SUPPORTS", evidence: [[[0, 0, "A", 0]]] }],
    "response.jsonl": [{ id: "r", source_id: "s", labels: [], response: "A is B." }],
    "source_info.jsonl": [{ source_id: "s", source_info: "A is B." }],
    "page.jsonl": [{ id: "A", text: "", lines: "0\tA is B." }],
  }, async (folder) => {
    const first = async (format: "fever" | "ragtruth", name: string) =>
      (await readLabelledCases(format, join(folder, name))).cases[0]?.passages[0]?.text;
    assert.equal(await first("fever", "claims.jsonl"), undefined);
    Deno.mkdirSync(join(folder, "wiki-pages"));
    Deno.renameSync(join(folder, "page.jsonl"), join(folder, "wiki-pages", "1.jsonl"));
    assert.equal(await first("fever", "claims.jsonl"), "A is B.");
    assert.equal(await first("ragtruth", "response.jsonl"), "A is B.");
  }));
