import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { sha256Hex } from "../files/atomic.ts";
import { readCitation } from "../files/citation.ts";
import { exportFiles, writeExport } from "./export.ts";
import { test } from "./testdata/folder.ts";
import { madeItems } from "./testdata/norse.ts";

const study = (n: number) => ({
  name: "norse",
  title: "Pairs: a title",
  about: "About.",
  language: "non",
  licence: "MIT",
  holders: ["2019 A. Person (corpus)"],
  sets: [{ name: "forward", about: "All of them.", items: madeItems(n) }],
});

const CITATION = readCitation(
  `title: A work
abstract: About it.
version: 1.2.3
date-released: "2026-11-22"
license: MIT
authors:
  - name: The authors
  - { given-names: Ada, family-names: Person }
`,
  "CITATION.cff",
);
const filesOf = (n: number) =>
  exportFiles(study(n), CITATION, "MIT License\n\nCopyright (c) 2026 Us\n\nPermission");

Deno.test("exportFiles() writes each pair once, under BLiMP's names, with its certificate", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), (n) => {
    const files = filesOf(n);
    const lines = [...files].filter(([path]) => path.endsWith(".jsonl"))
      .flatMap(([, text]) => text.trimEnd().split("\n").map((line) => JSON.parse(line)));
    const ids = madeItems(n).map(({ pair }) => pair.id);
    assert.deepEqual(lines.map(({ pair_id }) => pair_id).sort(), ids.sort());
    assert.deepEqual([...filesOf(n)], [...files]);
  }));
  const record = JSON.parse(filesOf(1).get("forward/quirky_case.jsonl")!);
  assert.deepEqual(
    [record.sentence_good, record.sentence_bad, record.target, record.cell_to, record.marks],
    ["Hánum líkaði þat b0.", "Hann líkaði þat b0.", "Hánum", "nom.sg", ""],
  );
  assert.match(record.checks, /^líka takes a dative subject; exactly one token differs; /);
  assert.throws(() => filesOf(0), /Cannot export forward: it has no pairs/);
});

Deno.test("exportFiles(): card, tasks and Croissant name the same splits, and files with their hashes", () => {
  const files = filesOf(5);
  const [, header = ""] = files.get("README.md")!.split("---\n");
  const { configs: [config], language } = parse(header);
  assert.deepEqual(language, ["non"]);
  assert.deepEqual(config.data_files[0], {
    split: "quirky_case",
    path: "forward/quirky_case.jsonl",
  });
  const { task } = parse(files.get("lm_eval/touchstone_norse_forward.yaml")!);
  for (const [i, { split, path }] of config.data_files.entries()) {
    assert.equal(task[i], `touchstone_norse_forward_${split}`);
    const { include, dataset_name, test_split } = parse(files.get(`lm_eval/${task[i]}.yaml`)!);
    assert.ok(files.has(`lm_eval/${include}`));
    assert.deepEqual([dataset_name, test_split], ["forward", split]);
    const { distribution, recordSet } = JSON.parse(files.get("croissant.json")!);
    assert.equal(distribution[i].sha256, sha256Hex(files.get(path)!));
    const columns = recordSet[i].field.map((field: { name: string }) => field.name);
    assert.deepEqual(columns, Object.keys(JSON.parse(files.get(path)!.split("\n")[0]!)));
    assert.equal(recordSet[i].field[0].source.fileObject["@id"], path);
  }
});

Deno.test("exportFiles() brings the licence with all holders, the citation, and both in its card", () => {
  const files = filesOf(1);
  const licence = "MIT License\n\nCopyright (c) 2026 Us\nCopyright (c) 2019 A. Person (corpus)\n";
  assert.ok(files.get("LICENSE")!.startsWith(licence));
  assert.equal(files.get("CITATION.cff"), CITATION.text);
  const bibtex = "@software{touchstone,\n  author = {{The authors} and Ada Person},\n" +
    "  title = {A work},\n  version = {1.2.3},\n  year = {2026},\n}";
  assert.ok(files.get("README.md")!.includes(bibtex));
  const { datePublished, version, creator } = JSON.parse(files.get("croissant.json")!);
  assert.equal(datePublished, "2026-11-22");
  assert.match(version, /^1\.2\.3\+/);
  assert.deepEqual(creator[1], { "@type": "sc:Person", name: "Ada Person" });
});

Deno.test("readCitation() names the key that is wrong", () => {
  const text = CITATION.text.replace('"2026-11-22"', "soon");
  assert.throws(() => readCitation(text, "C.cff"), /Cannot read C\.cff: date-released is wrong/);
});

test("writeExport() renews an export, and writes into no other folder", (at) => {
  const [small, large] = [filesOf(1), filesOf(9)];
  writeExport(at("out"), small);
  writeExport(at("out"), large);
  for (const [path, text] of large) assert.equal(Deno.readTextFileSync(at(`out/${path}`)), text);
  Deno.mkdirSync(at("own"));
  Deno.writeTextFileSync(at("own/README.md"), "a user's own");
  assert.throws(() => writeExport(at("own"), small), /own: it holds README\.md and is no export/);
  assert.equal(Deno.readTextFileSync(at("own/README.md")), "a user's own");
  assert.throws(() => writeExport(at("own/README.md"), small), /a file is in the way/);
});
