import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { formatCell, parseCell } from "../cell.ts";
import { readContrasts, writeContrasts } from "./contrast_file.ts";
import {
  cellsOfRecord,
  contrastRecord,
  pairOfRecord,
  parseContrastRecord,
} from "./contrast_record.ts";

const RECORD = contrastRecord({
  ...{ id: "morph_0001", phenomenon: "case", stem: "rāja-guhya", declension: "a_neuter" },
  ...{ grammatical: "राजगुह्यस्य पश्य", ungrammatical: "राजगुह्ये पश्य", context: "9.2: … ॥" },
  ...{ from: parseCell("gen.sg"), to: parseCell("loc.sg") },
  ...{ target: "राजगुह्यस्य", variant: "राजगुह्ये" },
});
const BY_NUMBER = contrastRecord({
  ...{ id: "morph_0002", phenomenon: "number", stem: "deva", declension: "a_masculine" },
  ...{ grammatical: "देवाः सर्वे", ungrammatical: "देवः सर्वे", context: "" },
  ...{ from: parseCell("nom.pl"), to: parseCell("nom.sg"), target: "देवाः", variant: "देवः" },
});

Deno.test("contrastRecord() has the specification's shape, field by field", () => {
  assert.deepEqual(Object.keys(RECORD), [
    ...["id", "phenomenon", "grammatical", "ungrammatical", "stem", "context", "metadata"],
  ]);
  assert.deepEqual(Object.keys(RECORD.metadata).slice(0, 5), [
    ...["stem_class", "gender", "number", "correct_case", "incorrect_case"],
  ]);
  assert.deepEqual(RECORD.metadata, {
    ...{ stem_class: "a-stem", gender: "neuter", number: "singular" },
    ...{ correct_case: "genitive", incorrect_case: "locative" },
    ...{ correct_number: "singular", incorrect_number: "singular" },
    ...{ ending_from: "अस्य", ending_to: "ए", target: "राजगुह्यस्य", variant: "राजगुह्ये" },
  });
  assert.equal(RECORD.stem, "राजगुह्य");
});

Deno.test("contrastRecord() of numbers keeps the case and names both numbers", () => {
  const { number, correct_case, incorrect_case, incorrect_number } = BY_NUMBER.metadata;
  assert.deepEqual([number, incorrect_number], ["plural", "singular"]);
  assert.equal(correct_case, incorrect_case);
  assert.deepEqual([BY_NUMBER.metadata.ending_from, BY_NUMBER.metadata.ending_to], ["आः", "ः"]);
});

Deno.test("pairOfRecord() names what was done, cellsOfRecord() from where to where", () => {
  const pair = pairOfRecord(RECORD);
  assert.equal(pair.errorType, "genitive_to_locative");
  assert.equal(pair.target, "राजगुह्यस्य");
  assert.equal(pairOfRecord(BY_NUMBER).errorType, "plural_to_singular");
  const { from, to } = cellsOfRecord(BY_NUMBER);
  assert.deepEqual([from, to].map(formatCell), ["nom.pl", "nom.sg"]);
});

Deno.test("records come back from their file as they went in, and the file ends its last line", () =>
  inFolder((at) => {
    const path = at("set.jsonl");
    writeContrasts(path, [RECORD, BY_NUMBER]);
    assert.deepEqual(readContrasts(path), [RECORD, BY_NUMBER]);
    assert.match(Deno.readTextFileSync(path), /^\{"id":"morph_0001".*\}\n\{"id":.*\}\n$/);
  }));

Deno.test("parseContrastRecord() names every field that is wrong", () => {
  const damaged = { ...RECORD, id: "morph_1", phenomenon: "gender", note: "" };
  assert.throws(() => parseContrastRecord(damaged), (error: Error) => {
    assert.ok(error instanceof SyntaxError);
    assert.match(error.message, /^no contrast: id: .*phenomenon: /s);
    assert.match(error.message, /note/);
    return true;
  });
  const metadata = { ...RECORD.metadata, correct_case: "ergative" };
  assert.throws(() => parseContrastRecord({ ...RECORD, metadata }), /metadata\.correct_case/);
});

Deno.test("readContrasts() names the damaged line and the remedy", () =>
  inFolder((at) => {
    const path = at("set.jsonl");
    writeContrasts(path, [RECORD, BY_NUMBER]);
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).slice(0, -20));
    assert.throws(() => readContrasts(path), /set\.jsonl: line 2 is damaged .*22_sanskrit/s);
    assert.throws(() => readContrasts(at("none.jsonl")), Deno.errors.NotFound);
  }));
