import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { RunConfig } from "../lib/translation/configuration.ts";
import { openSession, type Session } from "../lib/translation/session/session.ts";
import { RatingScreen } from "./rating/rating_screen.tsx";
import { clockNow, useSession } from "./rating/use_session.ts";
import type { OpenedRun } from "./start/open_workbook.ts";
import { type ChosenRun, StartScreen } from "./start/start_screen.tsx";
import type { Autosave } from "./storage/autosave.ts";
import { RUN_CLAIMS } from "./storage/tab_lock.ts";
import { SummaryScreen } from "./summary/summary_screen.tsx";
import { useSaving } from "./use_saving.ts";

/** The page: a file is chosen, rated, and summed up. */
export function App({ config, demo, autosave, warning }: {
  readonly config: RunConfig;
  readonly demo: File | undefined;
  readonly autosave: Autosave;
  /** What the rater must know of this browser; empty for nothing. */
  readonly warning: string;
}) {
  const [run, setRun] = useState<OpenedRun>();
  const open = async (chosen: ChosenRun) => setRun(await claimed(chosen, autosave));
  return (
    <>
      {warning && <p class="banner" role="alert">{warning}</p>}
      {run
        ? (
          <Run
            key={`${run.workbook.runId} ${run.readOnly}`}
            {...{ run, autosave }}
            onTakeOver={async () => setRun(await takenOver(run, autosave))}
            onClose={() => setRun(undefined)}
          />
        )
        : <StartScreen {...{ config, demo, autosave }} onOpen={open} />}
    </>
  );
}

/**
 * A run that is claimed. The browser's copy is read once more, now that nobody else changes it:
 * another tab may have gone on since this one listed it, and its work would be written over.
 */
async function claimed(chosen: ChosenRun, autosave: Autosave): Promise<OpenedRun> {
  const { runId } = chosen.workbook;
  const readOnly = await RUN_CLAIMS.claim(runId) === "reader";
  const saved = chosen.recovered ? await autosave.find(runId) : undefined;
  return { ...chosen, workbook: saved?.workbook ?? chosen.workbook, readOnly };
}

/**
 * A run as the tab that had it left it in the browser; undefined where the browser kept nothing, so
 * that the file has to be opened again.
 */
async function takenOver(run: OpenedRun, autosave: Autosave): Promise<OpenedRun | undefined> {
  const saved = await autosave.find(run.workbook.runId);
  return saved && { ...run, workbook: saved.workbook, recovered: true, readOnly: false };
}

/** Whether the tab that had the run is gone, so that this one may have it. */
function useIsFree({ readOnly, workbook: { runId } }: OpenedRun): boolean {
  const [free, setFree] = useState(false);
  useEffect(() => {
    if (readOnly) RUN_CLAIMS.whenFree(runId).then(() => setFree(true));
  }, [readOnly, runId]);
  return free;
}

function Run({ run, autosave, onTakeOver, onClose }: {
  readonly run: OpenedRun;
  readonly autosave: Autosave;
  readonly onTakeOver: () => void;
  readonly onClose: () => void;
}) {
  const opened = useMemo(() => openSession(run.workbook, run.config, clockNow()), [run]);
  const [session, dispatch] = useSession(opened, run.readOnly);
  const saving = useSaving(session, run);
  const takeOver = useIsFree(run) ? onTakeOver : undefined;
  useAutosave(session, run, autosave);
  useEffect(() => {
    document.title = session.finished
      ? "All sentences rated"
      : `Sentence ${session.current + 1} of ${session.workbook.items.length}`;
  }, [session.current, session.finished]);
  return session.finished
    ? <SummaryScreen {...{ session, dispatch, saving, onClose }} />
    : <RatingScreen {...{ session, dispatch, saving, takeOver }} readOnly={run.readOnly} />;
}

/** Hands every change to the browser before it is painted: a crash a moment later cannot lose it. */
function useAutosave(session: Session, run: OpenedRun, autosave: Autosave): void {
  const { workbook, current } = session;
  useLayoutEffect(() => {
    if (run.readOnly) return;
    const { runId, configSha256 } = workbook;
    const savedAt = new Date().toISOString();
    autosave.save({ runId, configSha256, savedAt, fileName: run.fileName, workbook, current });
  }, [workbook, current]);
}
