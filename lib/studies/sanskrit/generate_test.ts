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
import { exchangeNoun } from "./junctions.ts";
import { toIast } from "./sounds.ts";
import { GENERATED, SETTINGS, SOURCES } from "./testdata/fixtures.ts";

/** Returns a written form's pausal form: -ṃ stands for -m, -o of a noun in -a for -aḥ. */
const pausal = (form: string) => toIast(form).replace(/ṃ$/u, "m").replace(/o$/u, "aḥ");

Deno.test("each certified variant is the target cell's form and no form of the right cell", () => {
  for (
    const { pair, certificate } of GENERATED.certified
  ) {
    const { declension, from, to } = paradigmCells(certificate);
    const { forms } = decline(certificate.lemma, declension);
    const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
    assert.ok(difference.kind === "one_token");
    const [right, wrong] = [difference.from, difference.to].map(pausal);
    if (forms(from).includes(right!)) {
      assert.ok(forms(to).includes(wrong!), `${wrong} ${formatCell(to)}`);
    } else {
      // In sandhi: the one form put in the other's place gives the word that stands there.
      const next = pair.grammatical.split(" ")[difference.index + 1];
      const written = forms(from).map((form) =>
        exchangeNoun(toIast(difference.from), form, forms(to)[0]!, next && toIast(next))
      );
      assert.ok(written.includes(toIast(difference.to)), `${right} ${wrong} ${formatCell(from)}`);
    }
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
    onRecord: [],
  }, SETTINGS);
  assert.deepEqual(turned.set.items, GENERATED.set.items);
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

Deno.test("generateContrasts() leaves pairs on record their numbers", () => {
  const { items } = GENERATED.set;
  const onRecord = items.slice(0, 9).map(({ pair }, index) => {
    return { ...pair, id: items[items.length - 1 - index]!.pair.id };
  });
  const again = generateContrasts({ ...SOURCES, onRecord }, SETTINGS).set.items;
  const idOf = new Map(again.map(({ pair }) => [pair.ungrammatical, pair.id]));
  for (const { ungrammatical, id } of onRecord) assert.equal(idOf.get(ungrammatical), id);
});

const SOME = GENERATED.set.items.slice(0, 12);

Deno.test("readContrastSet() refuses a certificate without its pair", () =>
  inFolder((at) => {
    const files = { pairs: at("set.jsonl"), certificates: at("certificates.csv") };
    writeContrastSet(SOME, files);
    writeContrasts(files.pairs, SOME.slice(0, 11).map(recordOfItem));
    assert.throws(() => readContrastSet(files), /it has 11 pairs, .* has 12 certificates/);
  }));
