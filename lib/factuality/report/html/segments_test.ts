import assert from "node:assert/strict";
import fc from "fast-check";
import { segmentsOf } from "./segments.ts";

Deno.test("segmentsOf() cuts overlapping marks into stretches that know all their owners", () => {
  const marks = [{ of: 1, start: 0, end: 4 }, { of: 2, start: 2, end: 6 }];
  assert.deepEqual(segmentsOf("abcdefgh", marks).map(({ text, of }) => [text, of]), [
    ["ab", [1]],
    ["cd", [1, 2]],
    ["ef", [2]],
    ["gh", []],
  ]);
  assert.deepEqual(segmentsOf("", [{ of: 1, start: 0, end: 3 }]), []);
});

Deno.test("Requirement 8.1: whatever the marks, segments are the whole text, and each character has exactly its owners", () => {
  const mark = fc.record({ of: fc.nat(3), start: fc.nat(12), end: fc.nat(15) });
  fc.assert(
    fc.property(fc.string({ maxLength: 10 }), fc.array(mark, { maxLength: 6 }), (text, marks) => {
      const segments = segmentsOf(text, marks);
      assert.equal(segments.map((segment) => segment.text).join(""), text);
      for (const { start, end, of } of segments) {
        assert.ok(start < end);
        for (let at = start; at < end; at++) {
          const covering = marks.filter((m) => m.start <= at && at < m.end).map((m) => m.of);
          assert.deepEqual(of, [...new Set(covering)].sort());
        }
      }
    }),
    { numRuns: 300 },
  );
});
