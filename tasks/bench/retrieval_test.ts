import assert from "node:assert/strict";
import { type Found, thresholdRow } from "./retrieval.ts";

const own = (share: number, cosine: number) => ({ share, cosine, own: true });

const other = (share: number, cosine: number) => ({ share, cosine, own: false });

/** Two true claims, two false ones, and two about countries that the base lacks. */
const FOUND: Readonly<Record<"present" | "wrong" | "absent", readonly Found[]>> = {
  present: [[own(0.8, 0.9)], [other(0.5, 0.8), own(0.1, 0.7)]],
  wrong: [[other(0.6, 0.8), own(0.3, 0.5)], []],
  absent: [[other(0.4, 0.65)], []],
};

Deno.test("thresholdRow() counts claims that are given a passage, and their own one", () => {
  const { minimumShare: _, minimumCosine: __, ...open } = thresholdRow(FOUND, 0, -1);
  assert.deepEqual(open, {
    ...{ present: 1, presentOwn: 1, wrong: 0.5, wrongOwn: 0.5, absent: 0.5 },
  });
  assert.deepEqual(thresholdRow(FOUND, 0.2, 0.7), {
    ...{ minimumShare: 0.2, minimumCosine: 0.7 },
    ...{ present: 1, presentOwn: 0.5, wrong: 0.5, wrongOwn: 0, absent: 0 },
  });
});

Deno.test("thresholdRow() looks at the five best that are over both thresholds", () => {
  const five = Array.from({ length: 5 }, () => other(0.9, 0.9));
  const late = { ...FOUND, present: [[...five, own(0.9, 0.9)]] };
  assert.equal(thresholdRow(late, 0, 0).presentOwn, 0);
  const passed = { ...FOUND, present: [[...five.slice(1), other(0.9, 0.1), own(0.9, 0.9)]] };
  assert.equal(thresholdRow(passed, 0, 0.5).presentOwn, 1);
});

Deno.test("thresholdRow() lets the share alone decide where nothing was re-ranked", () => {
  const bare = { share: 0.5, cosine: undefined, own: true };
  assert.equal(thresholdRow({ ...FOUND, present: [[bare]] }, 0.4, 0.9).presentOwn, 1);
  assert.equal(thresholdRow({ ...FOUND, present: [[bare]] }, 0.6, 0.9).presentOwn, 0);
});
