import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Session } from "../lib/translation/session/session.ts";
import { checkpoint } from "../lib/translation/workbook/checkpoint.ts";
import { checkpointName } from "./checkpoint_name.ts";
import { momentWords } from "./duration.ts";
import type { OpenedRun } from "./opened_run.ts";
import { saveCheckpoint, type Saved } from "./storage/save_file.ts";

/** The rater's file: the only copy that counts. */
export interface Saving {
  /** Whether there are changes that no saved file has. */
  readonly behind: boolean;
  /** When and how the last checkpoint was saved, or why it was not. */
  readonly state: string;
  readonly save: () => void;
}

/** Saves checkpoints on request and warns before a tab closes that is ahead of its file. */
export function useSaving(session: Session, run: OpenedRun): Saving {
  const latest = useRef(session);
  latest.current = session;
  const handle = useRef(run.handle);
  const [savedRevision, setSavedRevision] = useState(run.recovered ? -1 : session.revision);
  const [state, setState] = useState("");
  const save = useCallback(async () => {
    const { workbook, config, revision, finished } = latest.current;
    try {
      const bytes = await checkpoint(workbook, config);
      const standing = finished ? "final" : "checkpoint";
      const name = checkpointName(run.fileName, standing, new Date().toISOString());
      const saved = await saveCheckpoint(bytes, name, handle.current);
      handle.current = saved.handle;
      if (saved.saved !== "cancelled") setSavedRevision(revision);
      setState(savedWords(saved, name));
    } catch (error) {
      setState(`Not saved. ${error instanceof Error ? error.message : String(error)}`);
    }
  }, [run]);
  const behind = session.revision !== savedRevision;
  useUnloadWarning(behind && !run.readOnly);
  return { behind, state, save };
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
