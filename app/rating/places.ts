import type { Place } from "../keyboard.ts";

/** Where on the rating screen something has the focus. */
export interface Spot {
  readonly place: Place;
  /** Display position, 0 …; undefined outside the rows. */
  readonly position: number | undefined;
}

/** Identifiers of the page's own elements, by display position; they never carry a t#. */
export const rowId = (position: number): string => `row-${position + 1}`;
export const scoreId = (position: number): string => `score-${position + 1}`;
export const NEXT_ID = "next";
export const FINISH_ID = "finish";

/** Where an event fell, as the rows' own attributes say. */
export function spotOf(target: EventTarget | null): Spot {
  if (!(target instanceof Element)) return { place: "elsewhere", position: undefined };
  const place = target.closest<HTMLElement>("[data-place]")?.dataset.place as Place | undefined;
  const position = target.closest<HTMLElement>("[data-position]")?.dataset.position;
  return {
    place: place ?? "elsewhere",
    position: position === undefined ? undefined : Number(position),
  };
}

/** Puts the focus on a row: the next digit is its bucket. */
export function focusRow(position: number): void {
  document.getElementById(rowId(position))?.focus();
}

/** Puts the focus in a row's number box, its content selected, so that typing replaces it. */
export function focusScore(position: number): void {
  const box = scoreBox(position);
  box?.focus();
  box?.select();
}

/** Puts the focus on an element with this identifier. */
export function focusId(id: string): void {
  document.getElementById(id)?.focus();
}

/** Types into the number box at the cursor, as if the browser had done it. */
export function typeInto(position: number, digit: string): void {
  const box = scoreBox(position);
  if (!box) return;
  if (document.activeElement !== box) focusScore(position);
  box.setRangeText(digit, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

function scoreBox(position: number): HTMLInputElement | undefined {
  const element = document.getElementById(scoreId(position));
  return element instanceof HTMLInputElement ? element : undefined;
}
