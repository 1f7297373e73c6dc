import assert from "node:assert/strict";
import { thresholdRow } from "./thresholds.ts";

Deno.test("thresholdRow() counts claims that are given a passage, and their own one", () => {
  const own = (share: number, cosine?: number) => ({ share, cosine, own: true });
  const other = (share: number, cosine: number) => ({ share, cosine, own: false });
  // Two true claims, two false ones, and two about countries that the base lacks.
  const FOUND = {
    present: [[own(0.8, 0.9)], [other(0.5, 0.8), own(0.1, 0.7)]],
    wrong: [[other(0.6, 0.8), own(0.3, 0.5)], []],
    absent: [[other(0.4, 0.65)], []],
  };
  assert.deepEqual(thresholdRow(FOUND, 0, -1), {
    minimum_share: 0,
    minimum_cosine: -1,
    present: 1,
    present_own: 1,
    wrong: 0.5,
    wrong_own: 0.5,
    absent: 0.5,
  });
  assert.deepEqual(thresholdRow(FOUND, 0.2, 0.7), {
    minimum_share: 0.2,
    minimum_cosine: 0.7,
    present: 1,
    present_own: 0.5,
    wrong: 0.5,
    wrong_own: 0,
    absent: 0,
  });
  // Only the five best that are over both thresholds; the share alone where nothing was re-ranked.
  const five = Array.from({ length: 5 }, () => other(0.9, 0.9));
  const cases = [
    [[...five, own(0.9, 0.9)], 0, 0, 0],
    [[...five.slice(1), other(0.9, 0.1), own(0.9, 0.9)], 0, 0.5, 1],
    [[own(0.5)], 0.4, 0.9, 1],
    [[own(0.5)], 0.6, 0.9, 0],
  ] as const;
  for (const [found, share, cosine, expected] of cases) {
    assert.equal(thresholdRow({ ...FOUND, present: [found] }, share, cosine).present_own, expected);
  }
});
