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
export interface PartsOptions<Item, Result> {
  /** Items given at once at first, ≥ 1. */
  readonly size: number;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => void | Promise<void>;
  /** Told before each further attempt. */
  readonly onRetry: (size: number) => void;
  /** What stands for the results of a part that failed for good; may throw instead. */
  readonly giveUp: (part: readonly Item[], error: unknown) => readonly Result[];
}

/**
 * Does `work` on parts of so many items, one result an item. Where memory does not suffice caches
 * are cleared, the size is halved for all that is left, and the part is tried again, down to one
 * item at a time; a part that fails otherwise is given up, and the others are done all the same.
 * @throws {RangeError} unless the size is a whole number from 1 on.
 */
export async function inSmallerParts<Item, Result>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<readonly Result[]>,
  { size, clearCaches, onRetry, giveUp }: PartsOptions<Item, Result>,
): Promise<Result[]> {
  if (!Number.isInteger(size) || size < 1) {
    throw new RangeError(`Cannot work on ${size} items at once: it is no whole number from 1 on.`);
  }
  const results: Result[] = [];
  let atOnce = size;
  while (results.length < items.length) {
    const part = items.slice(results.length, results.length + atOnce);
    try {
      results.push(...asMany(part, await work(part)));
    } catch (error) {
      if (isMemoryError(error) && part.length > 1) {
        await clearCaches();
        atOnce = Math.ceil(part.length / 2);
        onRetry(atOnce);
      } else {
        results.push(...giveUp(part, error));
      }
    }
  }
  return results;
}

function asMany<Result>(part: readonly unknown[], found: readonly Result[]): readonly Result[] {
  if (found.length === part.length) return found;
  throw new Error(`${found.length} answers came for ${part.length} items`);
}
