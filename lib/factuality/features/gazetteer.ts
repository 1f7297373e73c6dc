import type { TextSpan } from "../text_span.ts";

/** A thing with a name of its own, and every way it is written: France, French, Frenchman. */
export interface GazetteerEntry {
  /** The name that stands for it, also in findings. */
  readonly name: string;
  /** Only things of one type stand in each other's place: `country`. */
  readonly type: string;
  /** Other names, adjectives and words for its people. */
  readonly also: readonly string[];
}

/** Where an entry's name stands in a text. */
export interface GazetteerHit extends TextSpan {
  readonly entry: GazetteerEntry;
}

export interface Gazetteer {
  /** In the order of the text, the longest name where two begin together, without overlap. */
  find(text: string): readonly GazetteerHit[];
}

/** Looks for whole words with their capital letters: "turkey" is a bird. */
export function gazetteerOf(entries: readonly GazetteerEntry[]): Gazetteer {
  const byName = new Map<string, GazetteerEntry>();
  for (const entry of entries) {
    for (const name of [entry.name, ...entry.also]) {
      if (/^\p{Lu}/u.test(name) && !byName.has(name)) byName.set(name, entry);
    }
  }
  if (byName.size === 0) return { find: () => [] };
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(RegExp.escape);
  const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${names.join("|")})(?![\\p{L}\\d])`, "gu");
  return {
    find: (text) =>
      [...text.matchAll(pattern)].map(({ 0: name, index }) => ({
        start: index,
        end: index + name.length,
        entry: byName.get(name)!,
      })),
  };
}
