/** How much shares one evaluation. */
export interface BatchLimits {
  readonly tokens: number;
  readonly sequences: number;
}

/**
 * Cuts rows into runs that are each one evaluation, in order; a run is as long as the limits let it,
 * and a row over the limit of tokens is a run by itself.
 *
 * @param lengths Tokens of each row.
 * @returns Begin (inclusive) and end (exclusive) of each run.
 */
export function batches(
  lengths: readonly number[],
  { tokens, sequences }: BatchLimits,
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let begin = 0;
  let sum = 0;
  lengths.forEach((length, index) => {
    if (index > begin && (sum + length > tokens || index - begin === sequences)) {
      runs.push([begin, index]);
      begin = index;
      sum = 0;
    }
    sum += length;
  });
  if (begin < lengths.length) runs.push([begin, lengths.length]);
  return runs;
}
