/** A line that is passed over. */
export interface RefusedLine {
  /** From 1; of a CSV record the last. */
  readonly line: number;
  readonly reason: string;
}
