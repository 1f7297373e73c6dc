import assert from "node:assert/strict";
import fc from "fast-check";
import { sentenceDifference } from "../../pairs/sentence_difference.ts";
import { formatCell, parseCell } from "../cell.ts";
import { illegalSequence } from "../devanagari_legality.ts";
import { toIast } from "../devanagari.ts";
import { writtenInPlace } from "../junction.ts";
import { decline } from "../paradigms.ts";
import { paradigmCells } from "./dataset.ts";
import { findContrasts } from "./find_contrasts.ts";
import { generateContrasts } from "./generate.ts";
import { GENERATED, SETTINGS, SOURCES, TREEBANK, VERSES } from "./testdata/generated.ts";

const LINES = new Map(
  VERSES.flatMap(({ id, lines }) => lines.map((line) => [`${id}.${line.label}`, line])),
);

/** A written form as in pausa: -ṃ stands for -m, -o of a noun in -a for -aḥ. */
const pausal = (form: string) => toIast(form).replace(/ṃ$/u, "m").replace(/o$/u, "aḥ");

const anyCertified = fc.constantFrom(...GENERATED.aStems.certified, ...GENERATED.iStems.certified);

Deno.test("a certified pair differs in one word, both members legal Devanagari (property, 500 runs)", () => {
  fc.assert(
    fc.property(anyCertified, ({ pair: { grammatical, ungrammatical, target } }) => {
      const difference = sentenceDifference(grammatical, ungrammatical);
      assert.equal(difference.kind, "one_token");
      assert.equal(difference.kind === "one_token" && difference.from, target);
      assert.equal(illegalSequence(grammatical), undefined);
      assert.equal(illegalSequence(ungrammatical), undefined);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a certified variant is the target cell's form and no form of the right cell (property, 500 runs)", () => {
  fc.assert(
    fc.property(anyCertified, ({ pair, certificate }) => {
      const { declension, from, to } = paradigmCells(certificate);
      const { forms } = decline(certificate.lemma, declension);
      const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
      assert.ok(difference.kind === "one_token");
      const [right, wrong] = [difference.from, difference.to].map(pausal);
      assert.ok(forms(from).includes(right!), `${right} ${formatCell(from)}`);
      assert.ok(forms(to).includes(wrong!), `${wrong} ${formatCell(to)}`);
      assert.ok(!forms(from).includes(wrong!), wrong);
      assert.equal(from.case === to.case, pair.phenomenon === "number");
      assert.equal(from.number === to.number, pair.phenomenon === "case");
    }),
    { numRuns: 500 },
  );
});

Deno.test("whatever a noun of the treebank is changed to, sandhi leaves it and its neighbour (property, 300 runs)", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TREEBANK), fc.boolean(), (noun, isAddressable) => {
      const line = LINES.get(`${noun.line.verse}.${noun.line.label}`)!;
      const next = line.text.split(" ")[noun.token];
      for (
        const { to, written, fixedBy } of findContrasts({ noun, line, isAddressable }).candidates
      ) {
        assert.notEqual(written, noun.form);
        assert.equal(illegalSequence(written), undefined);
        const spoken = writtenInPlace(pausal(written), next && toIast(next));
        assert.equal(spoken, toIast(written));
        assert.notEqual(to.case, "vocative");
        assert.deepEqual(fixedBy.line, noun.line);
      }
    }),
    { numRuns: 300 },
  );
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

Deno.test("generateContrasts() gives two thirds case and one third number, as many as are asked for", () => {
  const small = generateContrasts(SOURCES, { seed: 42, targetSize: 30, maxStems: 5 });
  const { items: few, report } = small.aStems.set;
  assert.deepEqual([report.case.chosen, report.number.chosen], [20, 10]);
  assert.deepEqual([few[0]?.pair.id, few.at(-1)?.pair.id], ["morph_0001", "morph_0030"]);
  assert.equal(new Set(few.map(({ certificate }) => certificate.lemma)).size, 5);
});

Deno.test("generateContrasts() takes what nobody has read into no set, and says so", () => {
  const some = TREEBANK.slice(0, 100);
  const unread = generateContrasts({ ...SOURCES, treebank: some, readings: [] }, SETTINGS);
  assert.deepEqual(unread.aStems.set.items, []);
  assert.ok(unread.aStems.rejections.some(({ reason }) => reason === "not_read"));
});

Deno.test("generateContrasts() accounts for every noun of the treebank", () => {
  const places = (chapter: number, sentence: number) => `${chapter}.${sentence}`;
  const { aStems, iStems } = GENERATED;
  const told = new Set([
    ...[...aStems.rejections, ...iStems.rejections].map(({ source }) => source),
    ...[...aStems.certified, ...iStems.certified].map(({ certificate }) => certificate.source),
  ].map(({ chapter, sentence }) => places(chapter, sentence)));
  for (const { line } of TREEBANK) {
    const [, chapter, verse] = line.verse.split("_").map(Number);
    assert.ok(told.has(places(chapter!, verse!)), line.verse);
  }
});

Deno.test("no pair is about a vocative", () => {
  for (const { certificate } of [...GENERATED.aStems.certified, ...GENERATED.iStems.certified]) {
    for (const cell of [certificate.cellFrom, certificate.cellTo]) {
      assert.notEqual(parseCell(cell.replace(/\.[mfn]$/, "")).case, "vocative");
    }
  }
});
