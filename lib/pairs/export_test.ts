import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { sha256Hex } from "../files/atomic.ts";
import { exportFiles, writeExport } from "./export.ts";
import { test } from "./testdata/folder.ts";
import { madeItems } from "./testdata/norse.ts";

const study = (n: number) => ({
  name: "norse",
  title: "Pairs: a title",
  about: "About.",
  language: "non",
  licence: "MIT",
  sets: [{ name: "forward", about: "All of them.", items: madeItems(n) }],
});

Deno.test("exportFiles() writes each pair once, under BLiMP's names, with its certificate", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), (n) => {
    const files = exportFiles(study(n));
    const lines = [...files].filter(([path]) => path.endsWith(".jsonl"))
      .flatMap(([, text]) => text.trimEnd().split("\n").map((line) => JSON.parse(line)));
    const ids = madeItems(n).map(({ pair }) => pair.id);
    assert.deepEqual(lines.map(({ pair_id }) => pair_id).sort(), ids.sort());
    assert.deepEqual([...exportFiles(study(n))], [...files]);
  }));
  const record = JSON.parse(exportFiles(study(1)).get("forward/quirky_case.jsonl")!);
  assert.deepEqual(
    [record.sentence_good, record.sentence_bad, record.target, record.cell_to, record.marks],
    ["Hánum líkaði þat b0.", "Hann líkaði þat b0.", "Hánum", "nom.sg", ""],
  );
  assert.match(record.checks, /^líka takes a dative subject; exactly one token differs; /);
  assert.throws(() => exportFiles(study(0)), /Cannot export forward: it has no pairs/);
});

Deno.test("exportFiles(): card, tasks and Croissant name the same splits, and files with their hashes", () => {
  const files = exportFiles(study(5));
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

test("writeExport() renews an export, and writes into no other folder", (at) => {
  const [small, large] = [exportFiles(study(1)), exportFiles(study(9))];
  writeExport(at("out"), small);
  writeExport(at("out"), large);
  for (const [path, text] of large) assert.equal(Deno.readTextFileSync(at(`out/${path}`)), text);
  Deno.mkdirSync(at("own"));
  Deno.writeTextFileSync(at("own/README.md"), "a user's own");
  assert.throws(() => writeExport(at("own"), small), /own: it holds README\.md and is no export/);
  assert.equal(Deno.readTextFileSync(at("own/README.md")), "a user's own");
  assert.throws(() => writeExport(at("own/README.md"), small), /a file is in the way/);
});
