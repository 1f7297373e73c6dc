import { momentWords } from "../duration.ts";
import type { SavedSession } from "../storage/autosave.ts";
import type { Opening } from "./open_workbook.ts";
import { confirmedCount, isFresh } from "./recovery.ts";

/** The file and the browser's copy of its run say different things: the rater chooses. */
export function RecoveryOffer({ opened, saved, onFile, onSaved }: {
  readonly opened: Extract<Opening, { readonly kind: "opened" }>;
  readonly saved: SavedSession;
  readonly onFile: () => void;
  readonly onSaved: () => void;
}) {
  const fresh = isFresh(opened.workbook);
  const newer = fresh || saved.savedAt > opened.writtenAt;
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title">This browser holds other work on this run</h2>
      <p>
        Perhaps a tab was closed before its last checkpoint. {fresh
          ? "The file has no ratings yet."
          : newer
          ? "The browser’s copy is the newer one."
          : "The file is the newer one."}
      </p>
      <div class="choices">
        <button type="button" class={newer ? "primary" : ""} onClick={onSaved}>
          <strong>Go on with this browser’s copy</strong>
          <span>
            kept {momentWords(saved.savedAt)}, {progress(saved.workbook)}
          </span>
        </button>
        <button type="button" class={newer ? "" : "primary"} onClick={onFile}>
          <strong>Go on with the file</strong>
          <span>
            {opened.fileName}, written {momentWords(opened.writtenAt)}, {progress(opened.workbook)}
          </span>
        </button>
      </div>
      <p class="fine">With the file, the browser’s copy is replaced at your first change.</p>
    </section>
  );
}

function progress(workbook: SavedSession["workbook"]): string {
  return `${confirmedCount(workbook)} of ${workbook.items.length} sentences done`;
}
