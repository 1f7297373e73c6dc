import type { RatedItem, RatingWorkbook } from "../../lib/translation/types.ts";
import { openSessionDatabase, type SessionStore, type StoredRun } from "./session_database.ts";

/** A rating session as it stood after a change: what is offered after a crash. */
export interface SavedSession extends Omit<StoredRun, "keySha256" | "itemCount"> {
  readonly workbook: RatingWorkbook;
}

/** Keeps the session of every run in the browser, so that a killed tab loses nothing. */
export interface Autosave {
  /** At once and in order; only what changed since the last call is written. Never throws. */
  save(saved: SavedSession): void;
  find(runId: string): Promise<SavedSession | undefined>;
  /** All interrupted runs, the latest first. */
  list(): Promise<readonly SavedSession[]>;
  discard(runId: string): Promise<void>;
  /** When everything that was saved until now is in the store, or has failed. */
  settled(): Promise<void>;
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
  save: () => {},
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  discard: () => Promise.resolve(),
  settled: () => Promise.resolve(),
};

function autosaveIn(store: SessionStore, onError: (reason: string) => void): Autosave {
  // By run, the items that the store has or was sent.
  const sent = new Map<string, readonly RatedItem[]>();
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
    const { run: { keySha256, itemCount: _, ...run }, items } = found;
    return { ...run, workbook: { runId, configSha256: run.configSha256, keySha256, items } };
  };
  /** Writes what changed; all items at once where another tab has discarded the rest. */
  const write = async (saved: SavedSession): Promise<void> => {
    const { workbook: { items, keySha256 }, ...run } = saved;
    const { runId } = run;
    // The reducer makes a new object of every item that it changes, and of no other.
    const before = sent.get(runId) ?? [];
    const changed = new Map([...items.entries()].filter(([at, item]) => item !== before[at]));
    sent.set(runId, items);
    if (await store.write({ ...run, keySha256, itemCount: items.length }, changed)) return;
    sent.delete(runId);
    if (changed.size < items.length) await write(latest.get(runId) ?? saved);
  };
  return {
    save(saved) {
      latest.set(saved.runId, saved);
      const written = write(saved).catch((error) => failed(saved.runId, error));
      last = Promise.all([last, written]).then(() => {});
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
    settled: () => last,
  };
}

const reasonOf = (error: unknown) => error instanceof Error ? error.message : "";
