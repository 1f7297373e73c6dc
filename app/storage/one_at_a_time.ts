/**
 * `work` that is never done twice at once: a call while it is under way joins it. A second dialogue
 * over an open one would be refused, and of two writers to one file the slower would win.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => underWay ??= work().finally(() => underWay = undefined);
}
