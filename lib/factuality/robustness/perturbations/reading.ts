import { compareQuantities, type Quantity } from "../../features/quantities/quantity.ts";
import { readQuantities } from "../../features/quantities/read_quantities.ts";
import { changed, type TextChange } from "../variant.ts";

/** How a quantity reads after a change; undefined where the change made something else of it. */
export function readAgain(text: string, change: TextChange, was: Quantity): Quantity | undefined {
  return readQuantities(changed(text, change)).find(({ start, kind }) =>
    start === was.start && kind === was.kind
  );
}

/** Whether a change makes of a quantity one that excludes it. */
export function readsDifferently(text: string, change: TextChange, was: Quantity): boolean {
  const now = readAgain(text, change, was);
  return now !== undefined && compareQuantities(now, was) === "different";
}

/** Whether a quantity reads the same after a change, from either side. */
export function readsTheSame(text: string, change: TextChange, was: Quantity): boolean {
  const now = readAgain(text, change, was);
  return now !== undefined && compareQuantities(now, was) === "same" &&
    compareQuantities(was, now) === "same";
}
