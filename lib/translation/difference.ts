import { diffArrays } from "diff";

/** A stretch of a text: a word, a mark of punctuation or white space. */
export interface DifferencePart {
  readonly text: string;
  /** Of the other texts, the share that has this stretch at the same place, in [0, 1]. */
  readonly share: number;
}

/**
 * How several translations of one sentence differ, word by word: each text cut into words and what
 * stands between them, so that the parts joined are the text again. `share` is the share of the
 * other texts whose longest common subsequence of words and marks with this one (Myers 1986, the
 * library's choice where there are several) holds the part. White space is held where its
 * neighbours on both sides are. A text that stands alone shares everything.
 */
export function differences(texts: readonly string[]): readonly (readonly DifferencePart[])[] {
  const cut = texts.map(partsOf);
  const counts = cut.map((parts) => parts.map(() => 0));
  cut.forEach((parts, i) =>
    cut.slice(0, i).forEach((others, j) => {
      const [here, there] = commonParts(parts, others);
      for (const at of withSpaces(here, parts)) counts[i]![at]!++;
      for (const at of withSpaces(there, others)) counts[j]![at]!++;
    })
  );
  const compared = texts.length - 1;
  return cut.map((parts, i) =>
    parts.map((text, at) => ({ text, share: compared > 0 ? counts[i]![at]! / compared : 1 }))
  );
}

/** Words as Unicode sees them, in scripts without spaces too, and everything between two words. */
const WORDS = new Intl.Segmenter("und", { granularity: "word" });

function partsOf(text: string): readonly string[] {
  return Array.from(WORDS.segment(text), ({ segment }) => segment);
}

/**
 * Indices of the parts, white space apart, that a longest common subsequence of both holds. What the
 * other lacks cannot be in it and is left out beforehand: the less two texts share, the quicker.
 */
function commonParts(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly number[], readonly number[]] {
  const ours = wordsIn(one, new Set(other));
  const theirs = wordsIn(other, new Set(one));
  const changes = diffArrays(ours.map((at) => one[at]), theirs.map((at) => other[at]));
  return [
    kept(ours, changes.filter(({ added }) => !added)),
    kept(theirs, changes.filter(({ removed }) => !removed)),
  ];
}

function wordsIn(parts: readonly string[], known: ReadonlySet<string>): readonly number[] {
  return [...parts.keys()].filter((at) => !isSpace(parts[at]) && known.has(parts[at]!));
}

/** Those of a side's indices that no change touched. */
function kept(
  indices: readonly number[],
  runs: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
): readonly number[] {
  let from = 0;
  return runs.flatMap(({ count, added, removed }) => {
    const run = indices.slice(from, from + count);
    from += count;
    return added || removed ? [] : run;
  });
}

/** The indices of common parts and of the white space that has none but common parts beside it. */
function withSpaces(common: readonly number[], parts: readonly string[]): readonly number[] {
  const held = new Set(common);
  const spaces = [...parts.keys()].filter((at) =>
    isSpace(parts[at]) && isHeld(at, -1) && isHeld(at, 1)
  );
  return [...common, ...spaces];

  /** Whether the nearest part on one side that is no white space is common, or there is none. */
  function isHeld(at: number, step: 1 | -1): boolean {
    let beside = at + step;
    while (isSpace(parts[beside])) beside += step;
    return beside < 0 || beside >= parts.length || held.has(beside);
  }
}

function isSpace(part: string | undefined): boolean {
  return part !== undefined && part.trim() === "";
}
