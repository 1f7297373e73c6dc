import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inFolder } from "../files/testdata/folder.ts";
import { withFiles } from "./testdata/case_files.ts";
import { labelledFile } from "./labelled_case.ts";

Deno.test("labelledFile() reads JSON lines under any of the names, with one source or several", () => {
  const rows = [
    { id: 7, claim: "A is B.", source: ["A.", " ", "B."], label: true, response_id: 3 },
    { statement: "C is D.", claim: null, premise: "C is E.", label: "contradiction" },
    { hypothesis: "E is F.", document: "C is E.", label: "NOT_ENOUGH_INFO" },
    { response: "G.", label: 0, topic: "g" },
  ];
  withFiles({ "mine.jsonl": rows }, (folder) => {
    const { cases, damaged, leftOut } = labelledFile(join(folder, "mine.jsonl"));
    assert.deepEqual([damaged, leftOut], [[], []]);
    const actual = cases.map(({ passages, ...one }) => {
      return [one.id, one.claim, one.label, passages.map(({ text }) => text), one.set];
    });
    assert.deepEqual(actual, [
      ["7", "A is B.", "supported", ["A.", "B."], "mine"],
      ["line-2", "C is D.", "refuted", ["C is E."], "mine"],
      ["line-3", "E is F.", "not enough info", ["C is E."], "mine"],
      ["line-4", "G.", "not supported", [], "mine"],
    ]);
    assert.deepEqual([cases[0]?.cluster, cases[3]?.cluster], ["3", "g"]);
    assert.equal(cases[1]?.cluster, cases[2]?.cluster, "one source, one cluster");
  });
});

Deno.test("labelledFile() takes each claim by itself where all are about one source and none names a cluster", () => {
  const rows = ["A", "B", "C"].map((claim) => ({
    claim,
    source: "One source.",
    label: "supported",
  }));
  const named = rows.map((row) => ({ ...row, cluster: "topic" }));
  withFiles({ "one.jsonl": rows, "named.jsonl": named }, (folder) => {
    const clusters = (name: string) =>
      labelledFile(join(folder, name)).cases.map(({ cluster }) => cluster);
    assert.deepEqual(clusters("one.jsonl"), ["line-1", "line-2", "line-3"]);
    assert.deepEqual(clusters("named.jsonl"), ["topic", "topic", "topic"]);
  });
});

Deno.test("labelledFile() reads source as a set's name next to evidence, and what was compressed", () =>
  inFolder((folder) => {
    const rows = [
      { claim: "A is B.", evidence: "A.", source: "vitaminc", label: "nei" },
      { claim: "C is D.", source: "C is E.", set: "mine", label: "not_supported" },
      { claim: "E is F.", source: "C is E.", label: "Not Supported" },
    ];
    const path = join(folder, "pairs.jsonl.gz");
    Deno.writeFileSync(path, gzipSync(rows.map((row) => JSON.stringify(row)).join("\n")));
    const { cases } = labelledFile(path);
    const actual = cases.map(({ set, label, passages: [source] }) => [set, label, source?.text]);
    assert.deepEqual(actual, [
      ["vitaminc", "not enough info", "A."],
      ["mine", "not supported", "C is E."],
      ["pairs", "not supported", "C is E."],
    ]);
    assert.equal(cases[0]?.passages[0]?.collection, "vitaminc");
  }));

Deno.test("labelledFile() reports damaged lines of both formats and leaves out an id's second row", () =>
  withFiles({
    "a.jsonl": '{"id":"a","claim":"A.","label":1}\n{"claim":\n{"id":"b","label":1}\n' +
      '{"claim":"C.","label":1,"source":{"a":1}}\n{"id":"a","claim":"D.","label":0}\n',
    "b.csv": "claim,label\n,yes\nA.,yes\nB.\n",
  }, (folder) => {
    const { cases, damaged, leftOut } = labelledFile(join(folder, "a.jsonl"));
    assert.deepEqual(cases.map(({ claim }) => claim), ["A."]);
    assert.deepEqual(damaged.map(({ line }) => line), [2, 3, 4]);
    assert.match(damaged[1]!.reason, /claim: is missing.*claim or statement/);
    assert.deepEqual(leftOut, [{ id: "a", reason: "line 5 has the id of a line before it" }]);
    const csv = labelledFile(join(folder, "b.csv"));
    assert.deepEqual(csv.cases.map(({ id }) => id), ["line-3"]);
    assert.deepEqual(csv.damaged.map(({ line }) => line), [2, 4]);
  }));
