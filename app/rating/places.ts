import type { Place } from "../keyboard.ts";

/** Where something has the focus; the display position (0 …) is undefined outside the rows. */
interface Spot {
  readonly place: Place;
  readonly position: number | undefined;
}

/** Identifiers of the page's own elements, by display position; they never carry a t#. */
export const rowId = (position: number): string => `row-${position + 1}`;
export const scoreId = (position: number): string => `score-${position + 1}`;
export const SOURCE_ID = "source";
export const NEXT_ID = "next";
export const FINISH_ID = "finish";

/** Where an event fell, as the rows' own attributes say. */
export function spotOf(target: EventTarget | null): Spot {
  const element = target instanceof Element ? target : undefined;
  const place = element?.closest<HTMLElement>("[data-place]")?.dataset.place as Place | undefined;
  const position = element?.closest<HTMLElement>("[data-position]")?.dataset.position;
  return { place: place ?? "elsewhere", position: position ? Number(position) : undefined };
}

/** Puts the focus on a row: the next digit is its bucket. */
export function focusRow(position: number): void {
  focusInRow(document.getElementById(rowId(position)), position);
}

/** Puts the focus in a row's number box, its content selected, so that typing replaces it. */
export function focusScore(position: number): void {
  const box = scoreBox(position);
  focusInRow(box, position);
  box?.select();
}

/** Puts the focus on an element outside the rows; bars that stand over the page are in view. */
export function focusOutside(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  if (top < 0 || bottom > innerHeight) element?.scrollIntoView({ block: "nearest" });
}

/** Puts the focus on an element with this identifier, outside the rows. */
export function focusId(id: string): void {
  focusOutside(document.getElementById(id));
}

/** Types into the number box at the cursor, as if the browser had done it. */
export function typeInto(position: number, digit: string): void {
  const box = scoreBox(position);
  if (!box) return;
  if (document.activeElement !== box) focusScore(position);
  box.setRangeText(digit, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Browsers bring into view what they focus, but the whole row is wanted, and no more scrolling. */
function focusInRow(element: HTMLElement | null, position: number): void {
  element?.focus({ preventScroll: true });
  document.getElementById(rowId(position))?.scrollIntoView({ block: "nearest" });
}

function scoreBox(position: number): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`input#${scoreId(position)}`);
}
