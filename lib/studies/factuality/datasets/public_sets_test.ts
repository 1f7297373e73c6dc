import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync, strToU8 } from "fflate";
import { sha256OfFile } from "../../../files/atomic.ts";
import { outsideFile } from "../../../files/table.ts";
import { SETS_FOLDER } from "../../../files/testdata/folder.ts";
import type { LoadedCases } from "../../../factuality/labelled_case.ts";
import * as sets from "./public_sets.ts";
import { withFiles } from "../../../factuality/testdata/case_files.ts";

const facts = [["A is B.", "S"], ["A is C.", "NS"], ["I am sorry.", "IR"]];
const answers = { right_answer: "Aa", hallucinated_answer: "Bb is older." };
const [YES, NO] = ["supported", "not supported"];

type Reader = (path: string) => LoadedCases;

/** Reader, rows, and by hand each case's id, claim, label and first passage. */
const READERS: readonly (readonly [Reader, readonly object[], readonly (readonly string[])[]])[] = [
  [
    sets.factscoreCases,
    [{ model: "M", topic: "A", facts }],
    [["M/A/1", "A is B.", YES, ""], ["M/A/2", "A is C.", NO, ""]],
  ],
  [
    sets.haluevalQuestions,
    [{ knowledge: "K.", question: "Which is older ?", ...answers }],
    [
      ["qa-1/right", "Which is older: Aa.", YES, "K."],
      ["qa-1/hallucinated", "Which is older: Bb is older.", NO, "K."],
    ],
  ],
  [
    sets.haluevalDialogues,
    [{ knowledge: "K.", dialogue_history: "H", right_response: "R", hallucinated_response: "X" }],
    [["dialogue-1/right", "R", YES, "K."], ["dialogue-1/hallucinated", "X", NO, "K."]],
  ],
  [
    sets.haluevalSummaries,
    [{ document: "D.", right_summary: "R", hallucinated_summary: "X" }],
    [["summary-1/right", "R", YES, "D."], ["summary-1/hallucinated", "X", NO, "D."]],
  ],
];

Deno.test("the readers of one file give each case's id, claim, label and passage", () => {
  for (const [read, rows, expected] of READERS) {
    withFiles({ "x.jsonl": rows }, (folder) => {
      const { cases } = read(join(folder, "x.jsonl"));
      const found = cases.map((one) => [one.id, one.claim, one.label, one.passages[0]?.text ?? ""]);
      assert.deepEqual(found, expected);
      assert.equal(new Set(cases.map(({ cluster }) => cluster)).size, 1);
    });
  }
});

Deno.test("factcheckgptCases() reads partial support both ways and passes damaged lines over", () => {
  const row = (stance: string) => JSON.stringify({ claim: "C is D.", evidence: "E.", stance });
  const lines = [row("refute"), '{"claim": "half', row("unclear"), row("partially-support"), ""];
  withFiles({ "f.jsonl": lines.join("\n") }, (folder) => {
    const path = join(folder, "f.jsonl");
    const strict = sets.factcheckgptCases(path, "left out");
    assert.deepEqual(strict.cases.map(({ id, label }) => [id, label]), [["stance-1", "refuted"]]);
    assert.deepEqual(strict.damaged.map(({ line }) => line), [2, 3]);
    assert.deepEqual(strict.leftOut.map(({ id }) => id), ["stance-4"]);
    const wide = sets.factcheckgptCases(path, "not supported");
    assert.deepEqual(wide.cases.map(({ label }) => label), ["refuted", "not supported"]);
    assert.notEqual(wide.cases[0]?.set, strict.cases[0]?.set);
  });
});

Deno.test("ragtruthCases() labels each sentence by the marks that reach into it", () => {
  const response = "Anna is tall. She lives in Rome. She is 30. It rains.";
  const mark = (text: string, label_type: string) => {
    const start = response.indexOf(text);
    return { start, end: start + text.length, label_type };
  };
  const labels = [mark("Rome", "Evident Conflict"), mark("30", "Subtle Baseless Info")];
  const row = { id: "r1", source_id: "s1", quality: "good", labels, response };
  const others = [{ id: "r2", source_id: "s9" }, { id: "r3", quality: "truncated" }];
  const rows = [row, ...others.map((other) => ({ ...row, ...other }))];
  const source = { source_id: "s1", source_info: { city: "Oslo" } };
  withFiles({ "r.jsonl": rows, "s.jsonl": [source] }, (folder) => {
    const files = { responses: join(folder, "r.jsonl"), sources: join(folder, "s.jsonl") };
    const { cases, leftOut } = sets.ragtruthCases(files);
    const expected = ["supported", "refuted", "not enough info", "supported"];
    assert.deepEqual(cases.map(({ label }) => label), expected);
    assert.equal(cases[0]?.passages[0]?.text, '{"city":"Oslo"}');
    assert.deepEqual(leftOut.map(({ id }) => id), ["r2", "r3"]);
  });
});

Deno.test("feverCases() takes the first set of evidence that the pages hold", () => {
  const sentence = (page: string | null, n: number | null) => [0, 0, page, n];
  const page = "A_-LRB-x-RRB-";
  const evidence = [[sentence("Missing", 1)], [sentence(page, 2), sentence(page, 0)]];
  const claims = [
    { id: 1, claim: "A is B.", label: "SUPPORTS", evidence },
    { id: 2, claim: "C is D.", label: "NOT ENOUGH INFO", evidence: [[[0, null, null, null]]] },
    { id: 3, claim: "E is F.", label: "REFUTES", evidence: [[sentence("Gone", 0)]] },
    { id: 4, claim: "G", label: "MAYBE", evidence: [] },
  ];
  const lines = "0\tA is old.\tlink\n1\t\n2\tIt -LRB- A -RRB- is B.\tB\tB";
  const packed = gzipSync(strToU8(`no page\n${JSON.stringify({ id: page, text: "", lines })}\n`));
  return withFiles({ "claims.jsonl": claims }, async (folder) => {
    const path = join(folder, "claims.jsonl");
    assert.deepEqual([...sets.feverPageNames(path)], ["Missing", page, "Gone"]);
    Deno.writeFileSync(join(folder, "wiki-001.jsonl.gz"), packed);
    const pages = await sets.readFeverPages(folder, sets.feverPageNames(path));
    const { cases, damaged, leftOut } = sets.feverCases(path, pages);
    const found = cases.map(({ id, label, passages }) => [id, label, passages.length]);
    assert.deepEqual(found, [["fever-1", "supported", 2], ["fever-2", "not enough info", 0]]);
    const shown = cases[0]?.passages.map(({ title, text }) => [title, text]);
    assert.deepEqual(shown, [["A (x)", "It ( A ) is B."], ["A (x)", "A is old."]]);
    assert.deepEqual([leftOut[0]!.id, damaged[0]!.line], ["fever-3", 4]);
  });
});

Deno.test("truthfulqaCases() makes a claim of each answer, the best one once, and tells another table", () => {
  const header = "Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\n";
  const row = '"Is A, or B, so?",A is so.,A is so.; B is too.; I have no comment,Nothing is so.';
  const files = {
    "t.csv": `${header}a,b,${row},x\na,b,,best,c,d,e\n`,
    "other.csv": "Question\nq\n",
  };
  withFiles(files, (folder) => {
    const { cases, damaged, leftOut } = sets.truthfulqaCases(join(folder, "t.csv"));
    assert.deepEqual(cases.map(({ id, claim, label }) => [id, claim, label]), [
      ["truthfulqa-2/1", "A is so.", "supported"],
      ["truthfulqa-2/2", "B is too.", "supported"],
      ["truthfulqa-2/4", "Nothing is so.", "refuted"],
    ]);
    assert.equal(cases[0]?.cluster, "Is A, or B, so?");
    assert.deepEqual(leftOut, [{ id: "truthfulqa-2/3", reason: "says nothing" }]);
    assert.deepEqual(damaged.map(({ line }) => line), [3]);
    const other = () => sets.truthfulqaCases(join(folder, "other.csv"));
    assert.throws(other, /other\.csv is no TruthfulQA table: the column "Best Answer" is missing/);
  });
});

Deno.test({
  name: "the sets that people labelled are read whole, ids unique, no line damaged",
  ignore: SETS_FOLDER === undefined,
  fn() {
    const stances = { factcheckgpt_stance: 1061, "factcheckgpt_stance with partial": 1452 };
    const sizes: Record<string, number> = {
      ...stances,
      halueval_qa: 2000,
      factscore_labeled: 14525,
    };
    const facts = { name: sets.FACTSCORE.name, set: sets.FACTSCORE, load: sets.factscoreCases };
    for (const set of [...sets.HUMAN_SETS, facts]) {
      const { cases, damaged } = sets.loadHumanSet(set, SETS_FOLDER);
      assert.equal(new Set(cases.map(({ id }) => id)).size, sizes[set.name]);
      assert.ok(cases.every((one) => one.set === set.name) && damaged.length === 0);
    }
    for (const set of sets.OUTSIDE_SETS) {
      assert.equal(sha256OfFile(outsideFile(set, SETS_FOLDER)), set.sha256, set.name);
    }
  },
});

Deno.test("caseSource() takes the format before the colon, and no drive for one", () => {
  assert.deepEqual(sets.caseSource("fever:a/b.jsonl"), { format: "fever", path: "a/b.jsonl" });
  assert.deepEqual(sets.caseSource("mine.csv"), { format: "file", path: "mine.csv" });
  assert.deepEqual(sets.caseSource("C:\\mine.csv"), { format: "file", path: "C:\\mine.csv" });
  for (const text of ["fevr:a.jsonl", "fever:", ""]) {
    assert.throws(() => sets.caseSource(text), /FORMAT:FILE or FILE\. The formats are file, fever/);
  }
});

Deno.test("readLabelledCases() finds what lies next to the claims of FEVER and RAGTruth", () =>
  withFiles({
    "claims.jsonl": [{ id: 1, claim: "A is B.", label: "SUPPORTS", evidence: [[[0, 0, "A", 0]]] }],
    "response.jsonl": [{ id: "r", source_id: "s", labels: [], response: "A is B." }],
    "source_info.jsonl": [{ source_id: "s", source_info: "A is B." }],
    "page.jsonl": [{ id: "A", text: "", lines: "0\tA is B." }],
  }, async (folder) => {
    const first = async (format: "fever" | "ragtruth", name: string) =>
      (await sets.readLabelledCases(format, join(folder, name))).cases[0]?.passages[0]?.text;
    assert.equal(await first("fever", "claims.jsonl"), undefined);
    Deno.mkdirSync(join(folder, "wiki-pages"));
    Deno.renameSync(join(folder, "page.jsonl"), join(folder, "wiki-pages", "1.jsonl"));
    assert.equal(await first("fever", "claims.jsonl"), "A is B.");
    assert.equal(await first("ragtruth", "response.jsonl"), "A is B.");
  }));

Deno.test("claims that share evidence are one cluster, in chains", () => {
  const stance = (claim: string, evidence: string) => ({ claim, evidence, stance: "refute" });
  const answers = (knowledge: string) => (
    { knowledge, question: "Who?", right_answer: "A", hallucinated_answer: "B" }
  );
  const files = {
    "s.jsonl": [stance("A", "1"), stance("B", "1"), stance("B", "2"), stance("C", "3")],
    "q.jsonl": [answers("K."), answers("L."), answers("K.")],
  };
  withFiles(files, (folder) => {
    const clusters = ({ cases }: { readonly cases: readonly { readonly cluster: string }[] }) =>
      cases.map(({ cluster }) => cluster);
    const stances = clusters(sets.factcheckgptCases(join(folder, "s.jsonl"), "left out"));
    assert.deepEqual(stances, ["A", "A", "A", "C"]);
    const [a, , b, , c, d] = clusters(sets.haluevalQuestions(join(folder, "q.jsonl")));
    assert.deepEqual([a === c, a === d, a === b], [true, true, false]);
  });
});
