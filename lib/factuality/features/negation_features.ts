import { agreement, type Comparison, type SentenceComparison } from "./comparison.ts";
import { type FamilyResult, WORTH_TELLING } from "./features.ts";
import type { Word } from "./word.ts";
import { FOUND } from "./word_match.ts";

interface Difference {
  readonly claim: Word;
  readonly strength: number;
}

/** One denies what the other says of the same words. */
export function negationFeatures(comparison: Comparison): FamilyResult<"negation"> {
  const found = comparison.sentences.flatMap((sentence) => difference(comparison, sentence) ?? []);
  const strongest = found.reduce<Difference | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );
  const strength = strongest?.strength ?? 0;
  return {
    values: { "negation.differs": strength },
    findings: strongest === undefined || strength < WORTH_TELLING ? [] : [{
      feature: "negation.differs",
      words: strongest.claim.negated
        ? `claim denies “${strongest.claim.text}”, source does not`
        : `source denies “${strongest.claim.text}”, claim does not`,
      speaksFor: "refuted",
      strength,
    }],
  };
}

/** Among the words that both have: where any of them is denied on one side only. */
function difference(comparison: Comparison, sentence: SentenceComparison): Difference | undefined {
  const common = comparison.claim.flatMap((claim, index) => {
    const column = bestColumn(sentence, index);
    return column === undefined ? [] : [{ claim, source: sentence.sentence.words[column]! }];
  });
  const differing = common.filter(({ claim, source }) => claim.negated !== source.negated);
  if (differing.length === 0) return undefined;
  // Of two sentences that share half their words, most speak of different things.
  const strength = agreement(comparison, sentence, () => false) ** 2;
  return { claim: differing[0]!.claim, strength };
}

/** The place that accounts for a word best; undefined where none does. */
function bestColumn({ pairs }: SentenceComparison, index: number): number | undefined {
  let best: number | undefined;
  pairs[index]!.forEach(({ match, cosine }, column) => {
    const former = best === undefined ? undefined : pairs[index]![best]!;
    if (match >= FOUND && (former === undefined || match + cosine > former.match + former.cosine)) {
      best = column;
    }
  });
  return best;
}
