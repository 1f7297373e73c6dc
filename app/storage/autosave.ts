import { type DBSchema, openDB } from "idb";
import type { RatingWorkbook, WorkbookItem } from "../../lib/translation/types.ts";

/** A rating session as it stood after a change: what is offered after a crash. */
export interface SavedSession
  extends Omit<StoredRun, "keySha256" | "rater" | "batch" | "itemCount"> {
  readonly workbook: RatingWorkbook;
}

/** Keeps the session of every run in the browser, so that a killed tab loses nothing. */
export interface Autosave {
  /**
   * At once and in order; only what changed since the last call is written. Never rejects; resolves when
   * everything that was saved until now is in the store, or has failed.
   */
  save(saved: SavedSession): Promise<void>;
  find(runId: string): Promise<SavedSession | undefined>;
  /** All interrupted runs, the latest first. */
  list(): Promise<readonly SavedSession[]>;
  discard(runId: string): Promise<void>;
}

/**
 * Opens the browser's store. Where it is denied or full, `onError` is told why, once, and rating goes
 * on.
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

/** Rates without a safety net. */
const NO_AUTOSAVE: Autosave = {
  save: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
};

function autosaveIn(store: SessionStore, onError: (reason: string) => void): Autosave {
  // By run, the items that the store has or was sent.
  const sent = new Map<string, readonly WorkbookItem[]>();
  const latest = new Map<string, SavedSession>();
  let [last, told] = [Promise.resolve(), false];
  const failed = (runId: string, error: unknown) => {
    sent.delete(runId);
    if (!told) onError(reasonOf(error));
    told = true;
  };
  const find = async (runId: string): Promise<SavedSession | undefined> => {
    const found = await store.read(runId).catch(() => undefined);
    // Where items are missing one tab discarded the run while another went on with it.
    if (!found || found.items.length !== found.run.itemCount) return undefined;
    const { run: { keySha256, rater, batch, itemCount: _, ...run } } = found;
    // What an earlier version of the page has stored knows no idle seconds.
    const items = found.items.map(({ evaluation, ...item }) => {
      return { ...item, evaluation: { ...evaluation, idleSeconds: evaluation.idleSeconds ?? 0 } };
    });
    const who = { ...rater !== undefined && { rater }, ...batch !== undefined && { batch } };
    const { configSha256 } = run;
    return { ...run, workbook: { runId, configSha256, keySha256, ...who, items } };
  };
  /** Writes what changed; all items at once where another tab has discarded the rest. */
  const write = async (saved: SavedSession): Promise<void> => {
    const { workbook: { items, keySha256, rater, batch }, ...run } = saved;
    const who = { ...rater !== undefined && { rater }, ...batch !== undefined && { batch } };
    const { runId } = run;
    // The reducer makes a new object of every item that it changes, and of no other.
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

/** A session without its items, which are stored one by one. */
export interface StoredRun extends Omit<RatingWorkbook, "items"> {
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
  write(run: StoredRun, changed: ReadonlyMap<number, WorkbookItem>): Promise<boolean>;
  read(runId: string): Promise<{ run: StoredRun; items: readonly WorkbookItem[] } | undefined>;
  runs(): Promise<readonly string[]>;
  remove(runId: string): Promise<void>;
}

interface Schema extends DBSchema {
  readonly runs: { readonly key: string; readonly value: StoredRun };
  /** Key: the run and the item's place in the workbook. */
  readonly items: { readonly key: [string, number]; readonly value: WorkbookItem };
}

/**
 * The browser's own database as a store of sessions; pages opened from disk share one, so that only
 * the run's UUID keeps runs apart. Rejects where the browser denies it.
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

/** Whether this tab may change a run, or another tab has it open. */
type Claim = "writer" | "reader";

/** Of this browser; where it has no locks or denies them, every tab may write. */
export const claimRun = claimsIn(() => globalThis.navigator?.locks);

/**
 * How a tab of this browser comes by the right to change a run; one that it has already stays its
 * own until it is gone.
 */
export function claimsIn(locks: () => Pick<LockManager, "request"> | undefined) {
  const own = new Set<string>();
  return async (runId: string): Promise<Claim> => {
    if (own.has(runId)) return "writer";
    const claim = await new Promise<Claim>((resolve) => {
      const answer = (lock: Lock | null) => {
        resolve(lock ? "writer" : "reader");
        // A promise that nobody settles: the browser lets go of the lock with the tab.
        return lock ? new Promise(() => {}) : undefined;
      };
      const asked = locks()?.request(`touchstone-rating:${runId}`, { ifAvailable: true }, answer);
      if (asked === undefined) resolve("writer");
      else asked.catch(() => resolve("writer"));
    });
    if (claim === "writer") own.add(runId);
    return claim;
  };
}
