import { type Comparison, weightedMean } from "./comparison.ts";
import type { FamilyResult, WeighedFinding } from "./features.ts";
import { commonRun, commonSubsequence } from "./sequences.ts";
import type { SourceSentence } from "./source_sentence.ts";
import type { Word } from "./word.ts";
import { FOUND, isSameWord } from "./word_match.ts";

/** Words of the claim in the evidence. With nothing to find, everything is found. */
export function overlapFeatures(comparison: Comparison): FamilyResult<"overlap"> {
  const { claim, sentences, window, anywhere } = comparison;
  const top = claim.map((_, index) => Math.max(0, ...sentences.map((one) => one.matches[index]!)));
  const exact = claim.map((word) => window.some((one) => hasWord(one, word)) ? 1 : 0);
  const windowed = claim.map((_, index) =>
    Math.max(exact[index]!, ...sentences.filter(inWindow(window)).map((one) => one.matches[index]!))
  );
  const verbs = claim.flatMap((word, index) => word.wordClass === "verb" ? [index] : []);
  const mean = (values: readonly number[]) => weightedMean(claim, (index) => values[index]!, 0);
  return {
    values: {
      "overlap.top": mean(top),
      "overlap.best": mean(sentences[0]?.matches ?? claim.map(() => 0)),
      "overlap.window": mean(windowed),
      "overlap.all": weightedMean(
        claim,
        (index) => Math.max(top[index]!, anywhere[index]! ? 1 : 0),
        0,
      ),
      "overlap.exact": mean(exact),
      "overlap.verbs": verbs.length === 0 ? 1 : meanOf(verbs.map((index) => top[index]!)),
      ...sequenceValues(claim, window),
    },
    findings: missing(claim, top),
  };
}

const inWindow =
  (window: readonly SourceSentence[]) => ({ sentence }: { sentence: SourceSentence }) =>
    window.some(({ index }) => index === sentence.index);

const hasWord = ({ words }: SourceSentence, word: Word) =>
  words.some((other) => isSameWord(word, other));

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function sequenceValues(claim: readonly Word[], window: readonly SourceSentence[]) {
  const source = window.flatMap(({ words }) => words);
  const count = Math.max(claim.length, 1);
  return {
    "overlap.bigrams": bigramShare(claim, source),
    "overlap.rouge_l": commonSubsequence(claim, source, isSameWord) / count,
    "overlap.run": commonRun(claim, source, isSameWord) / count,
  };
}

/** Two words that stand within so many of each other in the source are near. */
const NEARBY = 3;

/** A claim of one word has no pairs: it is taken as a pair with itself. */
function bigramShare(claim: readonly Word[], source: readonly Word[]): number {
  const places = claim.map((word) =>
    source.flatMap((other, place) => isSameWord(word, other) ? [place] : [])
  );
  if (claim.length === 1) return places[0]!.length > 0 ? 1 : 0;
  if (claim.length === 0) return 0;
  const near = places.slice(1).filter((ends, index) =>
    ends.some((end) => places[index]!.some((start) => Math.abs(end - start) <= NEARBY))
  );
  return near.length / (claim.length - 1);
}

function missing(claim: readonly Word[], top: readonly number[]): readonly WeighedFinding[] {
  const absent = claim.filter(({ wordClass }, index) =>
    top[index]! < FOUND && wordClass !== "quantity" && wordClass !== "name"
  );
  if (absent.length === 0 || claim.length === 0) return [];
  const words = absent.map(({ text }) => `“${text}”`).join(", ");
  return [{
    feature: "overlap.top",
    words: `the evidence does not speak of ${words}`,
    speaksFor: "not enough info",
    strength: absent.reduce((sum, { weight }) => sum + weight, 0) /
      claim.reduce((sum, { weight }) => sum + weight, 0),
  }];
}
