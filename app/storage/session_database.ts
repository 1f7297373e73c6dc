import { type DBSchema, openDB } from "idb";
import type { RatedItem } from "../../lib/translation/types.ts";

/** A session without its items, which are stored one by one. */
export interface StoredRun {
  readonly runId: string;
  readonly configSha256: string;
  readonly keySha256: string;
  /** ISO 8601 in UTC. */
  readonly savedAt: string;
  /** Name of the file that was opened. */
  readonly fileName: string;
  /** Index of the item that was on screen. */
  readonly current: number;
  readonly itemCount: number;
}

/** Where sessions are stored: the browser's database, or a stand-in in tests. */
export interface SessionStore {
  /**
   * All or nothing, in the order of calls; `changed` by the item's index. Whether the store then
   * has the run's every item.
   */
  write(run: StoredRun, changed: ReadonlyMap<number, RatedItem>): Promise<boolean>;
  read(runId: string): Promise<{ run: StoredRun; items: readonly RatedItem[] } | undefined>;
  runs(): Promise<readonly string[]>;
  remove(runId: string): Promise<void>;
}

interface Schema extends DBSchema {
  readonly runs: { readonly key: string; readonly value: StoredRun };
  /** Key: the run and the item's place in the workbook. */
  readonly items: { readonly key: [string, number]; readonly value: RatedItem };
}

/**
 * The browser's own database as a store of sessions; pages opened from disk share one, so that only
 * the run's UUID keeps runs apart. Rejects where the browser denies it.
 */
export async function openSessionDatabase(): Promise<SessionStore> {
  const database = await openDB<Schema>("touchstone-rating", 1, {
    upgrade(fresh) {
      fresh.createObjectStore("runs", { keyPath: "runId" });
      fresh.createObjectStore("items");
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  const stores = ["runs", "items"] as const;
  const itemsOf = (runId: string) => IDBKeyRange.bound([runId, 0], [runId, Infinity]);
  return {
    /** All is sent before this returns to its caller: a tab killed a moment later loses none. */
    async write(run, changed) {
      const transaction = database.transaction(stores, "readwrite", { durability: "relaxed" });
      const items = transaction.objectStore("items");
      const puts = [
        transaction.objectStore("runs").put(run),
        ...[...changed].map(([index, item]) => items.put(item, [run.runId, index])),
      ];
      const counted = items.count(itemsOf(run.runId));
      transaction.commit();
      const [count] = await Promise.all([counted, ...puts, transaction.done]);
      return count === run.itemCount;
    },
    async read(runId) {
      const transaction = database.transaction(stores);
      const [run, items] = await Promise.all([
        transaction.objectStore("runs").get(runId),
        transaction.objectStore("items").getAll(itemsOf(runId)),
      ]);
      return run && { run, items };
    },
    runs: async () => (await database.getAll("runs")).map(({ runId }) => runId),
    async remove(runId) {
      const transaction = database.transaction(stores, "readwrite");
      await Promise.all([
        transaction.objectStore("runs").delete(runId),
        transaction.objectStore("items").delete(itemsOf(runId)),
        transaction.done,
      ]);
    },
  };
}
