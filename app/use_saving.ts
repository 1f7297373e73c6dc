import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../lib/translation/session/session.ts";
import { checkpoint } from "../lib/translation/workbook/write_workbook.ts";
import type { OpenedRun } from "./start/open_workbook.ts";
import { saveCheckpoint, type Saved } from "./storage/save_file.ts";
import { momentWords } from "./words.ts";

/** What came of one attempt to save; the next one is another object, whatever it says. */
interface SaveOutcome {
  readonly saved: boolean;
  /** When and how the checkpoint was saved, or why it was not. */
  readonly words: string;
}

/** The rater's file: the only copy that counts. */
export interface Saving {
  /** Whether there are changes that no saved file has. */
  readonly behind: boolean;
  /** Undefined until the rater has tried to save. */
  readonly outcome: SaveOutcome | undefined;
  readonly save: () => void;
}

/** Saves checkpoints on request and warns before a tab closes that is ahead of its file. */
export function useSaving(session: Session, run: OpenedRun): Saving {
  const latest = useRef(session);
  latest.current = session;
  const handle = useRef(run.handle);
  const [savedRevision, setSavedRevision] = useState(run.recovered ? -1 : session.revision);
  const [outcome, setOutcome] = useState<SaveOutcome>();
  const save = useMemo(() =>
    oneAtATime(async () => {
      const { revision } = latest.current;
      const tried = await trySaving(latest.current, run.fileName, handle.current);
      handle.current = tried.handle;
      if (tried.outcome.saved) setSavedRevision(revision);
      setOutcome(tried.outcome);
    }), [run]);
  const behind = session.revision !== savedRevision;
  useUnloadWarning(behind && !run.readOnly);
  return { behind, outcome, save };
}

async function trySaving(
  { workbook, config, finished }: Session,
  fileName: string,
  handle: FileSystemFileHandle | undefined,
): Promise<{ readonly outcome: SaveOutcome; readonly handle: FileSystemFileHandle | undefined }> {
  try {
    const bytes = await checkpoint(workbook, config);
    const kind = finished ? "final" : "checkpoint";
    const name = checkpointName(fileName, kind, new Date().toISOString());
    const saved = await saveCheckpoint(bytes, name, handle);
    const outcome = { saved: saved.saved !== "cancelled", words: savedWords(saved, name) };
    return { outcome, handle: saved.handle };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: { saved: false, words: `Not saved. ${reason}` }, handle };
  }
}

function savedWords({ saved, handle }: Saved, name: string): string {
  const at = momentWords(new Date().toISOString());
  switch (saved) {
    case "cancelled":
      return "Not saved: the window that asks where was closed.";
    case "in-place":
      return `Saved to ${handle?.name ?? name}, ${at}.`;
    case "download":
      return `Downloaded as ${name}, ${at}.`;
  }
}

function useUnloadWarning(needed: boolean): void {
  useEffect(() => {
    if (!needed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [needed]);
}

/**
 * What a checkpoint is called where the rater does not say: the opened file's name with the time,
 * so that checkpoints stand in order and none takes another's place, and a word that tells the file
 * to hand in from all others. `stamp` is ISO 8601.
 */
export function checkpointName(
  fileName: string,
  kind: "checkpoint" | "final",
  stamp: string,
): string {
  const base = fileName.replace(/\.xlsx$/i, "").replace(/-(?:checkpoint|final)-\d{8}-\d{6}$/, "");
  const [date, time] = stamp.slice(0, 19).split("T");
  return `${base}-${kind}-${date!.replaceAll("-", "")}-${time!.replaceAll(":", "")}.xlsx`;
}

/**
 * `work` that is never done twice at once: a call while it is under way joins it. A second dialogue
 * over an open one would be refused, and of two writers to one file the slower would win.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => underWay ??= work().finally(() => underWay = undefined);
}
