import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { KNOWLEDGE_SET } from "../../training/case_group.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { formatKnowledgeCases, readKnowledgeCases } from "./case_table.ts";

const CASE: KnowledgeCase = {
  id: "fr/p0/refuted",
  claim: "The capital of France is Oslo.",
  passages: [{
    id: "source",
    text: 'It is "Paris",\nsays he.',
    collection: "",
    title: "",
    section: "",
  }],
  label: "refuted",
  cluster: "France",
  set: KNOWLEDGE_SET,
  split: "test",
  kind: "fact",
  edit: "value",
  form: "web",
};

function readBack(cases: readonly KnowledgeCase[]): readonly KnowledgeCase[] {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "cases.csv");
    Deno.writeTextFileSync(path, formatKnowledgeCases(cases));
    return readKnowledgeCases(path);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("Requirement 13: cases come back from their table as they were, whatever the sources hold", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
      const passages = texts.map((text) => ({ ...CASE.passages[0]!, text }));
      assert.deepEqual(readBack([{ ...CASE, passages }, CASE]), [{ ...CASE, passages }, CASE]);
    }),
    { numRuns: 100 },
  );
});

Deno.test("readKnowledgeCases() names the file, the line and the remedy", () => {
  const folder = Deno.makeTempDirSync();
  const path = join(folder, "cases.csv");
  Deno.writeTextFileSync(path, formatKnowledgeCases([CASE]).replace(",refuted,", ",perhaps,"));
  assert.throws(() => readKnowledgeCases(path), /cases\.csv: line 2 is damaged.*notebooks 41/u);
  Deno.removeSync(folder, { recursive: true });
});
