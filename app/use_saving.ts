import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../lib/translation/session/session.ts";
import { checkpoint } from "../lib/translation/workbook/checkpoint.ts";
import { checkpointName } from "./checkpoint_name.ts";
import { momentWords } from "./duration.ts";
import type { OpenedRun } from "./opened_run.ts";
import { oneAtATime } from "./storage/one_at_a_time.ts";
import { saveCheckpoint, type Saved } from "./storage/save_file.ts";

/** What came of one attempt to save; the next one is another object, whatever it says. */
export interface SaveOutcome {
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
    const standing = finished ? "final" : "checkpoint";
    const name = checkpointName(fileName, standing, new Date().toISOString());
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
