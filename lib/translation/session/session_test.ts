import assert from "node:assert/strict";
import {
  at,
  CONFIG,
  DONE,
  madeWorkbook,
  onScreen,
  RATE,
  sessionAfter,
  VALID,
} from "../testdata/sessions.ts";
import { UNRATED } from "../types.ts";
import { type Action, openSession, reduce } from "./session.ts";

const [NEXT, BACK, UNDO, REDO, ALIVE] = (["next", "back", "undo", "redo", "activity"] as const)
  .map((kind): Action => ({ kind })) as [Action, Action, Action, Action, Action];
const score = (translation: number, da: number): Action => ({ kind: "score", translation, da });
const jump = (index: number): Action => ({ kind: "jump", index });

Deno.test("FR-6: openSession() goes to the first incomplete item, one unconfirmed too, and stamps it", () => {
  const session = openSession(madeWorkbook(4, (index) => index < 2 ? DONE : {}), CONFIG, at(5));
  assert.deepEqual([session.current, onScreen(session).startedAt], [2, at(5).iso]);
  assert.equal(session.workbook.items[3]?.evaluation.startedAt, undefined);
  const rated = (index: number) => index === 1 ? { ...DONE, committedAt: undefined } : DONE;
  const unconfirmed = openSession(madeWorkbook(3, rated), CONFIG, at(5));
  assert.deepEqual([unconfirmed.current, onScreen(unconfirmed).startedAt], [1, DONE.startedAt]);
});

Deno.test("FR-5: Next says everything that is missing and stays", () => {
  const session = sessionAfter(madeWorkbook(2), [...RATE.slice(0, 4), NEXT]);
  const violations = (["missing-bucket", "missing-score"] as const)
    .map((kind) => ({ kind, translation: 2 }));
  assert.deepEqual(session.notice, { kind: "item-invalid", violations });
  assert.deepEqual([session.current, onScreen(session).committedAt], [0, undefined]);
});

Deno.test("FR-8: Next confirms with the time and goes on; a second time it counts an edit", () => {
  const session = sessionAfter(madeWorkbook(2), [...RATE, NEXT]);
  assert.deepEqual([session.current, onScreen(session).startedAt], [1, at(7000).iso]);
  const { committedAt, editCount, startedAt } = session.workbook.items[0]!.evaluation;
  assert.deepEqual([startedAt, committedAt, editCount], [at(0).iso, at(7000).iso, 0]);
  const again = sessionAfter(madeWorkbook(2, () => DONE), [NEXT]).workbook.items[0]!.evaluation;
  assert.deepEqual([again.committedAt, again.editCount], [at(1000).iso, 1]);
  const edited = onScreen(sessionAfter(madeWorkbook(2, () => DONE), [score(0, 95), score(1, 71)]));
  assert.deepEqual([edited.committedAt, edited.editCount], [undefined, 1]);
});

Deno.test("a comment is kept as a workbook can hold it", () => {
  const commented = (text: string) =>
    onScreen(sessionAfter(madeWorkbook(1), [{ kind: "comment", text }])).comment;
  assert.equal(commented("a\r\nb\ufffe"), "a\nb");
  // A pair of surrogates that the end of the cell would cut in two.
  assert.equal(commented("x".repeat(32_766) + "😀"), "x".repeat(32_766) + "\ufffd");
});

Deno.test("FR-3: Back and jumps move, stamp the first opening and ignore what is not there", () => {
  const session = sessionAfter(madeWorkbook(3), [jump(2), BACK]);
  const starts = session.workbook.items.map(({ evaluation }) => evaluation.startedAt);
  assert.deepEqual(starts, [at(0).iso, at(2000).iso, at(1000).iso]);
  assert.equal(reduce(session, jump(3), at(3000)).current, 1);
  assert.equal(sessionAfter(madeWorkbook(2), [BACK]).current, 0);
  const done = (index: number) => index === 1 ? {} : DONE;
  assert.equal(
    sessionAfter(madeWorkbook(4, done), [jump(3), { kind: "first-incomplete" }]).current,
    1,
  );
});

Deno.test("FR-3: Next invalid looks onwards and then from the start, itself last", () => {
  const wrong = { ...DONE, ratings: [{ bucket: "best", da: 300 }, ...VALID.slice(1)] };
  const reached = (invalid: readonly number[], from: number, times: number) => {
    const workbook = madeWorkbook(5, (index) => invalid.includes(index) ? wrong : DONE);
    return sessionAfter(workbook, [jump(from), ...Array(times).fill({ kind: "next-invalid" })])
      .current;
  };
  assert.deepEqual([1, 2, 3].map((times) => reached([1, 3], 0, times)), [1, 3, 1]);
  assert.deepEqual([reached([2], 2, 1), reached([], 4, 1)], [2, 4]);
});

Deno.test("FR-7: Finish says which items are incomplete and which are invalid", () => {
  const unrated = { ...DONE, ratings: [VALID[1], VALID[0], UNRATED] };
  const wrong = { ...DONE, ratings: [{ bucket: "best", da: "8o" }, VALID[1], VALID[2]] };
  const mixed = [DONE, {}, unrated, wrong];
  const session = sessionAfter(madeWorkbook(4, (index) => mixed[index]!), [{ kind: "finish" }]);
  // The page is at the invalid one.
  assert.deepEqual([session.finished, session.current], [false, 3]);
  assert.deepEqual(session.notice, { kind: "not-finished", incomplete: [1, 2], invalid: [3] });
});

Deno.test("FR-10: Finish ends a session that is complete; a change or a look back reopens it", () => {
  const session = sessionAfter(madeWorkbook(2, () => DONE), [jump(1), { kind: "finish" }]);
  const after = (action: Action) => reduce(session, action, at(3000));
  assert.deepEqual([session.finished, session.notice], [true, undefined]);
  assert.deepEqual([after(ALIVE).finished, after(score(0, 95)).finished], [true, false]);
  assert.deepEqual([after(BACK).finished, after(BACK).current], [false, 1]);
});

Deno.test("undo takes 8 and 87 typed into one box back together; other boxes and moves are steps", () => {
  const steps = (actions: readonly Action[]) => sessionAfter(madeWorkbook(2), actions).past.length;
  const cases: readonly (readonly [readonly Action[], number])[] = [
    [[score(0, 8), ALIVE, score(0, 87)], 1],
    [[score(0, 8), score(1, 7), score(0, 87)], 3],
    [[score(0, 8), { kind: "bucket", translation: 0, bucket: "ok" }], 2],
    [[score(0, 8), jump(0), score(0, 87)], 2],
    [[score(0, 8), score(1, 7), UNDO, score(0, 87)], 2],
  ];
  for (const [actions, expected] of cases) assert.equal(steps(actions), expected);
  const typed = [score(0, 5), score(1, 8), score(1, 87)];
  const scores = (actions: readonly Action[]) =>
    onScreen(sessionAfter(madeWorkbook(2), actions)).ratings.map(({ da }) => da);
  assert.deepEqual(scores([...typed, UNDO]), [5, undefined, undefined]);
  assert.deepEqual(scores([...typed, UNDO, REDO]), [5, 87, undefined]);
});

Deno.test("FR-8: undo and redo go to their item; behind a confirmation they count as an edit of it", () => {
  const typed = [...RATE, NEXT, score(2, 11), UNDO, UNDO];
  const undone = sessionAfter(madeWorkbook(2), typed);
  assert.deepEqual([undone.current, onScreen(undone).ratings[2]?.da], [0, undefined]);
  const redone = sessionAfter(madeWorkbook(2), [...typed, REDO, REDO]);
  assert.deepEqual([redone.current, onScreen(redone).ratings[2]?.da], [1, 11]);
  const after = (actions: readonly Action[]) =>
    onScreen(sessionAfter(madeWorkbook(1), [...RATE, ...actions]));
  assert.equal(after([score(0, 95), NEXT, UNDO, NEXT]).editCount, 1);
  assert.equal(after([score(0, 95), score(1, 71), NEXT, UNDO, UNDO, NEXT]).editCount, 1);
  assert.equal(after([score(0, 95), UNDO, NEXT, REDO, NEXT]).editCount, 1);
  assert.equal(after([NEXT, UNDO, REDO]).committedAt, at(7000).iso);
});

Deno.test("time at work: to a tenth, a long gap as a minute, hidden not at all, highlighted by itself", () => {
  const seconds = (timed: readonly (readonly [number, Action])[]) =>
    timed.reduce(
      (session, [ms, action]) => reduce(session, action, at(ms)),
      openSession(madeWorkbook(2), CONFIG, at(0)),
    ).workbook.items.map(({ evaluation: it }) => [it.activeSeconds, it.highlightSeconds]);
  const highlight = (on: boolean): Action => ({ kind: "highlight", on });
  const moved = seconds([[1234, ALIVE], [2000, jump(1)], [2560, ALIVE]]);
  assert.deepEqual(moved, [[2, 0], [0.6, 0]]);
  const cases: readonly (readonly [Parameters<typeof seconds>[0], number[]])[] = [
    [[[60_000, ALIVE]], [60, 0]],
    [[[3_600_000, ALIVE], [3_601_000, ALIVE]], [61, 0]],
    [[[1000, { kind: "pause" }], [30_000, ALIVE], [31_000, ALIVE]], [2, 0]],
    [[[1000, highlight(true)], [4000, highlight(false)], [9000, ALIVE]], [9, 3]],
    // A clock that goes back takes nothing away.
    [[[5000, ALIVE], [1000, ALIVE], [2000, ALIVE]], [6, 0]],
  ];
  for (const [timed, expected] of cases) assert.deepEqual(seconds(timed)[0], expected);
  const visits = Array.from({ length: 1000 }, (_, i) => [(i + 1) * 40, jump((i + 1) % 2)] as const);
  assert.deepEqual(seconds(visits), [[20, 0], [20, 0]]);
});

Deno.test("a press of the slider is one step of undo, however soon after another", () => {
  const pressed = (da: number): Action => ({ kind: "score", translation: 0, da, isStroke: true });
  const session = sessionAfter(madeWorkbook(1), [score(0, 20), pressed(30), pressed(80)]);
  const before = session.past.map(({ evaluation }) => evaluation.ratings[0]!.da);
  assert.deepEqual(before, [undefined, 20, 30]);
});

Deno.test("translations of one text take one rating, spaces around it aside, and give it back in one step", () => {
  const fresh = madeWorkbook(1);
  const { input, evaluation } = fresh.items[0]!;
  const texts = { ...input, translations: ["Ein Satz.", "Noch einer.", " Ein Satz."] };
  const workbook = { ...fresh, items: [{ input: texts, evaluation }] };
  const alike: Action = { kind: "alike", translation: 0 };
  const session = sessionAfter(workbook, [...RATE.slice(0, 2), alike, alike]);
  const das = (it: ReturnType<typeof sessionAfter>) =>
    onScreen(it).ratings.map(({ bucket, da }) => `${bucket} ${da}`);
  assert.deepEqual(das(session), ["best 90", "undefined undefined", "best 90"]);
  assert.deepEqual(das(reduce(session, UNDO, at(9000)))[2], "undefined undefined");
  assert.equal(session.past.length, 3);
});

Deno.test("Next on an item to practise on shows its reference and goes on at the second time", () => {
  const texts = ["translation 1", "translation 2", "translation 3"];
  const translations = VALID.map((rating, t) => ({ text: texts[t]!, ...rating, why: "" }));
  const config = { ...CONFIG, practice: [{ source: "sentence 1", translations }] };
  const opened = openSession(madeWorkbook(2), config, at(0));
  const rated = RATE.reduce((session, action) => reduce(session, action, at(500)), opened);
  const shown = reduce(rated, { kind: "next" }, at(1000));
  assert.deepEqual([shown.current, shown.feedback], [0, true]);
  const on = reduce(shown, { kind: "next" }, at(2000));
  const { editCount } = on.workbook.items[0]!.evaluation;
  assert.deepEqual([on.current, on.feedback, editCount], [1, false, 0]);
  assert.equal(reduce(shown, score(0, 95), at(2000)).feedback, false);
});

/** Two practice items with three translations each, and one counted item. */
function practising(practicePass?: number) {
  const translations = VALID.map((rating, t) => ({
    text: `translation ${t + 1}`,
    ...rating,
    why: "",
  }));
  const practice = [1, 2].map((n) => ({ source: `sentence ${n}`, translations }));
  return openSession(madeWorkbook(3), { ...CONFIG, practice, practicePass }, at(0));
}
const does = (session: ReturnType<typeof practising>, ...actions: readonly Action[]) =>
  actions.reduce((now, action) => reduce(now, action, at(500)), session);

Deno.test("practice ends with a total of what was right", () => {
  // The second time the third translation is taken for the best, 50 points too high.
  const high: Action[] = [
    { kind: "bucket", translation: 2, bucket: VALID[0]!.bucket },
    score(2, VALID[0]!.da as number),
  ];
  const one = does(practising(), ...RATE, NEXT, NEXT);
  assert.deepEqual([one.current, one.notice], [1, undefined]);
  const over = does(one, ...RATE, ...high, NEXT, NEXT);
  const away = (VALID[0]!.da as number) - (VALID[2]!.da as number);
  assert.equal(over.current, 2);
  assert.deepEqual(over.notice, {
    kind: "practice-over",
    right: 5,
    n: 6,
    needed: undefined,
    distance: away / 6,
  });
  assert.equal(does(over, score(0, 50)).notice, undefined);
});

Deno.test("practice that must be passed lets no rater by, whatever way, and says how much is right", () => {
  const wrong: Action[] = [
    { kind: "bucket", translation: 2, bucket: VALID[0]!.bucket },
    score(2, VALID[0]!.da as number),
  ];
  const opened = practising(0.9);
  // Before it is done: to the first item of it.
  assert.deepEqual([does(opened, jump(2)).current, does(opened, jump(1)).current], [0, 1]);
  const failed = does(opened, ...RATE, NEXT, NEXT, ...RATE, ...wrong, NEXT, NEXT);
  // 5 of 6 are not 90 %.
  assert.deepEqual([failed.current, failed.feedback], [1, true]);
  assert.ok(failed.notice?.kind === "practice-failed");
  assert.deepEqual([failed.notice.right, failed.notice.needed, failed.notice.n], [5, 6, 6]);
  assert.equal(does(failed, jump(2)).current, 1);
  assert.equal(does(failed, { kind: "first-incomplete" }).current, 1);
  const passed = does(failed, ...RATE, NEXT, NEXT);
  assert.deepEqual([passed.current, passed.notice?.kind], [2, "practice-over"]);
  assert.equal(does(passed, jump(0), jump(2)).current, 2);
});

Deno.test("a gap counts up to what the words on the screen take to be read; what is longer is idle, apart", () => {
  const fresh = madeWorkbook(2);
  const long = "Wort ".repeat(100);
  const first = {
    ...fresh.items[0]!,
    input: { ...fresh.items[0]!.input, translations: [long, long, long] },
  };
  const workbook = { ...fresh, items: fresh.items.with(0, first) };
  const gaps = (...ms: readonly number[]) => {
    const { activeSeconds, idleSeconds } = ms.reduce(
      (session, until) => reduce(session, ALIVE, at(until)),
      openSession(workbook, CONFIG, at(0)),
    ).workbook.items[0]!.evaluation;
    return [activeSeconds, idleSeconds];
  };
  // `sentence 1` and three times a hundred words: 302 of them take 100.7 s at three a second.
  assert.deepEqual(gaps(90_000), [90, 0]);
  assert.deepEqual(gaps(100_000, 700_000), [200.7, 499.3]);
  // A few words have a minute as ever.
  const session = reduce(openSession(fresh, CONFIG, at(0)), ALIVE, at(90_000));
  const { activeSeconds, idleSeconds } = session.workbook.items[0]!.evaluation;
  assert.deepEqual([activeSeconds, idleSeconds], [60, 30]);
  const undone = reduce(reduce(session, score(0, 5), at(91_000)), UNDO, at(92_000));
  assert.equal(undone.workbook.items[0]!.evaluation.idleSeconds, 30);
});
