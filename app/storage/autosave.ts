import { type DBSchema, openDB } from "idb";
import type { RatingWorkbook, WorkbookItem } from "../../lib/translation/types.ts";

/** A rating session after a change, offered after a crash. */
export interface SavedSession
  extends Omit<StoredRun, "keySha256" | "rater" | "batch" | "itemCount"> {
  readonly workbook: RatingWorkbook;
}

/** Store of every run's session in the browser. A killed tab thus loses nothing. */
export interface Autosave {
  /**
   * Saves at once and in order, only the changes since the last call.
   * Never rejects; resolves when everything saved so far is stored or has failed.
   */
  save(saved: SavedSession): Promise<void>;
  find(runId: string): Promise<SavedSession | undefined>;
  /** Returns all interrupted runs, the latest first. */
  list(): Promise<readonly SavedSession[]>;
  discard(runId: string): Promise<void>;
}

/**
 * Opens the browser's store.
 * If it is denied or full, `onError` gets the reason once, and rating continues.
 */
export async function openAutosave(
  onError: (reason: string) => void,
  openStore: () => Promise<SessionStore> = openSessionDatabase,
): Promise<Autosave> {
  try {
    return autosaveIn(await openStore(), onError);
  } catch (error) {
    onError(reasonOf(error));
    return NO_AUTOSAVE;
  }
}

/** Substitute that saves nothing. */
const NO_AUTOSAVE: Autosave = {
  save: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
};

function autosaveIn(store: SessionStore, onError: (reason: string) => void): Autosave {
  // Items sent to the store, by run.
  const sent = new Map<string, readonly WorkbookItem[]>();
  const latest = new Map<string, SavedSession>();
  let [last, reported] = [Promise.resolve(), false];
  const failed = (runId: string, error: unknown) => {
    sent.delete(runId);
    if (!reported) onError(reasonOf(error));
    reported = true;
  };
  const find = async (runId: string): Promise<SavedSession | undefined> => {
    const stored = await store.read(runId).catch(() => undefined);
    // Missing items mean that one tab discarded the run while another continued it.
    if (!stored || stored.items.length !== stored.run.itemCount) return undefined;
    const { run: { keySha256, rater, batch, itemCount: _, ...run } } = stored;
    // Sessions stored by earlier versions have no idle seconds.
    const items = stored.items.map(({ evaluation, ...item }) => {
      return { ...item, evaluation: { ...evaluation, idleSeconds: evaluation.idleSeconds ?? 0 } };
    });
    const who = { ...rater !== undefined && { rater }, ...batch !== undefined && { batch } };
    const { configSha256 } = run;
    return { ...run, workbook: { runId, configSha256, keySha256, ...who, items } };
  };
  /** Writes changed items; all items if another tab has discarded the others. */
  const write = async (saved: SavedSession): Promise<void> => {
    const { workbook: { items, keySha256, rater, batch }, ...run } = saved;
    const who = { ...rater !== undefined && { rater }, ...batch !== undefined && { batch } };
    const { runId } = run;
    // The reducer replaces the object of every changed item, and of no other.
    const before = sent.get(runId) ?? [];
    const changed = new Map([...items.entries()].filter(([at, item]) => item !== before[at]));
    sent.set(runId, items);
    if (await store.write({ ...run, keySha256, ...who, itemCount: items.length }, changed)) return;
    sent.delete(runId);
    if (changed.size < items.length) await write(latest.get(runId) ?? saved);
  };
  return {
    save(saved) {
      latest.set(saved.runId, saved);
      const written = write(saved).catch((error) => failed(saved.runId, error));
      return last = Promise.all([last, written]).then(() => {});
    },
    find,
    async list() {
      const runs = await store.runs().catch(() => []);
      const sessions = await Promise.all(runs.map(find));
      return sessions.filter((session) => session !== undefined)
        .sort((one, other) => other.savedAt.localeCompare(one.savedAt));
    },
    async discard(runId) {
      sent.delete(runId);
      latest.delete(runId);
      await store.remove(runId).catch(() => {});
    },
  };
}

const reasonOf = (error: unknown) => error instanceof Error ? error.message : "";

/** A session without its items, which are stored singly. */
export interface StoredRun extends Omit<RatingWorkbook, "items"> {
  /** ISO 8601 in UTC. */
  readonly savedAt: string;
  /** Name of the opened file. */
  readonly fileName: string;
  /** Index of the item on screen. */
  readonly current: number;
  readonly itemCount: number;
}

/** Storage of sessions: the browser's database, or a substitute in tests. */
export interface SessionStore {
  /**
   * Writes atomically, in the order of calls; `changed` is by item index.
   * Returns true if the store then has all items of the run.
   */
  write(run: StoredRun, changed: ReadonlyMap<number, WorkbookItem>): Promise<boolean>;
  read(runId: string): Promise<{ run: StoredRun; items: readonly WorkbookItem[] } | undefined>;
  runs(): Promise<readonly string[]>;
  remove(runId: string): Promise<void>;
}

interface Schema extends DBSchema {
  readonly runs: { readonly key: string; readonly value: StoredRun };
  /** Key: the run and the item's index in the workbook. */
  readonly items: { readonly key: [string, number]; readonly value: WorkbookItem };
}

/**
 * Opens the browser's database as a store of sessions.
 * Pages opened from disk share one, so that only the run's UUID separates runs. Rejects if the
 * browser denies it.
 */
async function openSessionDatabase(): Promise<SessionStore> {
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
    /** Sends everything synchronously, so that a tab killed a moment later loses nothing. */
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

/** The tab's right to change a run; another tab may hold it. */
type Claim = "writer" | "reader";

/** Claims runs in this browser; without locks every tab may write. */
export const claimRun = claimsIn(() => globalThis.navigator?.locks);

/**
 * Returns a function that acquires the right to change a run.
 * A tab keeps the right until it closes.
 */
export function claimsIn(locks: () => Pick<LockManager, "request"> | undefined) {
  const claimed = new Set<string>();
  return async (runId: string): Promise<Claim> => {
    if (claimed.has(runId)) return "writer";
    const claim = await new Promise<Claim>((resolve) => {
      const answer = (lock: Lock | null) => {
        resolve(lock ? "writer" : "reader");
        // A promise that is never settled: the browser releases the lock with the tab.
        return lock ? new Promise(() => {}) : undefined;
      };
      const asked = locks()?.request(`touchstone-rating:${runId}`, { ifAvailable: true }, answer);
      if (asked === undefined) resolve("writer");
      else asked.catch(() => resolve("writer"));
    });
    if (claim === "writer") claimed.add(runId);
    return claim;
  };
}
