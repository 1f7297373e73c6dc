import assert from "node:assert/strict";
import fc from "fast-check";
import { inFolder } from "../../pairs/testdata/folder.ts";
import type { ContrastFiles } from "./dataset.ts";
import { readContrastSet, readRejections, writeContrastSet, writeRejections } from "./dataset.ts";
import { GENERATED } from "./testdata/generated.ts";

const SOME = GENERATED.aStems.set.items.slice(0, 12);
const OTHERS = GENERATED.aStems.set.items.slice(12, 24);

const inFiles = (work: (files: ContrastFiles) => void) =>
  inFolder((at) => work({ pairs: at("set.jsonl"), certificates: at("certificates.csv") }));

Deno.test("a contrast set comes back from its files with records and certificates", () =>
  inFiles((files) => {
    writeContrastSet(SOME, files);
    const read = readContrastSet(files);
    assert.deepEqual(read.map(({ pair }) => pair), SOME.map(({ pair }) => pair));
    assert.deepEqual(
      read.map(({ certificate }) => certificate),
      SOME.map(({ certificate }) => certificate),
    );
    for (const { record, pair } of read) assert.equal(record.id, pair.id);
  }));

Deno.test("readContrastSet() refuses a pair whose certificate is another's", () =>
  inFiles((files) => {
    writeContrastSet(SOME, files);
    const [first] = SOME;
    const text = Deno.readTextFileSync(files.pairs);
    const { ungrammatical } = first!.pair;
    Deno.writeTextFileSync(files.pairs, text.replace(ungrammatical, `${ungrammatical} च`));
    assert.throws(
      () => readContrastSet(files),
      /pair morph_0001 of .*set\.jsonl: .*another pair's hash.*22_sanskrit_generation/s,
    );
  }));

Deno.test("readContrastSet() refuses a pair without certificate and a certificate without pair", () =>
  inFiles((files) => {
    writeContrastSet(SOME, files);
    const [pairs, certificates] = [files.pairs, files.certificates].map((path) =>
      Deno.readTextFileSync(path)
    );
    writeContrastSet(SOME.slice(0, 11), files);
    Deno.writeTextFileSync(files.pairs, pairs!);
    assert.throws(() => readContrastSet(files), /has no certificate for it/);
    writeContrastSet(SOME.slice(0, 11), files);
    Deno.writeTextFileSync(files.certificates, certificates!);
    assert.throws(() => readContrastSet(files), /it has 11 pairs, .* has 12 certificates/);
  }));

Deno.test("a set of which only one file was written before the end is refused, and whole after the next run", () =>
  inFiles((files) => {
    writeContrastSet(SOME, files);
    const before = Deno.readTextFileSync(files.pairs);
    const renumbered = OTHERS.map(({ pair, certificate }, index) => {
      const { id } = SOME[index]!.pair;
      return { pair: { ...pair, id }, certificate: { ...certificate, pairId: id } };
    });
    writeContrastSet(renumbered, files);
    // Killed between the files: certificates are new, pairs are not.
    Deno.writeTextFileSync(files.pairs, before);
    assert.throws(() => readContrastSet(files), /another pair's hash/);
    writeContrastSet(renumbered, files);
    assert.equal(readContrastSet(files).length, 12);
  }));

Deno.test("writing anew over any part of a set's file doubles and loses nothing (property, 100 runs)", () =>
  inFiles((files) => {
    writeContrastSet(SOME, files);
    const whole = Deno.readTextFileSync(files.pairs);
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (cut) => {
        Deno.writeTextFileSync(files.pairs, whole.slice(0, cut));
        writeContrastSet(SOME, files);
        assert.equal(Deno.readTextFileSync(files.pairs), whole);
      }),
      { numRuns: 100 },
    );
  }));

Deno.test("refusals come back from their file, the reason of each among them", () =>
  inFolder((at) => {
    const some = GENERATED.aStems.rejections.slice(0, 50);
    writeRejections(at("rejections.csv"), some);
    assert.deepEqual(readRejections(at("rejections.csv")), some);
  }));
