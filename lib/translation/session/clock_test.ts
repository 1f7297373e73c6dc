import assert from "node:assert/strict";
import { openSession, reduce } from "./reduce.ts";
import type { Action, Session } from "./session.ts";
import { at, CONFIG, DONE, madeWorkbook } from "./testdata/sessions.ts";

const ALIVE: Action = { kind: "activity" };

/** Seconds at work on each item, and with highlighting, after these actions at these times. */
function seconds(timed: readonly (readonly [number, Action])[], opened = open()) {
  const { workbook } = timed.reduce(
    (session, [ms, action]) => reduce(session, action, at(ms)),
    opened,
  );
  return workbook.items.map(({ evaluation: { activeSeconds, highlightSeconds } }) =>
    [activeSeconds, highlightSeconds] as const
  );
}

function open(): Session {
  return openSession(madeWorkbook(2), CONFIG, at(0));
}

Deno.test("time between signs of life counts for the item on screen, to a tenth", () => {
  const moves = seconds([[1234, ALIVE], [2000, { kind: "jump", index: 1 }], [2560, ALIVE]]);
  assert.deepEqual(moves, [[2, 0], [0.6, 0]]);
});

Deno.test("a gap longer than a minute counts as a minute", () => {
  assert.deepEqual(seconds([[60_000, ALIVE]])[0], [60, 0]);
  assert.deepEqual(seconds([[3_600_000, ALIVE], [3_601_000, ALIVE]])[0], [61, 0]);
});

Deno.test("time while the page is hidden does not count", () => {
  const hidden = seconds([[1000, { kind: "pause" }], [30_000, ALIVE], [31_000, ALIVE]]);
  assert.deepEqual(hidden[0], [2, 0]);
});

Deno.test("time with the differences highlighted is counted by itself too", () => {
  const looked = seconds([
    [1000, { kind: "highlight", on: true }],
    [4000, { kind: "highlight", on: false }],
    [9000, ALIVE],
  ]);
  assert.deepEqual(looked[0], [9, 3]);
});

Deno.test("a clock that goes back or is no number takes nothing away", () => {
  assert.deepEqual(seconds([[5000, ALIVE], [1000, ALIVE], [2000, ALIVE]])[0], [6, 0]);
  const broken = reduce(open(), ALIVE, { iso: "", monotonicMs: NaN });
  assert.equal(broken.workbook.items[0]!.evaluation.activeSeconds, 0);
});

Deno.test("the completion screen takes no time", () => {
  const opened = openSession(madeWorkbook(1, () => DONE), CONFIG, at(0));
  assert.deepEqual(seconds([[1000, { kind: "finish" }], [9000, ALIVE]], opened)[0], [1, 0]);
});

Deno.test("a thousand visits of 40 ms are 40 seconds", () => {
  const visits = Array.from(
    { length: 1000 },
    (_, index) => [(index + 1) * 40, { kind: "jump", index: (index + 1) % 2 }] as const,
  );
  assert.deepEqual(seconds(visits), [[20, 0], [20, 0]]);
});

Deno.test("time goes on from what the workbook holds", () => {
  const half = madeWorkbook(1, () => ({ activeSeconds: 12.3, highlightSeconds: 1.1 }));
  assert.deepEqual(seconds([[700, ALIVE]], openSession(half, CONFIG, at(0)))[0], [13, 1.1]);
});
