import assert from "node:assert/strict";
import {
  at,
  CONFIG,
  DONE,
  madeWorkbook,
  onScreen,
  played,
  RATE,
  VALID,
} from "../testdata/sessions.ts";
import { UNRATED } from "../types.ts";
import { type Action, openSession, reduce, type Session } from "./session.ts";

const NEXT: Action = { kind: "next" };

const score = (translation: number, da: number | string | undefined): Action => ({
  kind: "score",
  translation,
  da,
});

const jump = (index: number): Action => ({ kind: "jump", index });

Deno.test("FR-6: openSession() goes to the first incomplete item and stamps it as started", () => {
  const session = openSession(madeWorkbook(4, (index) => index < 2 ? DONE : {}), CONFIG, at(5));
  assert.equal(session.current, 2);
  assert.equal(onScreen(session).startedAt, at(5).iso);
  assert.equal(session.workbook.items[3]?.evaluation.startedAt, undefined);
});

Deno.test("FR-6: openSession() takes an item without its confirmation for incomplete", () => {
  const rated = (index: number) => index === 1 ? { ...DONE, committedAt: undefined } : DONE;
  const session = openSession(madeWorkbook(3, rated), CONFIG, at(5));
  assert.equal(session.current, 1);
  assert.equal(onScreen(session).startedAt, DONE.startedAt);
});

Deno.test("FR-5: Next says everything that is missing and stays", () => {
  const session = played(madeWorkbook(2), [...RATE.slice(0, 4), NEXT]);
  assert.equal(session.current, 0);
  assert.deepEqual(session.notice, {
    kind: "item-invalid",
    violations: [
      { kind: "missing-bucket", translation: 2 },
      { kind: "missing-score", translation: 2 },
    ],
  });
  assert.equal(onScreen(session).committedAt, undefined);
});

Deno.test("FR-8: Next confirms the item with the time and goes on to the next", () => {
  const session = played(madeWorkbook(2), [...RATE, NEXT]);
  assert.equal(session.current, 1);
  assert.equal(onScreen(session).startedAt, at(7000).iso);
  const { committedAt, editCount, startedAt } = session.workbook.items[0]!.evaluation;
  assert.deepEqual([startedAt, committedAt, editCount], [at(0).iso, at(7000).iso, 0]);
});

Deno.test("FR-8: Next on a confirmed item overwrites the time and counts an edit", () => {
  const session = played(madeWorkbook(2, () => DONE), [NEXT]);
  const { committedAt, editCount } = session.workbook.items[0]!.evaluation;
  assert.deepEqual([committedAt, editCount], [at(1000).iso, 1]);
});

Deno.test("FR-8: changing a confirmed item takes its confirmation back and counts one edit", () => {
  const edited = played(madeWorkbook(2, () => DONE), [score(0, 95), score(1, 71)]);
  assert.equal(onScreen(edited).committedAt, undefined);
  assert.equal(onScreen(edited).editCount, 1);
  const again = reduce(edited, NEXT, at(5000)).workbook.items[0]!.evaluation;
  assert.deepEqual([again.committedAt, again.editCount], [at(5000).iso, 1]);
});

Deno.test("a comment is kept as a workbook can hold it", () => {
  const commented = (text: string) =>
    onScreen(played(madeWorkbook(1), [{ kind: "comment", text }])).comment;
  assert.equal(commented("a\r\nb\ufffe"), "a\nb");
  // A pair of surrogates that the end of the cell would cut in two.
  assert.equal(commented("x".repeat(32_766) + "😀"), "x".repeat(32_766) + "\ufffd");
});

Deno.test("FR-3: Back and a jump move, stamp the first opening and ignore what is not there", () => {
  const session = played(madeWorkbook(3), [jump(2), { kind: "back" }]);
  assert.equal(session.current, 1);
  assert.deepEqual(
    session.workbook.items.map(({ evaluation }) => evaluation.startedAt),
    [at(0).iso, at(2000).iso, at(1000).iso],
  );
  for (const index of [3, -1, 0.5, NaN]) {
    assert.equal(reduce(session, jump(index), at(3000)).current, 1);
  }
  assert.equal(played(madeWorkbook(2), [{ kind: "back" }]).current, 0);
});

Deno.test("FR-3: First incomplete looks from the start, and stays where none is", () => {
  const done = (index: number) => index === 1 ? {} : DONE;
  const first: Action = { kind: "first-incomplete" };
  assert.equal(played(madeWorkbook(4, done), [jump(3), first]).current, 1);
  assert.equal(played(madeWorkbook(4, () => DONE), [jump(3), first]).current, 3);
});

Deno.test("FR-3: Next invalid looks onwards and then from the start, itself last", () => {
  const wrong = { ...DONE, ratings: [{ bucket: "best", da: 300 }, ...VALID.slice(1)] };
  const workbook = (invalid: readonly number[]) =>
    madeWorkbook(5, (index) => invalid.includes(index) ? wrong : DONE);
  const invalid: Action = { kind: "next-invalid" };
  assert.equal(played(workbook([1, 3]), [invalid]).current, 1);
  assert.equal(played(workbook([1, 3]), [invalid, invalid]).current, 3);
  assert.equal(played(workbook([1, 3]), [invalid, invalid, invalid]).current, 1);
  assert.equal(played(workbook([2]), [jump(2), invalid]).current, 2);
  assert.equal(played(workbook([]), [jump(4), invalid]).current, 4);
});

Deno.test("FR-7: Finish says which items are incomplete and which are invalid", () => {
  const mixed = [DONE, {}, { ...DONE, ratings: [VALID[1], VALID[0], UNRATED] }, {
    ...DONE,
    ratings: [{ bucket: "best", da: "8o" }, VALID[1], VALID[2]],
  }];
  const session = played(madeWorkbook(4, (index) => mixed[index]!), [{ kind: "finish" }]);
  assert.equal(session.finished, false);
  assert.deepEqual(session.notice, { kind: "not-finished", incomplete: [1, 2], invalid: [3] });
});

Deno.test("FR-10: Finish ends a session that is complete; a change or a look back reopens it", () => {
  const session = played(madeWorkbook(2, () => DONE), [jump(1), { kind: "finish" }]);
  assert.equal(session.finished, true);
  assert.equal(session.notice, undefined);
  assert.equal(reduce(session, { kind: "activity" }, at(3000)).finished, true);
  assert.equal(reduce(session, score(0, 95), at(3000)).finished, false);
  const back = reduce(session, { kind: "back" }, at(3000));
  assert.deepEqual([back.finished, back.current], [false, 1]);
});

const UNDO: Action = { kind: "undo" };
const REDO: Action = { kind: "redo" };

const scores = (actions: readonly Action[]) =>
  onScreen(played(madeWorkbook(2), actions)).ratings.map(({ da }) => da);

Deno.test("undo takes 8 and 87 typed into one box back together", () => {
  assert.deepEqual(
    scores([score(0, 5), score(1, 8), score(1, 87), UNDO]),
    [
      5,
      undefined,
      undefined,
    ],
  );
  assert.deepEqual(scores([score(1, 8), score(1, 87), UNDO, REDO]), [
    undefined,
    87,
    undefined,
  ]);
});

Deno.test("typing goes on past signs of life, but not past another box, a move or an undo", () => {
  const alive: Action = { kind: "activity" };
  const steps = (actions: readonly Action[]) => played(madeWorkbook(2), actions).past.length;
  assert.equal(steps([score(0, 8), alive, score(0, 87)]), 1);
  assert.equal(
    steps([score(0, 8), { kind: "highlight", on: true }, score(0, 87)]),
    1,
  );
  assert.equal(steps([score(0, 8), score(1, 7), score(0, 87)]), 3);
  assert.equal(steps([score(0, 8), { kind: "bucket", translation: 0, bucket: "ok" }]), 2);
  assert.equal(steps([score(0, 8), { kind: "jump", index: 0 }, score(0, 87)]), 2);
  assert.equal(steps([score(0, 8), score(1, 7), UNDO, score(0, 87)]), 2);
});

Deno.test("edits of one box join a step only while each follows the last within two seconds", () => {
  const steps = (times: readonly number[]) =>
    times.reduce(
      (session, ms, index) => reduce(session, score(0, 22 + index), at(ms)),
      openSession(madeWorkbook(1), CONFIG, at(0)),
    ).past.length;
  assert.equal(steps([1000, 3000, 5000]), 1);
  // A score typed, and its slider dragged some seconds later.
  assert.equal(steps([1000, 1100, 3101, 3200]), 2);
});

Deno.test("undo and redo go to the item they change", () => {
  const typed = [...RATE, NEXT, score(2, 11)];
  const undone = played(madeWorkbook(2), [...typed, UNDO, UNDO]);
  assert.equal(undone.current, 0);
  assert.equal(onScreen(undone).ratings[2]?.da, undefined);
  assert.equal(undone.workbook.items[1]?.evaluation.ratings[2]?.da, undefined);
  const redone = played(madeWorkbook(2), [...typed, UNDO, UNDO, REDO, REDO]);
  assert.equal(redone.current, 1);
  assert.equal(onScreen(redone).ratings[2]?.da, 11);
});

Deno.test("FR-8: undo and redo behind a confirmation count as an edit of the item", () => {
  const edits = (actions: readonly Action[]) =>
    onScreen(played(madeWorkbook(1), [...RATE, ...actions])).editCount;
  assert.equal(edits([score(0, 95), NEXT, UNDO, NEXT]), 1);
  assert.equal(edits([score(0, 95), score(1, 71), NEXT, UNDO, UNDO, NEXT]), 1);
  assert.equal(edits([score(0, 95), UNDO, NEXT, REDO, NEXT]), 1);
});

Deno.test("redo after Next gives the item back as it was confirmed", () => {
  const session = played(madeWorkbook(1), [...RATE, NEXT, UNDO, REDO]);
  assert.equal(onScreen(session).committedAt, at(7000).iso);
});

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

Deno.test("a thousand visits of 40 ms are 40 seconds", () => {
  const visits = Array.from(
    { length: 1000 },
    (_, index) => [(index + 1) * 40, { kind: "jump", index: (index + 1) % 2 }] as const,
  );
  assert.deepEqual(seconds(visits), [[20, 0], [20, 0]]);
});
