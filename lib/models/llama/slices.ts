/**
 * Cuts `count` items into runs of at most `limit`, none of them of one item unless there is only
 * one. llama.cpp evaluates a single token with other kernels than several, whose sums differ in the
 * last digits; without lone tokens a score does not depend on where the cuts fall.
 *
 * @param limit At least 3.
 * @returns Begin (inclusive) and end (exclusive) of each run.
 */
export function slices(count: number, limit: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let from = 0; from < count;) {
    const rest = count - from;
    const take = rest === limit + 1 ? limit - 1 : Math.min(rest, limit);
    runs.push([from, from + take]);
    from += take;
  }
  return runs;
}
