import { agreement, type Comparison, type SentenceComparison } from "./comparison.ts";
import type { Word } from "./word.ts";
import { FOUND } from "./word_match.ts";

/** Another word where the claim's should be. */
export interface Rival {
  readonly claim: Word;
  readonly source: Word;
  /** How sure it is that both speak of the same, 0–1: the rest of the sentence agrees, and so does the place. */
  readonly strength: number;
}

/** Cosine in context from which two words begin to stand in one place, and where it is certain. */
const PLACE = { from: 0.25, to: 0.75 };

/** How much a sentence that has the claim's word, and agrees with it, speaks against rivals elsewhere. */
const WORD_ELSEWHERE = 0.8;

/**
 * The strongest rival of one of the claim's words in the evidence: a word that no word of the claim
 * accounts for, in a sentence without the claim's word that agrees with the rest of the claim, and
 * more than any sentence does that has the word. Undefined where there is none.
 */
export function strongestRival(
  comparison: Comparison,
  index: number,
  isRival: (claim: Word, source: Word) => boolean,
): Rival | undefined {
  const claim = comparison.claim[index]!;
  const sentences = comparison.sentences.map((one) => ({
    one,
    hasWord: one.matches[index]! >= FOUND,
    agreed: agreement(comparison, one, (_, other) => other === index),
  }));
  const elsewhere = Math.max(0, ...sentences.map(({ hasWord, agreed }) => hasWord ? agreed : 0));
  const rivals = sentences.filter(({ hasWord }) => !hasWord).flatMap(({ one, agreed }) =>
    one.sentence.words.flatMap((source, column): readonly Rival[] => {
      if (!isRival(claim, source) || isAccountedFor(one, column)) return [];
      const near = (place(one.pairs[index]![column]!.cosine) +
        surroundings(comparison.claim, one, index, column)) / 2;
      const strength = Math.max(0, agreed - WORD_ELSEWHERE * elsewhere) * near;
      return [{ claim, source, strength }];
    })
  );
  return strongestOf(rivals);
}

/** Undefined where none has any strength. */
export function strongestOf(rivals: readonly Rival[]): Rival | undefined {
  return rivals.reduce<Rival | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );
}

/** Whether some word of the claim is that very word. */
const isAccountedFor = ({ pairs }: SentenceComparison, column: number) =>
  pairs.some((row) => row[column]!.match >= FOUND);

/** Words of the claim on either side of the word, and words of the source on either side of its rival. */
const REACH = { claim: 2, source: 5 };

/** Weighted share of the word's neighbours in the claim that stand near the rival too; 0–1. */
function surroundings(
  claim: readonly Word[],
  { pairs }: SentenceComparison,
  index: number,
  column: number,
): number {
  let [found, all] = [0, 0];
  const from = Math.max(0, index - REACH.claim);
  claim.slice(from, index + REACH.claim + 1).forEach(({ weight }, offset) => {
    if (from + offset === index) return;
    const around = pairs[from + offset]!.slice(
      Math.max(0, column - REACH.source),
      column + REACH.source + 1,
    );
    all += weight;
    found += weight * Math.max(0, ...around.map(({ match }) => match));
  });
  return all === 0 ? 0 : found / all;
}

const place = (cosine: number) =>
  Math.min(1, Math.max(0, (cosine - PLACE.from) / (PLACE.to - PLACE.from)));
