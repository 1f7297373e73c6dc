import type { RatedItem } from "../../lib/translation/item.ts";
import { shallowMemo } from "../shallow_memo.ts";
import { type ItemState, STATE_WORDS } from "./assessment.ts";

/** A list of all sentences with their state, to go to any of them. */
export const JumpTo = shallowMemo(({ sources, states, current, onJump }: {
  readonly sources: readonly string[];
  /** Joined by spaces: one value, so that the list is drawn again only if a state changed. */
  readonly states: string;
  readonly current: number;
  readonly onJump: (index: number) => void;
}) => {
  const each = states.split(" ") as ItemState[];
  return (
    <label class="jump">
      <span>Go to</span>
      <select
        value={String(current)}
        onChange={(event) => onJump(Number(event.currentTarget.value))}
      >
        {sources.map((source, index) => (
          <option key={index} value={String(index)}>
            {`${index + 1} · ${STATE_WORDS[each[index]!]} · ${source}`}
          </option>
        ))}
      </select>
    </label>
  );
});

/** The first words of every source sentence, as the list shows them. */
export function firstWords(items: readonly RatedItem[]): readonly string[] {
  return items.map(({ input }) => {
    const line = input.source.replace(/\s+/g, " ").trim();
    return line.length > 48 ? `${line.slice(0, 47).toWellFormed()}…` : line;
  });
}
