import assert from "node:assert/strict";
import { sentenceDifference } from "../../pairs/pair.ts";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { generateContrasts } from "./generate.ts";
import {
  contrastRecord,
  paradigmCells,
  readContrastSet,
  recordOfItem,
  writeContrasts,
  writeContrastSet,
} from "./records.ts";
import { decline, formatCell, parseCell } from "./paradigms.ts";
import { toIast } from "./sounds.ts";
import { GENERATED, SETTINGS, SOURCES } from "./testdata/fixtures.ts";

/** A written form as in pausa: -ṃ stands for -m, -o of a noun in -a for -aḥ. */
const pausal = (form: string) => toIast(form).replace(/ṃ$/u, "m").replace(/o$/u, "aḥ");

Deno.test("each certified variant is the target cell's form and no form of the right cell", () => {
  for (
    const { pair, certificate } of [...GENERATED.aStems.certified, ...GENERATED.iStems.certified]
  ) {
    const { declension, from, to } = paradigmCells(certificate);
    const { forms } = decline(certificate.lemma, declension);
    const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
    assert.ok(difference.kind === "one_token");
    const [right, wrong] = [difference.from, difference.to].map(pausal);
    assert.ok(forms(from).includes(right!), `${right} ${formatCell(from)}`);
    assert.ok(forms(to).includes(wrong!), `${wrong} ${formatCell(to)}`);
    assert.ok(!forms(from).includes(wrong!), wrong);
    assert.equal(from.case === to.case, pair.phenomenon !== "case");
    assert.equal(from.number === to.number, pair.phenomenon === "case");
  }
});

Deno.test("generateContrasts() gives the same set for sources in any order", () => {
  const turned = generateContrasts({
    verses: SOURCES.verses.toReversed(),
    treebank: SOURCES.treebank.toReversed(),
    readings: SOURCES.readings.toReversed(),
  }, SETTINGS);
  assert.deepEqual(turned.aStems.set.items, GENERATED.aStems.set.items);
  assert.deepEqual(turned.iStems.set.items, GENERATED.iStems.set.items);
});

const RECORD = contrastRecord({
  ...{ id: "morph_0001", phenomenon: "case", stem: "rāja-guhya", declension: "a_neuter" },
  ...{ grammatical: "राजगुह्यस्य पश्य", ungrammatical: "राजगुह्ये पश्य", context: "9.2: … ॥" },
  ...{ from: parseCell("gen.sg"), to: parseCell("loc.sg") },
  ...{ target: "राजगुह्यस्य", variant: "राजगुह्ये" },
});

Deno.test("contrastRecord() has the specification's shape, field by field", () => {
  assert.deepEqual(Object.keys(RECORD), [
    ...["id", "phenomenon", "grammatical", "ungrammatical", "stem", "context", "metadata"],
  ]);
  assert.deepEqual(RECORD.metadata, {
    ...{ stem_class: "a-stem", gender: "neuter", number: "singular" },
    ...{ correct_case: "genitive", incorrect_case: "locative" },
    ...{ correct_number: "singular", incorrect_number: "singular" },
    // राजगुह्ये is nominative, accusative and vocative dual as well.
    incorrect_cells: ["nom.du", "acc.du", "loc.sg", "voc.du"],
    ...{ ending_from: "अस्य", ending_to: "ए", target: "राजगुह्यस्य", variant: "राजगुह्ये" },
  });
  assert.equal(RECORD.stem, "राजगुह्य");
});

const SOME = GENERATED.aStems.set.items.slice(0, 12);

Deno.test("readContrastSet() refuses a certificate without its pair", () =>
  inFolder((at) => {
    const files = { pairs: at("set.jsonl"), certificates: at("certificates.csv") };
    writeContrastSet(SOME, files);
    writeContrasts(files.pairs, SOME.slice(0, 11).map(recordOfItem));
    assert.throws(() => readContrastSet(files), /it has 11 pairs, .* has 12 certificates/);
  }));
