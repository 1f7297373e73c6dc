import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RatedItem, RatingWorkbook } from "../../lib/translation/types.ts";
import { openAutosave, type SavedSession } from "./autosave.ts";
import type { SessionStore, StoredRun } from "./session_database.ts";

interface MemoryStore extends SessionStore {
  /** How many items each call of `write` brought. */
  readonly written: number[];
}

/** What the browser's database does, in memory: calls take effect in their order. */
function memoryStore(): MemoryStore {
  const runs = new Map<string, StoredRun>();
  const items = new Map<string, Map<number, RatedItem>>();
  const written: number[] = [];
  return {
    written,
    async write(run, changed) {
      written.push(changed.size);
      runs.set(run.runId, run);
      items.set(run.runId, new Map([...items.get(run.runId) ?? [], ...changed]));
      await Promise.resolve();
      return items.get(run.runId)?.size === run.itemCount;
    },
    read: (runId) => {
      const [run, stored] = [runs.get(runId), items.get(runId) ?? new Map<number, RatedItem>()];
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
}

function item(itemId: number, comment = ""): RatedItem {
  return {
    input: { itemId, source: `Sentence ${itemId}.`, translations: ["a", "b"], rowInputHash: "" },
    evaluation: {
      itemId,
      displayMap: [1, 0],
      ratings: [],
      comment,
      editCount: 0,
      startedAt: undefined,
      committedAt: undefined,
      activeSeconds: 0,
      highlightSeconds: 0,
    },
  };
}

function workbook(runId: string, items: readonly RatedItem[]): RatingWorkbook {
  return { runId, configSha256: "c", keySha256: "k", items };
}

function saved(book: RatingWorkbook, savedAt = "2026-01-01T00:00:00.000Z"): SavedSession {
  const { runId, configSha256 } = book;
  return { runId, configSha256, savedAt, fileName: "a.xlsx", workbook: book, current: 0 };
}

function withComment(book: RatingWorkbook, index: number, comment: string): RatingWorkbook {
  const items = book.items.map((old, at) => at === index ? item(old.input.itemId, comment) : old);
  return { ...book, items };
}

const untold = (message: string) => assert.fail(message);

test("autosave: after the first save only the item that changed is written", async () => {
  const store = memoryStore();
  const autosave = await openAutosave(untold, () => Promise.resolve(store));
  const book = workbook("run", [item(1), item(2), item(3)]);
  autosave.save(saved(book));
  autosave.save(saved(withComment(book, 1, "x")));
  autosave.save(saved(withComment(book, 1, "x")));
  await autosave.settled();
  assert.deepEqual(store.written, [3, 1, 1]);
});

test("autosave: NFR-1, whatever the changes, what is found is what was saved last", async () => {
  const change = fc.tuple(fc.constantFrom("r1", "r2"), fc.nat(3), fc.string());
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1 }), async (changes) => {
    const autosave = await openAutosave(untold, () => Promise.resolve(memoryStore()));
    const books = new Map<string, RatingWorkbook>();
    for (const [runId, index, comment] of changes) {
      const before = books.get(runId) ?? workbook(runId, [1, 2, 3, 4].map((id) => item(id)));
      books.set(runId, withComment(before, index, comment));
      autosave.save(saved(books.get(runId)!));
    }
    await autosave.settled();
    for (const [runId, book] of books) {
      assert.deepEqual((await autosave.find(runId))?.workbook, book);
    }
    assert.equal((await autosave.list()).length, books.size);
  }));
});

test("autosave: interrupted runs are listed with the latest first, discarded ones no more", async () => {
  const autosave = await openAutosave(untold, () => Promise.resolve(memoryStore()));
  autosave.save(saved(workbook("old", [item(1)]), "2026-01-01T00:00:00.000Z"));
  autosave.save(saved(workbook("new", [item(1)]), "2026-01-02T00:00:00.000Z"));
  autosave.save(saved(workbook("gone", [item(1)]), "2026-01-03T00:00:00.000Z"));
  await autosave.discard("gone");
  assert.deepEqual((await autosave.list()).map(({ runId }) => runId), ["new", "old"]);
  assert.equal(await autosave.find("gone"), undefined);
});

test("autosave: a denied store is told once, and rating goes on", async () => {
  const messages: string[] = [];
  const denied = () => Promise.reject(new Error("storage is switched off"));
  const autosave = await openAutosave((message) => messages.push(message), denied);
  autosave.save(saved(workbook("run", [item(1)])));
  await autosave.settled();
  assert.equal(await autosave.find("run"), undefined);
  assert.deepEqual(messages, [
    "This browser does not keep your work in case the tab closes (storage is switched off). Save a checkpoint often.",
  ]);
});

test("autosave: a run that another tab discards is whole again with the next save", async () => {
  const store = memoryStore();
  const autosave = await openAutosave(untold, () => Promise.resolve(store));
  const book = workbook("run", [item(1), item(2)]);
  autosave.save(saved(book));
  await store.remove("run");
  for (const comment of ["a", "b"]) {
    autosave.save(saved(withComment(book, 0, comment)));
    await autosave.settled();
  }
  const last = withComment(book, 0, "b");
  assert.deepEqual((await autosave.find("run"))?.workbook, last);
  assert.deepEqual(store.written, [2, 1, 2, 1]);
});

test("autosave: after a write that failed, the next one writes all items", async () => {
  const store = memoryStore();
  const messages: string[] = [];
  let full = true;
  const sometimesFull: SessionStore = {
    ...store,
    write: (run, changed) => full ? Promise.reject(new Error("full")) : store.write(run, changed),
  };
  const autosave = await openAutosave(
    (message) => messages.push(message),
    () => Promise.resolve(sometimesFull),
  );
  const book = workbook("run", [item(1), item(2)]);
  for (const comment of ["a", "b"]) {
    autosave.save(saved(withComment(book, 0, comment)));
    await autosave.settled();
  }
  full = false;
  const last = withComment(book, 1, "c");
  autosave.save(saved(last));
  await autosave.settled();
  assert.equal(messages.length, 1);
  assert.deepEqual((await autosave.find("run"))?.workbook, last);
});
