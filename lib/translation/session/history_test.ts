import assert from "node:assert/strict";
import { openSession, reduce } from "./reduce.ts";
import type { Action } from "./session.ts";
import { at, CONFIG, DONE, madeWorkbook, onScreen, played, RATE } from "./testdata/sessions.ts";

const UNDO: Action = { kind: "undo" };
const REDO: Action = { kind: "redo" };
const NEXT: Action = { kind: "next" };
const score = (translation: number, da: number | undefined): Action => ({
  kind: "score",
  translation,
  da,
});
const comment = (text: string): Action => ({ kind: "comment", text });
const scores = (actions: readonly Action[]) =>
  onScreen(played(madeWorkbook(2), actions)).ratings.map(({ da }) => da);

Deno.test("undo takes 8 and 87 typed into one box back together", () => {
  assert.deepEqual(scores([score(0, 5), score(1, 8), score(1, 87), UNDO]), [
    5,
    undefined,
    undefined,
  ]);
  assert.deepEqual(scores([score(1, 8), score(1, 87), UNDO, REDO]), [undefined, 87, undefined]);
});

Deno.test("typing goes on past signs of life, but not past another box, a move or an undo", () => {
  const alive: Action = { kind: "activity" };
  const steps = (actions: readonly Action[]) => played(madeWorkbook(2), actions).past.length;
  assert.equal(steps([score(0, 8), alive, score(0, 87)]), 1);
  assert.equal(steps([score(0, 8), { kind: "highlight", on: true }, score(0, 87)]), 1);
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

Deno.test("undo takes a comment back as a whole", () => {
  const session = played(madeWorkbook(1), [comment("g"), comment("gu"), comment("gut"), UNDO]);
  assert.equal(onScreen(session).comment, "");
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

Deno.test("undo gives a confirmed item its confirmation and count of edits back", () => {
  const session = played(madeWorkbook(2, () => DONE), [score(0, 95), UNDO]);
  assert.equal(onScreen(session).committedAt, DONE.committedAt);
  assert.equal(onScreen(session).editCount, 0);
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

Deno.test("undo does not take time back", () => {
  const session = played(madeWorkbook(1), [score(0, 5), { kind: "activity" }, UNDO]);
  assert.equal(onScreen(session).activeSeconds, 3);
});

Deno.test("a new change leaves nothing to redo; without a step nothing happens", () => {
  assert.deepEqual(scores([score(0, 5), UNDO, score(1, 6), REDO]), [undefined, 6, undefined]);
  const { past, future, revision } = played(madeWorkbook(1), [UNDO, REDO]);
  assert.deepEqual([past, future, revision], [[], [], 0]);
});
