import type { Session } from "../../lib/translation/session/session.ts";
import { durationWords } from "../duration.ts";
import type { Saving } from "../use_saving.ts";
import type { ItemState } from "./assessment.ts";
import { JumpTo } from "./jump_to.tsx";
import type { Dispatch } from "./use_session.ts";

/** How far the rater is, the ways to other sentences, and the tools. */
export function Toolbar(
  { session, states, sources, dispatch, go, onJump, saving, readOnly, onKeys }: {
    readonly session: Session;
    readonly states: readonly ItemState[];
    readonly sources: readonly string[];
    readonly dispatch: Dispatch;
    /** Like dispatch, and the focus goes along. */
    readonly go: Dispatch;
    /** The same function from one drawing to the next. */
    readonly onJump: (index: number) => void;
    readonly saving: Saving;
    readonly readOnly: boolean;
    readonly onKeys: () => void;
  },
) {
  const { current } = session;
  return (
    <header class="toolbar">
      <Progress session={session} states={states} />
      <nav class="tools" aria-label="Sentences">
        <JumpTo
          sources={sources}
          states={states.join(" ")}
          current={current}
          onJump={onJump}
        />
        <button
          type="button"
          title="To the first sentence that is not done"
          onClick={() => go({ kind: "first-incomplete" })}
        >
          First incomplete
        </button>
        <button
          type="button"
          title="To the next sentence that needs correcting"
          onClick={() => go({ kind: "next-invalid" })}
        >
          Next invalid
        </button>
      </nav>
      <div class="tools" role="group" aria-label="Tools" onMouseDown={keepFocus}>
        <label class="toggle">
          <input
            type="checkbox"
            checked={session.highlighting}
            onChange={(event) => dispatch({ kind: "highlight", on: event.currentTarget.checked })}
          />
          Show differences
        </label>
        {!readOnly && <History session={session} go={go} />}
        <button type="button" onClick={onKeys}>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
        {!readOnly && (
          <button type="button" onClick={saving.save} title={saveTitle(saving)}>
            Save checkpoint
            {saving.behind && (
              <>
                <span aria-hidden="true" class="behind">•</span>
                <span class="unseen">, unsaved changes</span>
              </>
            )}
          </button>
        )}
      </div>
    </header>
  );
}

function saveTitle({ outcome }: Saving): string {
  return `Save all your work so far as an Excel file. ${outcome?.words ?? ""}`.trim();
}

/** A click on a tool leaves the focus in the row, so that the next digit falls there. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

function Progress({ session, states }: {
  readonly session: Session;
  readonly states: readonly ItemState[];
}) {
  const { current, workbook: { items } } = session;
  const done = states.filter((state) => state === "done").length;
  const { activeSeconds } = items[current]!.evaluation;
  return (
    <div class="progress">
      <h1>Sentence {current + 1} of {items.length}</h1>
      <progress max={items.length} value={done} aria-label="Sentences done" />
      <span>{done} of {items.length} done</span>
      <span title="Your time on this sentence, without breaks">
        {durationWords(activeSeconds)} here
      </span>
    </div>
  );
}

/** A button that has nothing to do stays reachable, so that the focus is not lost with it. */
function History(
  { session, go }: { readonly session: Session; readonly go: Dispatch },
) {
  return (
    <>
      <button
        type="button"
        aria-disabled={session.past.length === 0}
        onClick={() => go({ kind: "undo" })}
      >
        Undo
      </button>
      <button
        type="button"
        aria-disabled={session.future.length === 0}
        onClick={() => go({ kind: "redo" })}
      >
        Redo
      </button>
    </>
  );
}
