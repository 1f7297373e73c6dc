import { useRef, useState } from "preact/hooks";
import type { RatedItem } from "../../lib/translation/item.ts";
import { shallowMemo } from "../shallow_memo.ts";
import { type ItemState, STATE_WORDS } from "./assessment.ts";

/**
 * A list of all sentences with their state, to go to any of them. By mouse the choice is enough; by
 * keys it is Enter or Go that goes, since an arrow key passes sentences that nobody meant to open,
 * and opening one is stored.
 */
export const JumpTo = shallowMemo(({ sources, states, current, onJump }: {
  readonly sources: readonly string[];
  /** Joined by spaces: one value, so that the list is drawn again only if a state changed. */
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
            {[`${place + 1} · ${STATE_WORDS[each[place]!]}`, ...source ? [source] : []].join(" · ")}
          </option>
        ))}
      </select>
      <button type="submit">Go</button>
    </form>
  );
});

/**
 * The first words of every source sentence that was opened, and nothing of the others: a list of all
 * would show beforehand which sentences come twice.
 */
export function firstWords(items: readonly RatedItem[]): readonly string[] {
  return items.map(({ input, evaluation }) => {
    if (evaluation.startedAt === undefined) return "";
    const line = input.source.replace(/\s+/g, " ").trim();
    return line.length > 48 ? `${line.slice(0, 47).toWellFormed()}…` : line;
  });
}
