import type { TextSpan } from "../text_span.ts";

/** Whether two stretches have a character in common. */
export function overlaps(one: TextSpan, other: TextSpan): boolean {
  return one.start < other.end && other.start < one.end;
}
