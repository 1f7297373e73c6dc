/** A stretch of a text: UTF-16 offsets, `end` excluded; 0 ≤ start ≤ end ≤ length. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Whether two stretches have a character in common. */
export function overlaps(one: TextSpan, other: TextSpan): boolean {
  return one.start < other.end && other.start < one.end;
}
