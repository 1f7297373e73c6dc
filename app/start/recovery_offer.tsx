import { useEffect, useRef } from "preact/hooks";
import { momentWords } from "../duration.ts";
import type { SavedSession } from "../storage/autosave.ts";
import type { Opening } from "./open_workbook.ts";
import { aheadOf, doneWords, isFresh } from "./recovery.ts";

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
