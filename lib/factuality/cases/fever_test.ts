import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync, strToU8 } from "fflate";
import { feverCases, feverPageNames } from "./fever.ts";
import { readFeverPages } from "./fever_pages.ts";
import { withFiles } from "./testdata/case_files.ts";

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

Deno.test("feverCases() without pages gives every claim without passages", () =>
  withFiles({ "claims.jsonl": CLAIMS }, (folder) => {
    const { cases } = feverCases(join(folder, "claims.jsonl"));
    assert.deepEqual(cases.map(({ passages }) => passages.length), [0, 0, 0]);
  }));

Deno.test("readFeverPages() says what is missing in an empty folder", () =>
  withFiles({}, async (folder) => {
    await assert.rejects(readFeverPages(folder, new Set()), /holds no \.jsonl file/);
  }));
