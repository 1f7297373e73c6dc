import assert from "node:assert/strict";
import fc from "fast-check";
import {
  assignDocuments,
  assignLaterDocuments,
  placeExtras,
  sampleSegments,
  shuffledDocuments,
} from "./sampling.ts";
import type { Segment } from "./outputs.ts";

/** Returns documents d0, d1, … with the given numbers of segments. */
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
        assert.deepEqual(rated.map(({ segment }) => segment), [...segments.keys()]);
        const extras = places.filter(({ kind }) => kind !== "rated").map(({ segment }) => segment);
        assert.equal(extras.length, repeats + attention_checks);
        assert.equal(new Set(extras).size, extras.length);
        for (const [at, { kind, segment }] of places.entries()) {
          if (kind === "rated") continue;
          const original = places.findIndex((it) => it.kind === "rated" && it.segment === segment);
          assert.ok(at - original >= min_distance);
          const before = places.slice(0, at).findLast((it) => it.kind === "rated")!;
          const after = places.slice(at).find((it) => it.kind === "rated");
          assert.notEqual(
            segments[before.segment]!.document,
            segments[after?.segment ?? -1]?.document,
          );
        }
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("placeExtras() checks what can be spoiled, and says how many can be placed", () => {
  const placed = (lengths: number[], repeats: number, attention_checks: number, only = 0) => {
    const isSpoilable = (segment: number) => segment === only;
    const options = { secret: "s", repeats, attention_checks, min_distance: 3, isSpoilable };
    return placeExtras(corpus(lengths), options);
  };
  const few = /only 2 of 4 items have an end of a document 3 or more items after them/;
  assert.throws(() => placed([2, 2], 2, 1), few);
  for (const only of [0, 1, 2, 3]) {
    const places = placed([1, 1, 1, 1, 1, 1], 3, 1, only);
    assert.equal(places.find(({ kind }) => kind === "attention")!.segment, only);
    assert.equal(places.filter(({ kind }) => kind === "repeat").length, 3);
    const whole = /only 1 of 4 items have a translation that can be spoiled/;
    assert.throws(() => placed([6], 0, 2, only), whole);
  }
});

Deno.test("placeExtras() spreads repeats and checks evenly from the first tenth to the end", () => {
  for (const secret of ["a", "b", "c"]) {
    const options = { secret, repeats: 5, attention_checks: 5, min_distance: 10 };
    const places = placeExtras(corpus(Array(200).fill(1)), { ...options, isSpoilable: () => true });
    const ends = places.flatMap(({ kind }, at) => {
      const before = places.slice(0, at).filter((it) => it.kind === "rated").length;
      return kind === "rated" ? [] : [before];
    });
    assert.deepEqual(ends, [20, 38, 56, 74, 92, 110, 128, 146, 164, 182]);
    const kinds = places.map(({ kind }) => kind).filter((kind) => kind !== "rated");
    assert.ok(kinds.indexOf("attention") < 5 && kinds.indexOf("repeat") < 5, kinds.join());
  }
});

Deno.test("shuffledDocuments() gives each secret a different order of whole documents", () => {
  const segments = corpus([2, 3, 1, 2, 4]);
  const orders = Array.from({ length: 20 }, (_, n) => shuffledDocuments(segments, `s${n}`));
  for (const order of orders) {
    assert.deepEqual(new Set(order), new Set(segments));
    const documents = order.map(({ document }) => document);
    assert.equal(documents.filter((it, at) => it !== documents[at - 1]).length, 5);
    for (const group of Map.groupBy(order, ({ document }) => document).values()) {
      assert.deepEqual(group, segments.filter(({ document }) => document === group[0]!.document));
    }
  }
  assert.ok(new Set(orders.map((order) => order.map((it) => it.source).join())).size > 15);
});

Deno.test("assignDocuments() gives a document to all raters or to one, a fifth of the segments in common", () => {
  const raters = fc.integer({ min: 1, max: 4 });
  const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 10, maxLength: 30 });
  fc.assert(fc.property(lengths, raters, fc.integer(), (lengths, n, seed) => {
    const segments = corpus(lengths);
    const hands = assignDocuments(segments, n, { seed, overlap: 0.2 });
    const sizes = hands.map((documents) =>
      segments.filter((it) => documents.has(it.document)).length
    );
    let common = 0;
    for (const [d, length] of lengths.entries()) {
      const holders = hands.filter((documents) => documents.has(`d${d}`)).length;
      assert.ok(holders === 1 || holders === n, `${holders} of ${n}`);
      if (holders === n) common += length;
    }
    if (n > 1) assert.ok(Math.abs(common - 0.2 * segments.length) <= 3, `${common}`);
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 6, sizes.join());
  }));
  const few = /deal 2 documents out to 3 raters/;
  assert.throws(() => assignDocuments(corpus([2, 2]), 3, { seed: 1, overlap: 0 }), few);
  assert.deepEqual(
    assignDocuments(corpus([2, 2]), 3, { seed: 1, overlap: 1 }).map(({ size }) => size),
    [
      2,
      2,
      2,
    ],
  );
});

Deno.test("assignLaterDocuments() takes the common documents and those with fewest raters, as many as the others have", () => {
  const segments = corpus(Array(20).fill(2));
  const dealing = { seed: 7, overlap: 0.2 };
  const hands = assignDocuments(segments, 2, dealing);
  const later = assignLaterDocuments(segments, hands, dealing);
  const common = hands[0]!.intersection(hands[1]!);
  assert.deepEqual([common.size, common.isSubsetOf(later), later.size], [4, true, hands[0]!.size]);
  const again = assignLaterDocuments(segments, [...hands, later], dealing);
  // Of twelve documents of one rater only, those that the third took come last.
  assert.equal(later.intersection(again).size, common.size);
});
