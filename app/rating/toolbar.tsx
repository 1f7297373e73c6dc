import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { practiceItem, type RunConfig } from "../../lib/translation/configuration.ts";
import { isolateText, type Texts } from "../../lib/translation/page_texts.ts";
import type { WorkbookItem } from "../../lib/translation/types.ts";
import { directionOf, durationWords } from "../formatting.ts";
import { type Desk, type Dispatch, shallowMemo, VIEWS } from "./desk.ts";
import type { ItemState } from "./rows.ts";

/** Progress, navigation to other sentences, and tools. */
export function Toolbar({ desk, sources }: {
  readonly desk: Desk;
  readonly sources: readonly string[];
}) {
  const { session, texts, states, views, toggle, go, onJump, saving, readOnly, showKeys } = desk;
  const { config, current, workbook: { items }, past, future } = session;
  const n = items.length;
  const done = states.filter((state) => state === "done").length;
  const { input, evaluation } = items[current]!;
  return (
    <header class="toolbar">
      <div class="progress">
        <h1>{texts("sentenceOf", { number: current + 1, n })}</h1>
        <progress max={n} value={done} aria-label={texts("sentencesDone")} />
        <span>{texts("done", { done, n })}</span>
        <span title={texts("timeTitle")}>
          {texts("here", { time: durationWords(evaluation.activeSeconds) })}
        </span>
        <DocumentPlace {...desk} />
        {practiceItem(config, input) && <strong>{texts("practice")}</strong>}
      </div>
      <nav class="tools" aria-label={texts("sentences")}>
        <JumpTo states={states.join(" ")} {...{ sources, current, onJump, texts }} />
        <Go kind="first-incomplete" title={texts("firstIncompleteTitle")} go={go}>
          {texts("firstIncomplete")}
        </Go>
        <Go kind="next-invalid" title={texts("nextInvalidTitle")} go={go}>
          {texts("nextInvalid")}
        </Go>
      </nav>
      {/* A click on a tool leaves the focus in the row, so that the next digit falls there. */}
      <div
        class="tools"
        role="group"
        aria-label={texts("tools")}
        onMouseDown={(event) => event.preventDefault()}
      >
        {VIEWS.map((view) => (
          <label key={view} class="toggle" title={texts(`${view}Title`)}>
            <input type="checkbox" checked={views[view]} onChange={toggle[view]} />
            {texts(view)}
          </label>
        ))}
        {!readOnly && <Go kind="undo" idle={past.length === 0} go={go}>{texts("undo")}</Go>}
        {!readOnly && <Go kind="redo" idle={future.length === 0} go={go}>{texts("redo")}</Go>}
        <button type="button" onClick={showKeys}>
          {texts("keys")} <kbd aria-hidden="true">?</kbd>
        </button>
        {!readOnly && (
          <button
            type="button"
            onClick={saving.save}
            title={texts("saveTitle", { outcome: saving.outcome?.words ?? "" }).trim()}
          >
            {texts("saveCheckpoint")}
            {saving.behind && <span aria-hidden="true" class="behind">•</span>}
            {saving.behind && <span class="unseen">{texts("unsavedChanges")}</span>}
          </button>
        )}
      </div>
    </header>
  );
}

/** The sentence's place in its document; documents have numbers, no names. */
function DocumentPlace({ session: { current, workbook: { items } }, texts }: Desk) {
  const { document, context } = items[current]!.input;
  if (document === undefined) return null;
  const indices = [...items.keys()].filter((index) => items[index]!.input.document === document);
  const place = { number: indices.indexOf(current) + 1, n: indices.length };
  // The place in the document reveals nothing about the rest of the file.
  const values = { document, ...context ? { number: context.place, n: context.of } : place };
  return <span class="document">{texts("documentAt", values)}</span>;
}

/** A button that keeps the focus even when it has no effect. */
function Go({ kind, title, idle, go, children }: {
  readonly kind: "first-incomplete" | "next-invalid" | "undo" | "redo";
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
      onClick={() => go({ kind })}
    >
      {children}
    </button>
  );
}

/**
 * List of all sentences with their state.
 * By keyboard, Enter or Go opens a sentence. Arrow keys only move through the list, because opening
 * a sentence is recorded.
 */
const JumpTo = shallowMemo(({ sources, states, current, onJump, texts }: {
  readonly sources: readonly string[];
  readonly states: string;
  readonly current: number;
  readonly onJump: (index: number) => void;
  readonly texts: Texts;
}) => {
  const [index, choose] = useState(current);
  const byKeys = useRef(false);
  // The list follows the sentence on screen.
  useLayoutEffect(() => choose(current), [current]);
  const each = states.split(" ") as ItemState[];
  return (
    <form
      class="jump"
      onSubmit={(event) => {
        event.preventDefault();
        onJump(index);
      }}
    >
      <label for="jump-to">{texts("goTo")}</label>
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
          choose(to);
          if (!byKeys.current) onJump(to);
        }}
      >
        {sources.map((source, place) => (
          <option key={place} value={String(place)}>
            {`${place + 1} · ${texts(`state.${each[place]!}`)}${source && ` · ${source}`}`}
          </option>
        ))}
      </select>
      <button type="submit">{texts("go")}</button>
    </form>
  );
});

/**
 * Returns the first words of opened sentences only.
 * Those of all sentences would reveal which ones are repeated.
 */
export function firstWords(
  items: readonly WorkbookItem[],
  { sourceLanguage }: RunConfig,
): readonly string[] {
  return items.map(({ input, evaluation }) => {
    if (evaluation.startedAt === undefined) return "";
    const line = input.source.replace(/\s+/g, " ").trim();
    const words = line.length > 48 ? `${line.slice(0, 47).toWellFormed()}…` : line;
    return isolateText(words, directionOf(sourceLanguage));
  });
}
