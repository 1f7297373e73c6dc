import type { Evaluation } from "./item.ts";

/**
 * Seconds from the first opening of an item to its confirmation, breaks included; undefined where one
 * of the two is missing or the computer's clock was set back in between.
 */
export function wallClockSeconds(
  { startedAt, committedAt }: Pick<Evaluation, "startedAt" | "committedAt">,
): number | undefined {
  if (startedAt === undefined || committedAt === undefined) return undefined;
  const seconds = (Date.parse(committedAt) - Date.parse(startedAt)) / 1000;
  return seconds >= 0 ? seconds : undefined;
}
