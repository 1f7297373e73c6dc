import assert from "node:assert/strict";
import fc from "fast-check";
import { wordsOf } from "../text.ts";
import {
  mostTypical,
  newSecret,
  placeExtras,
  requireSecret,
  sampleSegments,
  secretOrder,
  spoil,
} from "./draw.ts";
import type { Segment } from "./outputs.ts";

Deno.test("secretOrder() gives each order of three about equally often over many secrets", () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 6000; n++) {
    const order = secretOrder(`secret ${n}`, "test", 3).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  // The 99.9 % point of chi-square with 5 degrees of freedom.
  assert.ok(chiSquare < 20.5, `chi-square is ${chiSquare}`);
});

Deno.test("newSecret() gives 256 bits that requireSecret() takes; shorter ones it refuses", () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  for (const secret of secrets) requireSecret(secret);
  assert.equal(new Set(secrets).size, 20);
  assert.ok(secrets.every(({ length }) => length === 64));
  for (const weak of ["", "abc", "a".repeat(31), "A".repeat(32), "a".repeat(33)]) {
    assert.throws(() => requireSecret(weak), RangeError);
  }
});

/** Documents of the given lengths: d0 with segments 0, 1, … and so on. */
function corpus(lengths: readonly number[]): Segment[] {
  return lengths.flatMap((length, d) =>
    Array.from({ length }, (_, s) => ({
      document: `d${d}`,
      segment: String(s),
      source: `${d}.${s}`,
      translations: [],
    }))
  );
}

const LENGTHS = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 });

Deno.test("sampleSegments() keeps documents together and in order, as many items as wanted", () => {
  const property = fc.property(
    LENGTHS,
    fc.integer(),
    fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    fc.float({ min: 0, max: 1, noNaN: true }),
    (lengths, seed, windowLength, share) => {
      const segments = corpus(lengths);
      const items = Math.max(1, Math.ceil(share * segments.length));
      const sample = sampleSegments(segments, { seed, items, windowLength });
      assert.equal(new Set(sample).size, items);
      const runs = sample.filter((it, i) => it.document !== sample[i - 1]?.document);
      assert.equal(runs.length, new Set(sample.map(({ document }) => document)).size);
      for (const [i, it] of sample.entries()) {
        const next = sample[i + 1];
        if (next?.document === it.document) assert.ok(Number(next.segment) > Number(it.segment));
      }
      assert.deepEqual(sampleSegments(segments, { seed, items, windowLength }), sample);
    },
  );
  fc.assert(property, { numRuns: 200 });
});

Deno.test("sampleSegments() draws windows of consecutive segments", () => {
  const starts = Array.from(
    { length: 40 },
    (_, seed) => sampleSegments(corpus([9]), { seed, items: 3, windowLength: 3 }),
  );
  const drawn = new Set(starts.map((it) => it.map(({ segment }) => segment).join("")));
  assert.deepEqual([...drawn].sort(), ["012", "345", "678"]);
});

const documents = (...names: readonly string[]): Segment[] =>
  names.map((document, index) => ({
    document,
    segment: String(index),
    source: "",
    translations: [],
  }));

Deno.test("placeExtras() puts repeats and checks at documents' ends, far enough from originals", () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 8 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 1, max: 6 }),
    fc.string(),
    (lengths, repeats, attentionChecks, minDistance, secret) => {
      const segments = documents(...lengths.flatMap((n, d) => Array(n).fill(`d${d}`)));
      fc.pre(repeats + attentionChecks + minDistance <= segments.length + 1);
      const places = placeExtras(segments, {
        secret,
        repeats,
        attentionChecks,
        minDistance,
        isSpoilable: () => true,
      });
      const rated = places.filter(({ kind }) => kind === "rated");
      assert.deepEqual(rated.map(({ of }) => of), segments.map((_, index) => index));
      const extras = places.filter(({ kind }) => kind !== "rated");
      assert.equal(extras.length, repeats + attentionChecks);
      assert.equal(new Set(extras.map(({ of }) => of)).size, extras.length);
      for (const [at, { kind, of }] of places.entries()) {
        if (kind === "rated") continue;
        const original = places.findIndex((it) => it.kind === "rated" && it.of === of);
        assert.ok(at - original >= minDistance);
        const before = places.slice(0, at).findLast((it) => it.kind === "rated")!;
        const after = places.slice(at).find((it) => it.kind === "rated");
        assert.notEqual(segments[before.of]!.document, segments[after?.of ?? -1]?.document);
      }
    },
  );
  fc.assert(property, { numRuns: 200 });
});

Deno.test("placeExtras() says how many can be placed if too many are asked for", () => {
  const options = {
    secret: "s",
    repeats: 2,
    attentionChecks: 1,
    minDistance: 3,
    isSpoilable: () => true,
  };
  assert.throws(() => placeExtras(documents("a", "a", "b", "b"), options), {
    name: "RangeError",
    message: "Cannot place 2 repeats and 1 attention checks: only 2 of 4 items have an end of a " +
      "document 3 or more items after them. Take fewer, or a smaller minDistance.",
  });
  assert.throws(
    () => placeExtras([], { ...options, repeats: 0.5, minDistance: 0 }),
    /repeats is 0\.5: .*; minDistance is 0: it takes a whole number from 1\.$/,
  );
});

Deno.test("placeExtras() checks items that can be spoiled, and repeats others instead", () => {
  const segments = documents("a", "b", "c", "d", "e", "f");
  for (const only of [0, 1, 2, 3]) {
    const options = {
      secret: "s",
      repeats: 3,
      attentionChecks: 1,
      minDistance: 3,
      isSpoilable: (of: number) => of === only,
    };
    const places = placeExtras(segments, options);
    assert.equal(places.find(({ kind }) => kind === "attention")!.of, only);
    assert.equal(places.filter(({ kind }) => kind === "repeat").length, 3);
    assert.throws(
      () => placeExtras(segments, { ...options, attentionChecks: 2, repeats: 0 }),
      /only 1 of 4 items have a translation that can be spoiled/,
    );
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

const OTHER: Segment = {
  segment: "1",
  document: "b",
  source: "It rains.",
  translations: ["Es regnet.", "Regen fällt.", "Es schüttet."],
};

Deno.test("spoil() goes each of its ways under some secret, each with what it promises", () => {
  const seen = new Map<string, string>();
  for (let n = 0; n < 30; n++) {
    const options = { secret: `s${n}`, segments: [ITEM, OTHER], language: "de" };
    const { spoiledBy, text } = spoil(ITEM, 1, options)!;
    seen.set(spoiledBy, text);
  }
  assert.equal(seen.get("translation of another segment"), "Regen fällt.");
  assert.equal(seen.get("cut after a third"), "Die Katze");
  const words = (text: string) => wordsOf(text, "de").map((word) => word.text).sort();
  assert.deepEqual(words(seen.get("words shuffled")!), words(ITEM.translations[1]!));
});

Deno.test("spoil() never gives one of the segment's own translations", () => {
  const property = fc.property(fc.string(), fc.integer({ min: 0, max: 2 }), (secret, system) => {
    const options = { secret, segments: [ITEM, OTHER], language: undefined };
    const { text } = spoil(ITEM, system, options)!;
    assert.ok(!ITEM.translations.includes(text) && text.trim() !== "");
  });
  fc.assert(property, { numRuns: 200 });
});

Deno.test("spoil() borrows no text that reads like the segment's own", () => {
  const again = {
    segment: "9",
    document: "c",
    source: "Since noon the cat has been asleep on the sofa.",
    translations: ITEM.translations.map((text) => text.replace("Sofa", "Sessel")),
  };
  for (let n = 0; n < 30; n++) {
    const options = { secret: `s${n}`, segments: [ITEM, again, OTHER], language: "de" };
    const { spoiledBy, text } = spoil(ITEM, 1, options)!;
    if (spoiledBy === "translation of another segment") assert.equal(text, "Regen fällt.");
  }
  const options = { secret: "s", segments: [ITEM, again], language: "de" };
  assert.notEqual(spoil(ITEM, 1, options)!.spoiledBy, "translation of another segment");
});

Deno.test("mostTypical() is the translation that shares most words with the others", () => {
  assert.equal(mostTypical([...ITEM.translations, "Die Katze schläft auf dem Sofa."]), 1);
  assert.equal(mostTypical(["", "Ja", "Ja"]), 1);
});

Deno.test("mostTypical() is no text that was cut off, and of two alike the longer", () => {
  const whole = "Die Katze schläft seit Mittag auf dem Sofa.";
  const free = "Seit zwölf Uhr liegt die Katze auf der Couch.";
  assert.equal(mostTypical(["Die Katze schläft", whole, free]), 1);
  assert.equal(mostTypical([whole, `${whole} Ganz fest.`]), 1);
});
