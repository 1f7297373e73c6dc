import { useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import type { RatedItem } from "../../lib/translation/types.ts";
import type { Saving } from "../use_saving.ts";
import { durationWords } from "../words.ts";
import { type ItemState, STATE_WORDS } from "./rows.ts";
import { shallowMemo } from "./use_page.ts";
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
  const { current, workbook: { items }, highlighting, past, future } = session;
  const done = states.filter((state) => state === "done").length;
  const saveTitle = `Save all your work so far as an Excel file. ${saving.outcome?.words ?? ""}`;
  return (
    <header class="toolbar">
      <div class="progress">
        <h1>Sentence {current + 1} of {items.length}</h1>
        <progress max={items.length} value={done} aria-label="Sentences done" />
        <span>{done} of {items.length} done</span>
        <span title="Your time on this sentence, without breaks">
          {durationWords(items[current]!.evaluation.activeSeconds)} here
        </span>
      </div>
      <nav class="tools" aria-label="Sentences">
        <JumpTo states={states.join(" ")} {...{ sources, current, onJump }} />
        <Go deed="first-incomplete" title="To the first sentence that is not done" go={go}>
          First incomplete
        </Go>
        <Go deed="next-invalid" title="To the next sentence that needs correcting" go={go}>
          Next invalid
        </Go>
      </nav>
      {/* A click on a tool leaves the focus in the row, so that the next digit falls there. */}
      <div
        class="tools"
        role="group"
        aria-label="Tools"
        onMouseDown={(event) => event.preventDefault()}
      >
        <label class="toggle">
          <input
            type="checkbox"
            checked={highlighting}
            onChange={(event) => dispatch({ kind: "highlight", on: event.currentTarget.checked })}
          />
          Show differences
        </label>
        {!readOnly && <Go deed="undo" idle={past.length === 0} go={go}>Undo</Go>}
        {!readOnly && <Go deed="redo" idle={future.length === 0} go={go}>Redo</Go>}
        <button type="button" onClick={onKeys}>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
        {!readOnly && (
          <button type="button" onClick={saving.save} title={saveTitle.trim()}>
            Save checkpoint
            {saving.behind && <span aria-hidden="true" class="behind">•</span>}
            {saving.behind && <span class="unseen">, unsaved changes</span>}
          </button>
        )}
      </div>
    </header>
  );
}

/** A button that has nothing to do stays reachable, so that the focus is not lost with it. */
function Go({ deed, title, idle, go, children }: {
  readonly deed: "first-incomplete" | "next-invalid" | "undo" | "redo";
  readonly title?: string;
  readonly idle?: boolean;
  readonly go: Dispatch;
  readonly children: string;
}) {
  return (
    <button
      type="button"
      title={title}
      aria-disabled={idle}
      onClick={() => go({ kind: deed })}
    >
      {children}
    </button>
  );
}

/**
 * All sentences with their state. By keys it is Enter or Go that goes: an arrow key passes
 * sentences that nobody meant to open, and opening one is stored.
 */
const JumpTo = shallowMemo(({ sources, states, current, onJump }: {
  readonly sources: readonly string[];
  readonly states: string;
  readonly current: number;
  readonly onJump: (index: number) => void;
}) => {
  const [chosen, choose] = useState({ index: current, at: current });
  const byKeys = useRef(false);
  const index = chosen.at === current ? chosen.index : current;
  const each = states.split(" ") as ItemState[];
  return (
    <form
      class="jump"
      onSubmit={(event) => {
        event.preventDefault();
        onJump(index);
      }}
    >
      <label for="jump-to">Go to</label>
      <select
        id="jump-to"
        value={String(index)}
        onPointerDown={() => byKeys.current = false}
        onKeyDown={(event) => {
          byKeys.current = true;
          if (event.key === "Enter") event.currentTarget.form?.requestSubmit();
        }}
        onChange={(event) => {
          const to = Number(event.currentTarget.value);
          choose({ index: to, at: current });
          if (!byKeys.current) onJump(to);
        }}
      >
        {sources.map((source, place) => (
          <option key={place} value={String(place)}>
            {`${place + 1} · ${STATE_WORDS[each[place]!]}${source && ` · ${source}`}`}
          </option>
        ))}
      </select>
      <button type="submit">Go</button>
    </form>
  );
});

/** First words of opened sentences only: all would show beforehand which sentences come twice. */
export function firstWords(items: readonly RatedItem[]): readonly string[] {
  return items.map(({ input, evaluation }) => {
    if (evaluation.startedAt === undefined) return "";
    const line = input.source.replace(/\s+/g, " ").trim();
    return line.length > 48 ? `${line.slice(0, 47).toWellFormed()}…` : line;
  });
}
