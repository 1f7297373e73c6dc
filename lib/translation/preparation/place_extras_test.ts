import assert from "node:assert/strict";
import fc from "fast-check";
import { placeExtras } from "./place_extras.ts";
import type { Segment } from "./system_outputs.ts";

const documents = (...names: readonly string[]): Segment[] =>
  names.map((document, index) => ({
    ...{ document, segment: String(index), source: "", translations: [] },
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
        ...{ secret, repeats, attentionChecks, minDistance },
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

Deno.test("placeExtras() draws other items under another secret", () => {
  const segments = documents(...Array.from({ length: 40 }, (_, index) => `d${index >> 2}`));
  const options = { repeats: 4, attentionChecks: 0, minDistance: 8, isSpoilable: () => true };
  const drawn = Array.from(
    { length: 10 },
    (_, n) => JSON.stringify(placeExtras(segments, { ...options, secret: `s${n}` })),
  );
  assert.equal(new Set(drawn).size, 10);
});

Deno.test("placeExtras() says how many can be placed if too many are asked for", () => {
  const options = {
    ...{ secret: "s", repeats: 2, attentionChecks: 1, minDistance: 3 },
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
      ...{ secret: "s", repeats: 3, attentionChecks: 1, minDistance: 3 },
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
