import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { configHash } from "../../lib/translation/hashes.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { momentWords } from "../words.ts";
import type { Opening } from "./open_workbook.ts";
import { aheadOf, doneWords, isFresh } from "./recovery.ts";

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
          <li key={run.runId}>
            <div>
              <strong>{run.fileName}</strong>
              <span>{doneWords(run.workbook)}, {momentWords(run.savedAt)}</span>
            </div>
            {run.configSha256 === ownConfig
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
              onClick={() => discard(run)}
            >
              Discard
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The file and the browser's copy of its run say different things: the rater chooses. */
export function RecoveryOffer({ opened, saved, onFile, onSaved, onCancel }: {
  readonly opened: Extract<Opening, { readonly kind: "opened" }>;
  readonly saved: SavedSession;
  readonly onFile: () => void;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const fresh = isFresh(opened.workbook);
  const further = aheadOf(saved, opened);
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title" ref={heading} tabIndex={-1}>
        This browser holds other work on these sentences
      </h2>
      <p>
        Perhaps a tab was closed before its last work was saved to the file. {fresh
          ? "The file has no ratings yet."
          : further
          ? "The browser’s copy is further on."
          : "The file is further on."}
      </p>
      <div class="choices">
        <button type="button" class={further ? "primary" : ""} onClick={onSaved}>
          <strong>Go on with this browser’s copy</strong>
          <span>
            kept {momentWords(saved.savedAt)}, {doneWords(saved.workbook)}
          </span>
        </button>
        <button type="button" class={further ? "" : "primary"} onClick={onFile}>
          <strong>Go on with the file</strong>
          <span>
            {opened.fileName}, written {momentWords(opened.writtenAt)}, {doneWords(opened.workbook)}
          </span>
        </button>
      </div>
      <p class="fine">
        With the file, the browser’s copy is replaced as soon as the file opens.{" "}
        <button type="button" class="link" onClick={onCancel}>Open neither</button>
      </p>
    </section>
  );
}
