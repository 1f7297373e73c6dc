import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { configHash } from "../../lib/translation/hashes.ts";
import type { Autosave, SavedSession } from "../storage/autosave.ts";
import { momentWords } from "../words.ts";
import type { Opening } from "./open_workbook.ts";
import { aheadOf, doneWords, isFresh } from "./recovery.ts";

/** Runs that this browser keeps a copy of; one of another configuration goes on only with its own. */
export function InterruptedRuns({ autosave, config, onContinue }: {
  readonly autosave: Autosave;
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
  const action = (run: SavedSession, verb: string, act: (run: SavedSession) => void) => (
    <button
      type="button"
      aria-label={`${verb} ${run.fileName}`}
      onClick={() => act(run)}
    >
      {verb}
    </button>
  );
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
              ? action(run, "Continue", onContinue)
              : <span class="fine">Open its file together with its settings file.</span>}
            {action(run, "Discard", discard)}
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
  const further = aheadOf(saved, opened);
  const [copy, file] = further ? ["primary", ""] : ["", "primary"];
  const ahead = further ? "The browser’s copy is further on." : "The file is further on.";
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title" ref={heading} tabIndex={-1}>
        This browser holds other work on these sentences
      </h2>
      <p>
        Perhaps a tab was closed before its last work was saved to the file.{" "}
        {isFresh(opened.workbook) ? "The file has no ratings yet." : ahead}
      </p>
      <div class="choices">
        <button type="button" class={copy} onClick={onSaved}>
          <strong>Go on with this browser’s copy</strong>
          <span>kept {momentWords(saved.savedAt)}, {doneWords(saved.workbook)}</span>
        </button>
        <button type="button" class={file} onClick={onFile}>
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
