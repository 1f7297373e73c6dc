import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { madeEvaluation, workbookOf } from "../../lib/translation/testdata/evaluations.ts";
import type { RatingWorkbook, WorkbookItem } from "../../lib/translation/types.ts";
import { aheadOf } from "../start/start_screen.tsx";
import {
  claimsIn,
  openAutosave,
  type SavedSession,
  type SessionStore,
  type StoredRun,
} from "./autosave.ts";

/** The browser's database in memory, with the number of items of each `write`. */
function memoryStore() {
  const runs = new Map<string, StoredRun>();
  const items = new Map<string, Map<number, WorkbookItem>>();
  const written: number[] = [];
  const store: SessionStore = {
    async write(run, changed) {
      written.push(changed.size);
      runs.set(run.runId, run);
      items.set(run.runId, new Map([...items.get(run.runId) ?? [], ...changed]));
      await Promise.resolve();
      return items.get(run.runId)?.size === run.itemCount;
    },
    read: (runId) => {
      const [run, stored] = [runs.get(runId), items.get(runId) ?? new Map<number, WorkbookItem>()];
      const inOrder = [...stored].sort(([one], [other]) => one - other).map(([, item]) => item);
      return Promise.resolve(run && { run, items: inOrder });
    },
    runs: () => Promise.resolve([...runs.keys()]),
    remove: (runId) => {
      runs.delete(runId);
      items.delete(runId);
      return Promise.resolve();
    },
  };
  return { store, written };
}

const untold = (message: string) => assert.fail(message);
const opened = (store = memoryStore().store, onError: (message: string) => void = untold) =>
  openAutosave(onError, () => Promise.resolve(store));

function workbook(runId: string, items = 2): RatingWorkbook {
  return { ...workbookOf(Array.from({ length: items }, () => madeEvaluation([]))), runId };
}

function saved(book: RatingWorkbook, savedAt = "2026-01-01T00:00:00.000Z"): SavedSession {
  const { runId, configSha256 } = book;
  return { runId, configSha256, savedAt, fileName: "a.xlsx", workbook: book, current: 0 };
}

function withComment(book: RatingWorkbook, index: number, comment: string): RatingWorkbook {
  const { input, evaluation } = book.items[index]!;
  const items = book.items.with(index, { input, evaluation: { ...evaluation, comment } });
  return { ...book, items };
}

test("autosave: only the item that changed is written, all again after a discard or a failure", async () => {
  const { store, written } = memoryStore();
  const messages: string[] = [];
  let full = false;
  const write: SessionStore["write"] = (run, changed) =>
    full ? Promise.reject(new Error("full")) : store.write(run, changed);
  const autosave = await opened({ ...store, write }, (message) => messages.push(message));
  const book = { ...workbook("run", 3), rater: "anna", batch: "2" };
  let latest: RatingWorkbook = book;
  const save = (comment: string) => autosave.save(saved(latest = withComment(book, 1, comment)));
  autosave.save(saved(book));
  await save("a");
  assert.deepEqual(written, [3, 1]);
  await store.remove("run");
  await save("b");
  assert.deepEqual((await autosave.find("run"))?.workbook, latest);
  assert.deepEqual(written, [3, 1, 1, 3]);
  full = true;
  await save("c");
  await save("d");
  full = false;
  await save("e");
  assert.deepEqual((await autosave.find("run"))?.workbook, latest);
  assert.deepEqual([written.at(-1), messages.length], [3, 1]);
  // As a page of before idle seconds stored it.
  const { idleSeconds: _, ...older } = latest.items[1]!.evaluation;
  const before = { input: latest.items[1]!.input, evaluation: older } as WorkbookItem;
  await store.write({ ...(await store.read("run"))!.run }, new Map([[1, before]]));
  assert.deepEqual((await autosave.find("run"))?.workbook, latest);
});

test("autosave: NFR-1, whatever the changes, what is found is what was saved last", async () => {
  const change = fc.tuple(fc.constantFrom("r1", "r2"), fc.nat(3), fc.string());
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1 }), async (changes) => {
    const autosave = await opened();
    const books = new Map<string, RatingWorkbook>();
    let done: Promise<void> | undefined;
    for (const [runId, index, comment] of changes) {
      books.set(runId, withComment(books.get(runId) ?? workbook(runId, 4), index, comment));
      done = autosave.save(saved(books.get(runId)!));
    }
    await done;
    for (const [runId, book] of books) {
      assert.deepEqual((await autosave.find(runId))?.workbook, book);
    }
    const ids = (await autosave.list()).map(({ runId }) => runId);
    assert.deepEqual(ids.sort(), [...books.keys()].sort());
    await autosave.discard(ids[0]!);
    assert.equal((await autosave.list()).length, books.size - 1);
  }));
});

test("autosave: a denied store is reported once, and rating goes on", async () => {
  const messages: string[] = [];
  const denied = () => Promise.reject(new Error("storage is switched off"));
  const autosave = await openAutosave((message) => messages.push(message), denied);
  await autosave.save(saved(workbook("run")));
  assert.equal(await autosave.find("run"), undefined);
  assert.deepEqual(messages, ["storage is switched off"]);
});

test("aheadOf() goes by the time worked, then by confirmed sentences, then by the file's time, never to a fresh file", () => {
  const [early, late] = ["2026-11-22T09:00:00.000Z", "2026-11-22T10:00:00.000Z"];
  /** Returns three opened sentences, the first `confirmed` of them confirmed. */
  const begun = (confirmed: number) =>
    workbookOf([0, 1, 2].map((index) => {
      const committedAt = index < confirmed ? early : undefined;
      return madeEvaluation([], { startedAt: early, committedAt });
    }));
  const ahead = (confirmed: number, savedAt: string, writtenAt: string) =>
    aheadOf(saved(begun(confirmed), savedAt), { workbook: begun(2), writtenAt });
  const results = [1, 2, 3].map((confirmed) => ahead(confirmed, late, early));
  assert.deepEqual(results, [false, true, true]);
  assert.equal(ahead(2, early, late), false);
  assert.ok(aheadOf(saved(begun(0), early), { workbook: workbook("run"), writtenAt: late }));
  // A correction takes a confirmation back, and yet is the later state.
  const corrected = begun(1);
  const items = corrected.items.map((item, at) =>
    at > 0 ? item : { ...item, evaluation: { ...item.evaluation, activeSeconds: 9 } }
  );
  const copy = saved({ ...corrected, items }, early);
  assert.ok(aheadOf(copy, { workbook: begun(2), writtenAt: late }));
});

/** Locks shared by all tabs, like `navigator.locks`; `release` ends a tab. */
function sharedLocks() {
  const held = new Set<string>();
  const request = (name: string, _: LockOptions, answer: LockGrantedCallback<unknown>) => {
    const lock = held.has(name) ? null : { name, mode: "exclusive" } as const;
    held.add(name);
    return Promise.resolve(answer(lock));
  };
  const locks = { request: request as LockManager["request"] };
  return { locks, release: (name: string) => held.delete(name) };
}

test("claims: the first tab may write, the second only read unless the first is gone", async () => {
  const { locks, release } = sharedLocks();
  const [first, second, third] = [1, 2, 3].map(() => claimsIn(() => locks));
  assert.equal(await first!("run"), "writer");
  assert.equal(await second!("run"), "reader");
  assert.equal(await first!("run"), "writer");
  assert.equal(await second!("other run"), "writer");
  release("touchstone-rating:run");
  assert.equal(await second!("run"), "writer");
  assert.equal(await third!("run"), "reader");
});

test("claims: without locks, or where they are denied, a tab may write", async () => {
  const denied = { request: () => Promise.reject(new Error("denied")) } as unknown as LockManager;
  for (const locks of [denied, undefined]) {
    assert.equal(await claimsIn(() => locks)("run"), "writer");
  }
});
