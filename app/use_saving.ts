import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../lib/translation/session/session.ts";
import { textsOf } from "../lib/translation/texts.ts";
import { checkpoint } from "../lib/translation/workbook/write_workbook.ts";
import type { OpenedRun } from "./start/open_workbook.ts";
import { saveCheckpoint } from "./storage/save_file.ts";
import { momentWords } from "./words.ts";

/** The rater's file: the only copy that counts. */
export interface Saving {
  /** Whether there are changes that no saved file has. */
  readonly behind: boolean;
  /** When and how the last attempt was saved, or why not; the next is another object. */
  readonly outcome: { readonly saved: boolean; readonly words: string } | undefined;
  readonly save: () => void;
}

/** Saves checkpoints on request and warns before a tab closes that is ahead of its file. */
export function useSaving(session: Session, run: OpenedRun): Saving {
  const latest = useRef(session);
  latest.current = session;
  const handle = useRef(run.handle);
  const [savedRevision, setSavedRevision] = useState(run.recovered ? -1 : session.revision);
  const [outcome, setOutcome] = useState<Saving["outcome"]>();
  const save = useMemo(() =>
    oneAtATime(async () => {
      const { workbook, config, finished, revision } = latest.current;
      const texts = textsOf(config);
      try {
        const bytes = await checkpoint(workbook, config);
        const kind = finished ? "final" : "checkpoint";
        const name = checkpointName(run.fileName, kind, new Date().toISOString());
        const found = await saveCheckpoint(bytes, name, handle.current);
        handle.current = found.handle;
        const saved = found.saved !== "cancelled";
        if (saved) setSavedRevision(revision);
        const at = momentWords(new Date().toISOString(), texts);
        const words = {
          "cancelled": texts("notSavedClosed"),
          "in-place": texts("savedTo", { name: found.handle?.name ?? name, at }),
          "download": texts("downloadedAs", { name, at }),
        };
        setOutcome({ saved, words: words[found.saved] });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        setOutcome({ saved: false, words: texts("notSaved", { reason }) });
      }
    }), [run]);
  const behind = session.revision !== savedRevision;
  const warns = behind && !run.readOnly;
  useEffect(() => {
    if (!warns) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [warns]);
  return { behind, outcome, save };
}

/**
 * What a checkpoint is called: the opened file's name, a word for the file to hand in, and the
 * time.
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

/** `work` never done twice at once: of two writers to one file the slower would win. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => underWay ??= work().finally(() => underWay = undefined);
}
