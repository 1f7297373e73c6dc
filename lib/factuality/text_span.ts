/** A stretch of a text: UTF-16 offsets, `end` excluded; 0 ≤ start ≤ end ≤ length. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
