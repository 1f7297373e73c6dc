import { readEnglish } from "../claims/english.ts";
import { sentencesOf } from "../claims/sentences.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Evidence } from "../verdicts/verdict.ts";
import { type Likeness, type ScoreCalibration, scoreVerifier } from "./score_verifier.ts";
import type { Verifier } from "./verifier.ts";

/**
 * The lexical baseline: the share of the claim's content words (by dictionary form) that stand
 * anywhere in the sources. It needs no model; negation, order and who did what are lost on it.
 */
export function overlapVerifier(calibration: ScoreCalibration): Verifier {
  return scoreVerifier(
    "word overlap",
    calibration,
    {},
    (claims, passages) => {
      const likeness = overlapLikeness(passages);
      return Promise.resolve(claims.map(likeness));
    },
  );
}

/** The overlap of claims with passages that are read once; undefined without a sentence or word. */
export function overlapLikeness(
  passages: readonly Passage[],
): (claim: string) => Likeness | undefined {
  const sentences = passages.flatMap((passage) =>
    sentencesOf(passage.text).map(({ text, start, end }) => ({
      words: contentWords(`${passage.title} ${passage.section} ${text}`),
      evidence: {
        passageId: passage.id,
        collection: passage.collection,
        span: { start, end },
        text,
      },
    }))
  );
  const everywhere = new Set(sentences.flatMap(({ words }) => [...words]));
  return (claim) => {
    const words = [...contentWords(claim)];
    if (words.length === 0) return undefined;
    const best = sentences
      .map(({ words: there, evidence }): Evidence => ({
        ...evidence,
        relevance: share(words, there),
      }))
      .reduce<Evidence | undefined>(
        (most, one) => (most === undefined || one.relevance > most.relevance ? one : most),
        undefined,
      );
    return best && { score: share(words, everywhere), evidence: best };
  };
}

function share(words: readonly string[], there: ReadonlySet<string>): number {
  return words.filter((word) => there.has(word)).length / words.length;
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set(
    readEnglish(text).tokens
      .filter(({ stopWord, partOfSpeech }) => !stopWord && partOfSpeech !== "PUNCT")
      .map(({ lemma }) => lemma),
  );
}
