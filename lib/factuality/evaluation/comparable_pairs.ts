import { readEnglish } from "../claims/english.ts";
import type { Claim } from "../claims/claim.ts";

/** Pairs of claims worth comparing, and how many there were before the bound. */
export interface ComparablePairs {
  readonly pairs: readonly (readonly [Claim, Claim])[];
  /** All pairs that have a word in common. */
  readonly comparable: number;
}

/** The parts of speech whose words say what a sentence is about. */
const CONTENT = new Set(["ADJ", "NOUN", "NUM", "PROPN", "VERB"]);

/**
 * Pairs of claims with a name or content word in common, those with the most in common first, at
 * most so many; the number of pairs grows with the square of the claims. Equal pairs stay in the
 * order of the text. Statements that cannot be checked contradict nothing.
 */
export function comparablePairs(claims: readonly Claim[], most: number): ComparablePairs {
  const read = claims.filter(({ notCheckable }) => notCheckable === undefined)
    .map((claim) => ({ claim, words: contentWords(claim.text) }));
  const found = read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) => {
      const common = one.words.intersection(other.words).size;
      return common === 0 ? [] : [{ pair: [one.claim, other.claim] as const, common }];
    })
  );
  const pairs = found.toSorted((a, b) => b.common - a.common).slice(0, most);
  return { pairs: pairs.map(({ pair }) => pair), comparable: found.length };
}

function contentWords(text: string): ReadonlySet<string> {
  const { tokens } = readEnglish(text);
  const kept = tokens.filter(({ partOfSpeech, stopWord }) =>
    !stopWord && CONTENT.has(partOfSpeech)
  );
  return new Set(kept.map(({ lemma }) => lemma));
}
