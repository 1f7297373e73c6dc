import { z } from "zod";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";

/** A number, or nothing where it cannot be had. */
export type Figure = number | "";

/** A number of a table's field. */
export const FIGURE = z.union([z.literal(""), z.coerce.number()]);

/** Estimate, low and high to four decimals; empty where they cannot be had. */
export function shownBounds(
  value: BootstrapInterval | Unavailable,
): readonly [Figure, Figure, Figure] {
  if (value.kind === "unavailable") return ["", "", ""];
  // Adding 0 makes 0 of −0, which CSV would tell apart.
  const [estimate, low, high] = [value.estimate, value.low, value.high]
    .map((number) => Number(number.toFixed(4)) + 0) as [number, number, number];
  return [estimate, low, high];
}
