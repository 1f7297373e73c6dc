import assert from "node:assert/strict";
import fc from "fast-check";
import { violationsOf } from "../rules/violations.ts";
import { ANY_ACTIONS, at, CONFIG, DONE, madeWorkbook } from "../testdata/sessions.ts";
import type { Evaluation, InputRow } from "../types.ts";
import { type Action, openSession, reduce, type Session } from "./session.ts";

/** What is seen of an action: the session before it and after it. */
type Look = (before: Session, action: Action, after: Session, ms: number) => void;

/** Shows every action of random sessions over three items, the first of them done before. */
function everyAction(look: Look): void {
  fc.assert(
    fc.property(ANY_ACTIONS, (actions) => {
      let ms = 0;
      let session = openSession(madeWorkbook(3, (i) => i === 0 ? DONE : {}), CONFIG, at(0));
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
const said = ({ ratings, comment }: Evaluation) => ({ ratings, comment });
const allSaid = (session: Session) => evaluationsOf(session).map(said);
const withoutTime = (evaluation: Evaluation) => ({
  ...evaluation,
  activeSeconds: 0,
  highlightSeconds: 0,
});

Deno.test("NFR-1: only a rater's change, undo and redo alter ratings and comments, one item's", () => {
  const changing = new Set(["bucket", "score", "comment", "undo", "redo"]);
  everyAction((before, { kind }, after) => {
    const [was, is] = [allSaid(before), allSaid(after)];
    if (!changing.has(kind)) assert.deepEqual(is, was);
    assert(is.filter((one, i) => JSON.stringify(one) !== JSON.stringify(was[i])).length <= 1);
    assert.equal(after.workbook.items.length, before.workbook.items.length);
    after.workbook.items.forEach(({ input }, i) =>
      assert.equal(input, before.workbook.items[i]!.input)
    );
  });
});

Deno.test("NFR-1: the revision grows with every change and confirmation, and never falls", () => {
  everyAction((before, _, after) => {
    assert(after.revision >= before.revision);
    const [was, is] = [before, after].map((session) => evaluationsOf(session).map(withoutStart));
    if (after.revision === before.revision) assert.deepEqual(is, was);
  });

  function withoutStart(evaluation: Evaluation) {
    return { ...withoutTime(evaluation), startedAt: undefined };
  }
});

Deno.test("FR-8: a confirmed item breaks no rule", () => {
  everyAction((_, __, after) => {
    for (const evaluation of evaluationsOf(after)) {
      if (evaluation.committedAt === undefined) continue;
      assert.deepEqual(violationsOf(evaluation, CONFIG), []);
    }
  });
});

Deno.test("FR-8: Next on an item that was ever confirmed before leaves a count of edits", () => {
  const confirmed = new WeakSet<InputRow>();
  let again = 0;
  everyAction((before, { kind }, after) => {
    evaluationsOf(before).forEach(({ committedAt }, i) => {
      if (committedAt !== undefined) confirmed.add(before.workbook.items[i]!.input);
    });
    const { evaluation, input } = after.workbook.items[before.current]!;
    if (kind !== "next" || after.revision === before.revision || !confirmed.has(input)) return;
    again++;
    assert(evaluation.editCount > 0);
  });
  assert(again > 0);
});

Deno.test("FR-8: an item on screen was started, and stays started at the same time", () => {
  everyAction((before, _, after) => {
    assert.notEqual(evaluationsOf(after)[after.current]!.startedAt, undefined);
    evaluationsOf(before).forEach(({ startedAt }, i) => {
      if (startedAt !== undefined) assert.equal(evaluationsOf(after)[i]!.startedAt, startedAt);
    });
  });
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

Deno.test("FR-7: a finished session is complete and valid", () => {
  let finished = 0;
  everyAction((_, __, after) => {
    if (!after.finished) return;
    finished++;
    for (const evaluation of evaluationsOf(after)) {
      assert.notEqual(evaluation.committedAt, undefined);
      assert.deepEqual(violationsOf(evaluation, CONFIG), []);
    }
  });
  assert(finished > 0);
});

Deno.test("undo after a change gives back what was before its step, and redo what was after", () => {
  everyAction((before, _, after, ms) => {
    if (after.past.length <= before.past.length) return;
    const undone = reduce(after, { kind: "undo" }, at(ms + 5));
    const redone = reduce(undone, { kind: "redo" }, at(ms + 9));
    assert.deepEqual(
      evaluationsOf(redone).map(withoutTime),
      evaluationsOf(after).map(withoutTime),
    );
    if (after.future.length === 0) assert.deepEqual(allSaid(undone), allSaid(before));
  });
});

Deno.test("undoing everything gives the ratings of the file that was opened", () => {
  fc.assert(
    fc.property(ANY_ACTIONS, (actions) => {
      const opened = openSession(madeWorkbook(3, (i) => i === 0 ? DONE : {}), CONFIG, at(0));
      const acted = actions.flatMap(([group]) => group)
        .reduce((session, action) => reduce(session, action, at(0)), opened);
      const undone = acted.past
        .reduce((session) => reduce(session, { kind: "undo" }, at(0)), acted);
      const redone = acted.past
        .reduce((session) => reduce(session, { kind: "redo" }, at(0)), undone);
      assert.deepEqual(allSaid(undone), allSaid(opened));
      assert.deepEqual(
        evaluationsOf(redone).map(withoutTime),
        evaluationsOf(acted).map(withoutTime),
      );
    }),
    { numRuns: 200 },
  );
});
