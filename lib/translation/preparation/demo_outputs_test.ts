import assert from "node:assert/strict";
import { readWhole } from "../../files/whole_table.ts";
import { canonicalText } from "../canonical_text.ts";
import { TRANSLATION_PATHS } from "../paths.ts";

const COLUMNS = [
  "document",
  "segment",
  "system",
  "degradation",
  "source",
  "translation",
] as const;

const ROWS = readWhole(
  TRANSLATION_PATHS.demoOutputs,
  COLUMNS,
  (record) => record,
  "the translator",
);

const SEGMENTS = Map.groupBy(ROWS, ({ segment }) => segment);

const DEGRADATIONS = [
  "careful",
  "fluent_free",
  "slight_style",
  "register",
  "word_order",
  "agreement",
  "literal",
  "untranslated",
  "omission",
  "wrong_number_or_name",
  "negation_or_role",
  "fragment",
];

Deno.test("demo outputs: 20 segments in 5 documents of 4, each by the same 12 systems", () => {
  assert.equal(ROWS.length, 240);
  const systems = [...new Set(ROWS.map(({ system }) => system))];
  assert.equal(systems.length, 12);
  for (const [segment, rows] of SEGMENTS) {
    assert.deepEqual(rows.map(({ system }) => system), systems, segment);
  }
  const documents = Map.groupBy(ROWS, ({ document }) => document);
  assert.deepEqual([...documents.values()].map(({ length }) => length), Array(5).fill(48));
});

Deno.test("demo outputs: rows stand by document, then segment, then system", () => {
  const keys = ROWS.map(({ segment, system }) => `${segment} ${system}`);
  assert.deepEqual(keys, keys.toSorted());
  for (const { document, segment } of ROWS) {
    assert.match(segment, new RegExp(`^${document}-[1-4]$`));
  }
});

Deno.test("demo outputs: a segment has one source of 8 to 35 words and no translation twice", () => {
  for (const [segment, rows] of SEGMENTS) {
    const sources = new Set(rows.map(({ source }) => source));
    assert.equal(sources.size, 1, segment);
    const words = [...sources].join().split(" ").length;
    assert.ok(words >= 8 && words <= 35, `${segment}: ${words} words`);
    assert.equal(new Set(rows.map(({ translation }) => translation)).size, 12, segment);
  }
});

Deno.test("demo outputs: a system has one degradation throughout, each of the 12 another", () => {
  const pairs = new Set(ROWS.map(({ system, degradation }) => `${system} ${degradation}`));
  assert.equal(pairs.size, 12);
  const degradations = new Set(ROWS.map(({ degradation }) => degradation));
  assert.deepEqual(degradations, new Set(DEGRADATIONS));
});

Deno.test("demo outputs: every text can go into a workbook unchanged", () => {
  for (const { segment, source, translation } of ROWS) {
    for (const text of [source, translation]) {
      assert.equal(canonicalText(text), text, segment);
      assert.equal(text.trim(), text, segment);
      assert.notEqual(text, "", segment);
    }
  }
});
