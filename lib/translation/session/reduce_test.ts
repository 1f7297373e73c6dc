import assert from "node:assert/strict";
import { UNRATED } from "../item.ts";
import { openSession, reduce } from "./reduce.ts";
import type { Action } from "./session.ts";
import {
  at,
  CONFIG,
  DONE,
  madeWorkbook,
  onScreen,
  played,
  RATE,
  VALID,
} from "./testdata/sessions.ts";

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

Deno.test("openSession() goes to the first item where none is incomplete", () => {
  assert.equal(openSession(madeWorkbook(3, () => DONE), CONFIG, at(0)).current, 0);
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

Deno.test("a notice goes with the next deed, but not with a movement of the mouse", () => {
  const session = played(madeWorkbook(2), [NEXT, { kind: "activity" }, { kind: "pause" }]);
  assert.notEqual(session.notice, undefined);
  assert.equal(reduce(session, score(0, 5), at(9000)).notice, undefined);
});

Deno.test("FR-8: Next confirms the item with the time and goes on to the next", () => {
  const session = played(madeWorkbook(2), [...RATE, NEXT]);
  assert.equal(session.current, 1);
  assert.equal(onScreen(session).startedAt, at(7000).iso);
  const { committedAt, editCount, startedAt } = session.workbook.items[0]!.evaluation;
  assert.deepEqual([startedAt, committedAt, editCount], [at(0).iso, at(7000).iso, 0]);
});

Deno.test("Next at the last item confirms it and stays", () => {
  const session = played(madeWorkbook(1), [...RATE, NEXT]);
  assert.equal(session.current, 0);
  assert.equal(session.notice, undefined);
  assert.equal(onScreen(session).committedAt, at(7000).iso);
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

Deno.test("a change that changes nothing leaves no step and no edit", () => {
  const session = played(madeWorkbook(2, () => DONE), [
    score(0, 90),
    { kind: "bucket", translation: 0, bucket: "best" },
    { kind: "comment", text: "" },
    score(7, 50),
  ]);
  assert.deepEqual(session.past, []);
  assert.equal(session.revision, 0);
  assert.equal(onScreen(session).committedAt, DONE.committedAt);
});

Deno.test("a score's text stays as typed, and an empty box is no score", () => {
  const typed = (da: number | string | undefined) =>
    onScreen(played(madeWorkbook(1), [score(0, 1), score(0, da)])).ratings[0]!.da;
  assert.equal(typed(" 8o\u0000 "), "8o");
  assert.equal(typed("  "), undefined);
  assert.equal(typed(NaN), "NaN");
  assert(Object.is(typed(-0), 0));
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

Deno.test("Next on the completion screen confirms nothing", () => {
  const session = played(madeWorkbook(1, () => DONE), [{ kind: "finish" }, NEXT]);
  assert.equal(session.finished, true);
  assert.equal(onScreen(session).editCount, 0);
});
