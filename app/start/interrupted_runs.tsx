import { momentWords } from "../duration.ts";
import type { SavedSession } from "../storage/autosave.ts";
import { confirmedCount } from "./recovery.ts";

/** Runs that this browser keeps a copy of, to go on with or to throw away. */
export function InterruptedRuns({ runs, configSha256, onContinue, onDiscard }: {
  readonly runs: readonly SavedSession[];
  /** Of the page's configuration: another run goes on only with its own. */
  readonly configSha256: string;
  readonly onContinue: (run: SavedSession) => void;
  readonly onDiscard: (run: SavedSession) => void;
}) {
  if (runs.length === 0) return null;
  return (
    <section class="card" aria-labelledby="interrupted-title">
      <h2 id="interrupted-title">Work that this browser has kept</h2>
      <ul class="runs">
        {runs.map((run) => (
          <li key={run.runId}>
            <div>
              <strong>{run.fileName}</strong>
              <span>
                {confirmedCount(run.workbook)} of {run.workbook.items.length} sentences done,{" "}
                {momentWords(run.savedAt)}
              </span>
            </div>
            {run.configSha256 === configSha256
              ? (
                <button
                  type="button"
                  aria-label={`Continue ${run.fileName}`}
                  onClick={() => onContinue(run)}
                >
                  Continue
                </button>
              )
              : <span class="fine">Open its file together with its settings file.</span>}
            <button
              type="button"
              aria-label={`Discard ${run.fileName}`}
              onClick={() => onDiscard(run)}
            >
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
