/** What engines, libraries and V8 say when memory does not suffice. */
const WORDS = [
  /\bout of memory\b/i,
  /array buffer allocation failed/i,
  /invalid (?:array|typed array|string) length/i,
  /cannot allocate|failed to allocate|bad_alloc|ENOMEM/i,
  /failed to (?:create|initialize) (?:the )?context/i,
  /insufficient memory/i,
];

/**
 * Whether an error says that memory does not suffice, be it V8, a native library or llama.cpp that
 * ran out of it. Its causes are looked at, too.
 */
export function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (WORDS.some((pattern) => pattern.test(error.message))) return true;
  return error.cause !== error && isMemoryError(error.cause);
}

/** How {@link inSmallerParts} works. */
export interface PartsOptions {
  /** Items given at once at first, ≥ 1. */
  readonly size: number;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => void | Promise<void>;
  /** Told before each further attempt. */
  readonly onRetry: (error: unknown, size: number) => void;
}

/**
 * Does `work` on parts of so many items. Where memory does not suffice caches are cleared, the size
 * is halved for the rest of the items, and the part is tried again; what fails with one item at a
 * time is thrown, as is any other error at once.
 * @throws {RangeError} unless the size is a whole number from 1 on.
 */
export async function inSmallerParts<Item, Result>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<readonly Result[]>,
  { size, clearCaches, onRetry }: PartsOptions,
): Promise<Result[]> {
  if (!Number.isInteger(size) || size < 1) {
    throw new RangeError(`Cannot work on ${size} items at once: it is no whole number from 1 on.`);
  }
  const results: Result[] = [];
  let atOnce = Math.min(size, Math.max(items.length, 1));
  while (results.length < items.length) {
    const part = items.slice(results.length, results.length + atOnce);
    try {
      const found = await work(part);
      if (found.length !== part.length) {
        throw new Error(`Cannot use the answers: ${found.length} came for ${part.length} items.`);
      }
      results.push(...found);
    } catch (error) {
      if (!isMemoryError(error) || atOnce === 1) throw error;
      await clearCaches();
      atOnce = Math.ceil(atOnce / 2);
      onRetry(error, atOnce);
    }
  }
  return results;
}
