import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync, strToU8 } from "fflate";
import { withFiles } from "./testdata/case_files.ts";
import { feverCases, feverPageNames, readFeverPages, truthfulqaCases } from "./public_sets.ts";

const CLAIMS = [
  {
    id: 1,
    claim: "A is B.",
    label: "SUPPORTS",
    evidence: [[[0, 0, "Missing", 1]], [[0, 0, "A_-LRB-x-RRB-", 2], [0, 0, "A_-LRB-x-RRB-", 0]]],
  },
  { id: 2, claim: "C is D.", label: "NOT ENOUGH INFO", evidence: [[[0, null, null, null]]] },
  { id: 3, claim: "E is F.", label: "REFUTES", evidence: [[[0, 0, "Gone", 0]]] },
  { id: 4, claim: "G", label: "MAYBE", evidence: [] },
];

const PAGE = {
  id: "A_-LRB-x-RRB-",
  text: "",
  lines: "0\tA is old.\tlink\n1\t\n2\tIt -LRB- A -RRB- is B.\tB\tB",
};

Deno.test("feverCases() takes the first set of evidence that the pages hold", () =>
  withFiles({ "claims.jsonl": CLAIMS }, async (folder) => {
    const path = join(folder, "claims.jsonl");
    assert.deepEqual([...feverPageNames(path)], ["Missing", "A_-LRB-x-RRB-", "Gone"]);
    const pagesFolder = join(folder, "wiki");
    Deno.mkdirSync(pagesFolder);
    const packed = gzipSync(strToU8(`no page\n${JSON.stringify(PAGE)}\n`));
    Deno.writeFileSync(join(pagesFolder, "wiki-001.jsonl.gz"), packed);
    const pages = await readFeverPages(pagesFolder, feverPageNames(path));
    const { cases, damaged, leftOut } = feverCases(path, pages);
    assert.deepEqual(cases.map(({ id, label, passages }) => [id, label, passages.length]), [
      ["fever-1", "supported", 2],
      ["fever-2", "not enough info", 0],
    ]);
    assert.deepEqual(cases[0]?.passages.map(({ title, text }) => [title, text]), [
      ["A (x)", "It ( A ) is B."],
      ["A (x)", "A is old."],
    ]);
    assert.deepEqual(leftOut.map(({ id }) => id), ["fever-3"]);
    assert.deepEqual(damaged.map(({ line }) => line), [4]);
  }));

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
