import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import { KNOWLEDGE_SET, type KnowledgeCase } from "./claims/knowledge_claims.ts";
import { sourcePassage } from "../../factuality/types.ts";
import { trainClaimOnly } from "./acquisition.ts";
import { KNOWLEDGE_CASES } from "./tables.ts";

const CASE: KnowledgeCase = {
  id: "a/f0/supported",
  claim: "Ada sang.",
  passages: [{ ...sourcePassage('It is "Paris",\nsays he.'), id: "source" }],
  label: "supported",
  cluster: "A",
  set: KNOWLEDGE_SET,
  split: "test",
  kind: "fact",
  edit: "value",
  form: "web",
};

const one = (claim: string, label: LabelledCase["label"]): LabelledCase => {
  return { id: claim, claim, label, cluster: "a", passages: [], set: "made" };
};

Deno.test("trainClaimOnly() gives the odds of naive Bayes, worked by hand", () => {
  const model = trainClaimOnly([one("Yes", "supported"), one("No no", "refuted")]);
  // Terms known: yes, no, "no no". P(yes | supported) = 2/4, P(yes | others) = 1/6.
  assert.ok(Math.abs(model("yes") - (2 / 4) / (2 / 4 + 1 / 6)) < 1e-12);
  assert.equal(model("maybe"), 0.5);
});

Deno.test("trainClaimOnly() knows a number by its shape, and gives a probability for any text", () => {
  const model = trainClaimOnly([one("in 1961", "supported"), one("in 1,961", "refuted")]);
  assert.ok(model("1825") > 0.5 && model("1,825") < 0.5);
  fc.assert(fc.property(fc.string(), (claim) => model(claim) >= 0 && model(claim) <= 1));
});

Deno.test("Requirement 13: cases come back from their table as they were, whatever the sources hold", () =>
  inFolder((folder) => {
    const table = KNOWLEDGE_CASES.at(join(folder, "cases.csv"));
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const passages = texts.map((text) => ({ ...CASE.passages[0]!, text }));
        const cases = [{ ...CASE, passages }, CASE];
        table.write(cases);
        assert.deepEqual(table.read(), cases);
      }),
      { numRuns: 100 },
    );
    Deno.writeTextFileSync(table.path, table.format([CASE]).replace(",supported,", ",perhaps,"));
    assert.throws(() => table.read(), /cases\.csv: line 2 is damaged.*notebooks 41/u);
  }));
