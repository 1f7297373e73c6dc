import assert from "node:assert/strict";
import fc from "fast-check";
import { wordsOf } from "../text.ts";
import { mostTypical, placeExtras, sampleSegments, spoil } from "./draw.ts";
import type { Segment } from "./outputs.ts";

/** Documents of the given lengths: d0 with segments 0, 1, … and so on. */
const corpus = (lengths: readonly number[]): Segment[] =>
  lengths.flatMap((length, d) =>
    Array.from({ length }, (_, s) => {
      return { document: `d${d}`, segment: `${s}`, source: `${d}.${s}`, translations: [] };
    })
  );

const LENGTHS = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 8 });

Deno.test("sampleSegments() keeps documents together and in order, as many items as wanted", () => {
  const window = fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined });
  const share = fc.float({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(LENGTHS, fc.integer(), window, share, (lengths, seed, window_length, part) => {
      const segments = corpus(lengths);
      const items = Math.max(1, Math.ceil(part * segments.length));
      const sample = sampleSegments(segments, { seed, items, window_length });
      assert.equal(new Set(sample).size, items);
      const runs = sample.filter((it, i) => it.document !== sample[i - 1]?.document);
      assert.equal(runs.length, new Set(sample.map(({ document }) => document)).size);
      for (const [i, it] of sample.entries()) {
        const next = sample[i + 1];
        if (next?.document === it.document) assert.ok(Number(next.segment) > Number(it.segment));
      }
    }),
    { numRuns: 200 },
  );
  const startOf = (seed: number) =>
    sampleSegments(corpus([9]), { seed, items: 3, window_length: 3 })[0]!.segment;
  assert.deepEqual([...new Set([...Array(40).keys()].map(startOf))].sort(), ["0", "3", "6"]);
});

Deno.test("placeExtras() puts repeats and checks at documents' ends, far enough from originals", () => {
  const [few, distance] = [fc.nat(3), fc.integer({ min: 1, max: 6 })];
  fc.assert(
    fc.property(
      ...[LENGTHS, few, few, distance, fc.string()] as const,
      (lengths, repeats, attention_checks, min_distance, secret) => {
        const segments = corpus(lengths);
        fc.pre(repeats + attention_checks + min_distance <= segments.length + 1);
        const wanted = { secret, repeats, attention_checks, min_distance };
        const places = placeExtras(segments, { ...wanted, isSpoilable: () => true });
        const rated = places.filter(({ kind }) => kind === "rated");
        assert.deepEqual(rated.map(({ of }) => of), [...segments.keys()]);
        const extras = places.filter(({ kind }) => kind !== "rated").map(({ of }) => of);
        assert.equal(extras.length, repeats + attention_checks);
        assert.equal(new Set(extras).size, extras.length);
        for (const [at, { kind, of }] of places.entries()) {
          if (kind === "rated") continue;
          const original = places.findIndex((it) => it.kind === "rated" && it.of === of);
          assert.ok(at - original >= min_distance);
          const before = places.slice(0, at).findLast((it) => it.kind === "rated")!;
          const after = places.slice(at).find((it) => it.kind === "rated");
          assert.notEqual(segments[before.of]!.document, segments[after?.of ?? -1]?.document);
        }
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("placeExtras() checks what can be spoiled, and says how many can be placed", () => {
  const placed = (lengths: number[], repeats: number, attention_checks: number, only = 0) => {
    const isSpoilable = (of: number) => of === only;
    const options = { secret: "s", repeats, attention_checks, min_distance: 3, isSpoilable };
    return placeExtras(corpus(lengths), options);
  };
  const few = /only 2 of 4 items have an end of a document 3 or more items after them/;
  assert.throws(() => placed([2, 2], 2, 1), few);
  for (const only of [0, 1, 2, 3]) {
    const places = placed([1, 1, 1, 1, 1, 1], 3, 1, only);
    assert.equal(places.find(({ kind }) => kind === "attention")!.of, only);
    assert.equal(places.filter(({ kind }) => kind === "repeat").length, 3);
    const whole = /only 1 of 4 items have a translation that can be spoiled/;
    assert.throws(() => placed([6], 0, 2, only), whole);
  }
});

const ITEM: Segment = {
  segment: "1",
  document: "a",
  source: "The cat has been asleep on the sofa since noon.",
  translations: [
    "Seit Mittag schläft die Katze auf dem Sofa.",
    "Die Katze schläft seit Mittag auf dem Sofa.",
    "Der Hund bellt.",
  ],
};

const RAIN = ["Es regnet.", "Regen fällt.", "Es schüttet."];
const OTHER: Segment = { segment: "1", document: "b", source: "It rains.", translations: RAIN };

Deno.test("spoil() goes each of its ways under some secret, and borrows nothing like the segment's own", () => {
  const source = "Since noon the cat has been asleep on the sofa.";
  const translations = ITEM.translations.map((text) => text.replace("Sofa", "Sessel"));
  const again: Segment = { segment: "9", document: "c", source, translations };
  const seen = new Map<string, string>();
  for (let n = 0; n < 30; n++) {
    const options = { secret: `s${n}`, segments: [ITEM, again, OTHER], language: "de" };
    const { spoiledBy, text } = spoil(ITEM, 1, options)!;
    assert.ok(!ITEM.translations.includes(text) && text.trim() !== "");
    seen.set(spoiledBy, text);
  }
  assert.equal(seen.get("translation of another segment"), "Regen fällt.");
  assert.equal(seen.get("cut after a third"), "Die Katze");
  const words = (text: string) => wordsOf(text, "de").map((word) => word.text).sort();
  assert.deepEqual(words(seen.get("words shuffled")!), words(ITEM.translations[1]!));
});

Deno.test("mostTypical() shares most words with the others, is not cut off, and of two the longer", () => {
  const whole = "Die Katze schläft seit Mittag auf dem Sofa.";
  const free = "Seit zwölf Uhr liegt die Katze auf der Couch.";
  assert.equal(mostTypical(["Die Katze schläft", whole, free]), 1);
  assert.equal(mostTypical([whole, `${whole} Ganz fest.`]), 1);
});
