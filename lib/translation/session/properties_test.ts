import assert from "node:assert/strict";
import fc from "fast-check";
import { violationsOf } from "../rules/violations.ts";
import { ANY_ACTIONS, at, CONFIG, DONE, madeWorkbook } from "../testdata/sessions.ts";
import type { InputRow, ItemEvaluation } from "../types.ts";
import { type Action, openSession, reduce, type Session } from "./session.ts";

/** Observes an action with the sessions before and after it. */
type Look = (before: Session, action: Action, after: Session, ms: number) => void;

const opened = () => openSession(madeWorkbook(3, (i) => i === 0 ? DONE : {}), CONFIG, at(0));

/** Visits every action of random sessions over three items, the first already confirmed. */
function everyAction(look: Look): void {
  fc.assert(
    fc.property(ANY_ACTIONS, (actions) => {
      let ms = 0;
      let session = opened();
      for (const [group, gap] of actions) {
        for (const action of group) {
          const before = session;
          session = reduce(before, action, at(ms += gap));
          look(before, action, session, ms);
        }
      }
    }),
    { numRuns: 200 },
  );
}

const evaluationsOf = ({ workbook }: Session) => workbook.items.map(({ evaluation }) => evaluation);
const allSaid = (session: Session) =>
  evaluationsOf(session).map(({ ratings, comment }) => ({ ratings, comment }));
const withoutTime = (evaluation: ItemEvaluation) => {
  return { ...evaluation, activeSeconds: 0, highlightSeconds: 0, idleSeconds: 0 };
};

Deno.test("NFR-1: only a rater's change, undo and redo alter what is said, of one item; revisions grow", () => {
  const changing = ["bucket", "score", "alike", "comment", "undo", "redo"];
  everyAction((before, { kind }, after) => {
    const [was, is] = [allSaid(before), allSaid(after)];
    if (!changing.includes(kind)) assert.deepEqual(is, was);
    assert(is.filter((one, i) => JSON.stringify(one) !== JSON.stringify(was[i])).length <= 1);
    const inputs = ({ workbook }: Session) => workbook.items.map(({ input }) => input);
    assert.deepEqual(inputs(after), inputs(before));
    // The revision grows with every change and confirmation, and never falls.
    assert(after.revision >= before.revision);
    const [old, now] = [before, after].map((session) =>
      evaluationsOf(session).map((it) => ({ ...withoutTime(it), startedAt: undefined }))
    );
    if (after.revision === before.revision) assert.deepEqual(now, old);
  });
});

Deno.test("FR-7, FR-8: confirmed items break no rule, finished sessions are confirmed, starts and edits stay", () => {
  const confirmed = new WeakSet<InputRow>();
  let [again, finished] = [0, 0];
  everyAction((before, { kind }, after) => {
    const [was, is] = [evaluationsOf(before), evaluationsOf(after)];
    assert.notEqual(is[after.current]!.startedAt, undefined);
    is.forEach((evaluation, i) => {
      if (evaluation.committedAt !== undefined) {
        assert.deepEqual(violationsOf(evaluation, CONFIG), []);
      } else assert(!after.finished);
      if (was[i]!.startedAt !== undefined) assert.equal(evaluation.startedAt, was[i]!.startedAt);
      if (was[i]!.committedAt !== undefined) confirmed.add(before.workbook.items[i]!.input);
    });
    if (after.finished) finished++;
    const { evaluation, input } = after.workbook.items[before.current]!;
    if (kind !== "next" || after.revision === before.revision || !confirmed.has(input)) return;
    again++;
    assert(evaluation.editCount > 0);
  });
  assert(again > 0 && finished > 0);
});

Deno.test("FR-10: time never falls, and an action adds at most a minute, to one item", () => {
  everyAction((before, _, after) => {
    const added = evaluationsOf(after).map(({ activeSeconds, highlightSeconds }, i) => {
      const was = evaluationsOf(before)[i]!;
      assert(highlightSeconds >= was.highlightSeconds);
      assert(highlightSeconds <= activeSeconds);
      return activeSeconds - was.activeSeconds;
    });
    assert(added.every((seconds) => seconds >= 0 && seconds < 60.11), `${added}`);
    assert(added.filter((seconds) => seconds > 0).length <= 1);
  });
});

Deno.test("undo after a change gives back what was before its step, and redo what was after", () => {
  everyAction((before, _, after, ms) => {
    if (after.past.length <= before.past.length) return;
    const undone = reduce(after, { kind: "undo" }, at(ms + 5));
    const redone = reduce(undone, { kind: "redo" }, at(ms + 9));
    assert.deepEqual(evaluationsOf(redone).map(withoutTime), evaluationsOf(after).map(withoutTime));
    if (after.future.length === 0) assert.deepEqual(allSaid(undone), allSaid(before));
  });
});
