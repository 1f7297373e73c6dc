import { useEffect, useMemo, useState } from "preact/hooks";
import { configHash } from "../../lib/translation/hashes.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";
import { momentWords } from "../duration.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { doneWords } from "./recovery.ts";

/** Runs that this browser keeps a copy of, to go on with or to throw away. */
export function InterruptedRuns({ autosave, config, onContinue }: {
  readonly autosave: Autosave;
  /** The page's configuration: a run of another one goes on only with its own. */
  readonly config: RunConfig;
  readonly onContinue: (run: SavedSession) => void;
}) {
  const [runs, setRuns] = useState<readonly SavedSession[]>([]);
  const ownConfig = useMemo(() => configHash(config), [config]);
  const list = async () => setRuns(await autosave.list());
  const discard = async ({ runId, fileName }: SavedSession) => {
    if (!confirm(`Throw away this browser’s copy of ${fileName}? Files are not touched.`)) return;
    await autosave.discard(runId);
    await list();
  };
  useEffect(() => void list(), [autosave]);
  if (runs.length === 0) return null;
  return (
    <section class="card" aria-labelledby="interrupted-title">
      <h2 id="interrupted-title">Work that this browser has kept</h2>
      <ul class="runs">
        {runs.map((run) => (
          <KeptRun
            key={run.runId}
            run={run}
            continuable={run.configSha256 === ownConfig}
            onContinue={() => onContinue(run)}
            onDiscard={() => discard(run)}
          />
        ))}
      </ul>
    </section>
  );
}

function KeptRun({ run, continuable, onContinue, onDiscard }: {
  readonly run: SavedSession;
  readonly continuable: boolean;
  readonly onContinue: () => void;
  readonly onDiscard: () => void;
}) {
  const { fileName, workbook, savedAt } = run;
  return (
    <li>
      <div>
        <strong>{fileName}</strong>
        <span>{doneWords(workbook)}, {momentWords(savedAt)}</span>
      </div>
      {continuable
        ? (
          <button type="button" aria-label={`Continue ${fileName}`} onClick={onContinue}>
            Continue
          </button>
        )
        : <span class="fine">Open its file together with its settings file.</span>}
      <button type="button" aria-label={`Discard ${fileName}`} onClick={onDiscard}>
        Discard
      </button>
    </li>
  );
}
