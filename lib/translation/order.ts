import { sha256 } from "@noble/hashes/sha2.js";

/**
 * The order in which a rater sees the N translations of an item: at position p stands translation
 * order[p] (both 0 … N−1). Fisher–Yates (Durstenfeld 1964), its numbers drawn from SHA-256 in
 * counter mode over the run's and the item's identifier, so that page, notebook and reviewer get
 * the same order from the workbook alone.
 *
 * Throws RangeError unless n is a whole number from 1 to 1,000.
 */
export function displayOrder(runId: string, itemId: number, n: number): number[] {
  if (!Number.isInteger(n) || n < 1 || n > 1000) {
    throw new RangeError(`Cannot order ${n} translations: it takes a whole number in 1 … 1,000.`);
  }
  const next = wordsFrom(`${runId}:${itemId}`);
  const order = Array.from({ length: n }, (_, index) => index);
  for (let last = n - 1; last > 0; last--) {
    const other = below(last + 1, next);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** The map as stored in `display_map_json`: `{"1":"t7","2":"t3",…}`, positions and t# from 1. */
export function displayMapJson(displayMap: readonly number[]): string {
  const entries = displayMap.map((translation, position) =>
    `"${position + 1}":"t${translation + 1}"`
  );
  return `{${entries.join(",")}}`;
}

/** Unsigned 32-bit words: the digests of seed:0, seed:1, …, each read as eight big-endian words. */
function wordsFrom(seed: string): () => number {
  let [block, offset, view] = [0, 32, new DataView(new ArrayBuffer(0))];
  return () => {
    if (offset === 32) {
      view = new DataView(sha256(new TextEncoder().encode(`${seed}:${block++}`)).slice().buffer);
      offset = 0;
    }
    offset += 4;
    return view.getUint32(offset - 4);
  };
}

/** A whole number in [0, bound) without bias: words past the last full multiple are drawn again. */
function below(bound: number, next: () => number): number {
  const limit = 0x100000000 - 0x100000000 % bound;
  for (;;) {
    const word = next();
    if (word < limit) return word % bound;
  }
}
