import type { CorpusIndex } from "./candidate.ts";
import { wordsOf } from "./segmentation.ts";
import type { Token } from "./tokens.ts";

/** Stands for the edge of a sentence. */
const EDGE = "#";

/** The saga as the rules may consult it. */
export function indexCorpus(texts: readonly string[]): CorpusIndex {
  const frequency = new Map<string, number>();
  for (const word of texts.flatMap((text) => wordsOf(text.toLowerCase()))) {
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return { frequency };
}

/** Words on each side that make a context. */
const REACH = 2;

/** Every run of five words, edges of the sentence counted as words. */
export function contextWindows(texts: readonly string[]): ReadonlySet<string> {
  const windows = new Set<string>();
  for (const text of texts) {
    const words = padded(wordsOf(text.toLowerCase()));
    for (let i = REACH; i < words.length - REACH; i++) {
      windows.add(words.slice(i - REACH, i + REACH + 1).join(" "));
    }
  }
  return windows;
}

/** Whether the variant's changed word stands between the same neighbours, two a side, anywhere in the saga. */
export function isAttestedInContext(
  variant: string,
  token: Token,
  replacement: string,
  windows: ReadonlySet<string>,
): boolean {
  const before = padded(wordsOf(variant.slice(0, token.start).toLowerCase())).slice(0, -REACH);
  const after = padded(wordsOf(variant.slice(token.start + replacement.length).toLowerCase()));
  const window = [
    ...before.slice(-REACH),
    replacement.toLowerCase(),
    ...after.slice(REACH, 2 * REACH),
  ];
  return windows.has(window.join(" "));
}

function padded(words: readonly string[]): readonly string[] {
  const edge = Array<string>(REACH).fill(EDGE);
  return [...edge, ...words, ...edge];
}
