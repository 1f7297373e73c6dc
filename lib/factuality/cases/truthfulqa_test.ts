import assert from "node:assert/strict";
import { join } from "node:path";
import { withFiles } from "./testdata/case_files.ts";
import { truthfulqaCases } from "./truthfulqa.ts";

const HEADER = "Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\n";

Deno.test("truthfulqaCases() makes a claim of each answer, the best one once", () => {
  const row = 'Adversarial,Law,"Is A, or B, so?",A is so.,A is so.; B is too.; I have no comment,' +
    "Nothing is so.,x\n";
  return withFiles({ "t.csv": HEADER + row }, (folder) => {
    const { cases, leftOut } = truthfulqaCases(join(folder, "t.csv"));
    assert.deepEqual(cases.map(({ id, claim, label }) => [id, claim, label]), [
      ["truthfulqa-2/1", "A is so.", "supported"],
      ["truthfulqa-2/2", "B is too.", "supported"],
      ["truthfulqa-2/4", "Nothing is so.", "refuted"],
    ]);
    assert.equal(cases[0]?.cluster, "Is A, or B, so?");
    assert.deepEqual(leftOut, [{ id: "truthfulqa-2/3", reason: "says nothing" }]);
  });
});

Deno.test("truthfulqaCases() passes over rows without a question and says which table it is not", () =>
  withFiles({
    "t.csv": `${HEADER}a,b,,best,c,d,e\na,b,Q?,Best.,,,\n`,
    "other.csv": "Question,Answer\nq,a\n",
  }, (folder) => {
    const { cases, damaged } = truthfulqaCases(join(folder, "t.csv"));
    assert.deepEqual(cases.map(({ claim }) => claim), ["Best."]);
    assert.deepEqual(damaged.map(({ line }) => line), [2]);
    assert.match(damaged[0]?.reason ?? "", /Question/);
    assert.throws(
      () => truthfulqaCases(join(folder, "other.csv")),
      /other\.csv is no TruthfulQA table: the column "Best Answer" is missing/,
    );
  }));
