import assert from "node:assert/strict";
import { join } from "node:path";
import { withFiles } from "./testdata/case_files.ts";
import { labelledFile } from "./labelled_case.ts";

Deno.test("labelledFile() reads JSON lines under any of the names, with one source or several", () => {
  const rows = [
    { id: 7, claim: "A is B.", source: ["A.", " ", "B."], label: true, response_id: 3 },
    { statement: "C is D.", claim: null, premise: "C is E.", label: "contradiction" },
    { hypothesis: "E is F.", document: "C is E.", label: "NOT_ENOUGH_INFO" },
    { response: "G.", label: 0, topic: "g" },
  ];
  return withFiles({ "mine.jsonl": rows }, (folder) => {
    const { cases, damaged, leftOut } = labelledFile(join(folder, "mine.jsonl"));
    assert.deepEqual([damaged, leftOut], [[], []]);
    assert.deepEqual(
      cases.map((
        { id, claim, label, passages, set },
      ) => [id, claim, label, passages.map(({ text }) => text), set]),
      [
        ["7", "A is B.", "supported", ["A.", "B."], "mine"],
        ["line-2", "C is D.", "refuted", ["C is E."], "mine"],
        ["line-3", "E is F.", "not enough info", ["C is E."], "mine"],
        ["line-4", "G.", "not supported", [], "mine"],
      ],
    );
    assert.deepEqual(cases[0]?.passages.map(({ id }) => id), ["7/1/evidence", "7/2/evidence"]);
    assert.deepEqual([cases[0]?.cluster, cases[3]?.cluster], ["3", "g"]);
    assert.equal(cases[1]?.cluster, cases[2]?.cluster, "one source, one cluster");
  });
});

Deno.test("labelledFile() reads CSV with line breaks in its fields, whatever the case of the header", () => {
  const csv = '\uFEFFClaim,Source,Label,topic\nA is B.,"A,\nor B.",yes,x\n"C is D.",,no,\n';
  return withFiles({ "mine.CSV": csv }, (folder) => {
    const { cases, damaged } = labelledFile(join(folder, "mine.CSV"));
    assert.deepEqual(damaged, []);
    assert.deepEqual(cases.map(({ id, label, passages }) => [id, label, passages[0]?.text]), [
      ["line-3", "supported", "A,\nor B."],
      ["line-4", "not supported", undefined],
    ]);
    assert.equal(cases[0]?.cluster, "x");
  });
});

Deno.test("labelledFile() reports damaged lines of both formats and leaves out an id's second row", () =>
  withFiles({
    "a.jsonl": '{"id":"a","claim":"A.","label":1}\n{"claim":\n{"id":"b","label":1}\n' +
      '{"claim":"C.","label":1,"source":{"a":1}}\n{"id":"a","claim":"D.","label":0}\n',
    "b.csv": "claim,label\n,yes\nA.,yes\nB.\n",
  }, (folder) => {
    const lines = labelledFile(join(folder, "a.jsonl"));
    assert.deepEqual(lines.cases.map(({ claim }) => claim), ["A."]);
    assert.deepEqual(lines.damaged.map(({ line }) => line), [2, 3, 4]);
    assert.match(lines.damaged[1]!.reason, /claim: is missing.*claim or statement/);
    assert.equal(lines.damaged[2]!.reason, "source: is no text or list of texts");
    assert.deepEqual(lines.leftOut, [{
      id: "a",
      reason: "line 5 has the id of a line before it",
    }]);
    const csv = labelledFile(join(folder, "b.csv"));
    assert.deepEqual(csv.cases.map(({ id }) => id), ["line-3"]);
    assert.deepEqual(csv.damaged.map(({ line }) => line), [2, 4]);
  }));

Deno.test("labelledFile() names file, row and value of a label that it does not know", () =>
  withFiles({
    "a.jsonl": [{ claim: "A.", label: "yes" }, { claim: "B.", label: "partly" }],
    "b.csv": "claim,verdict\nA.,yes\n",
  }, (folder) => {
    const unknown = /a\.jsonl, line 2: the label is "partly"\. Understood, .*contradiction/;
    assert.throws(() => labelledFile(join(folder, "a.jsonl")), unknown);
    const missing = /b\.csv: the column with the label is missing; name it label/;
    assert.throws(() => labelledFile(join(folder, "b.csv")), missing);
    assert.throws(() => labelledFile(join(folder, "c.csv")), /Cannot read the cases: .*c\.csv/);
    assert.throws(() => labelledFile(join(folder, "c.jsonl")), /Cannot read the cases: .*c\.jsonl/);
  }));

Deno.test("labelledFile() understands labels as its message says, in capitals or not", () => {
  const stated = ["Supports", "NOT_ENOUGH_INFO", "contradiction", "false", "1"];
  const rows = stated.map((label) => ({ claim: "A.", label }));
  return withFiles({ "a.jsonl": rows }, (folder) => {
    const { cases } = labelledFile(join(folder, "a.jsonl"));
    assert.deepEqual(cases.map(({ label }) => label), [
      ...["supported", "not enough info", "refuted", "not supported", "supported"],
    ]);
  });
});

Deno.test("labelledFile() reads what a row is for, and refuses a split that it does not know", () =>
  withFiles({
    "a.csv": "claim,label,split\nA.,yes,Training\nB.,no,val\nC.,no,\n",
    "b.csv": "claim,label,split\nA.,yes,exam\n",
  }, (folder) => {
    const { cases } = labelledFile(join(folder, "a.csv"));
    assert.deepEqual(cases.map(({ split }) => split), ["train", "development", undefined]);
    assert.throws(
      () => labelledFile(join(folder, "b.csv")),
      /b\.csv, line 2: the split is "exam"\. Understood, in capitals or not, are train, training, development/,
    );
  }));
