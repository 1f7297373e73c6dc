import { sentencesOf } from "../claims/sentences.ts";
import type { TextSpan } from "../text_span.ts";

/**
 * Which words of a claim are asserted. In "Who wrote it? Blake." and "Who wrote it: Blake." that is
 * the answer alone: the question's words are given, and a source can have them all without a word
 * for the answer. All of them where nothing is answered.
 */
export function assertedWords(claim: string, words: readonly TextSpan[]): readonly boolean[] {
  const given = givenParts(claim);
  const asserted = words.map((word) =>
    !given.some(({ start, end }) => start <= word.start && word.start < end)
  );
  return asserted.some(Boolean) ? asserted : words.map(() => true);
}

/** Questions, up to their mark or the colon before the answer, and the letters Q and A before both. */
function givenParts(claim: string): readonly TextSpan[] {
  const labels = [...claim.matchAll(/(?<=^|\s)(?:Q|A|Question|Answer):/gu)]
    .map(({ index, 0: label }) => ({ start: index, end: index + label.length }));
  const questions = sentencesOf(claim).flatMap(({ start, text }) => {
    const length = questionLength(text);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
  return [...labels, ...questions];
}

const QUESTION_WORD = /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i;
const INVERSION = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i;

/** An answer in small letters is no sentence of its own; "Which band: Blur" has no mark. */
function questionLength(sentence: string): number {
  const mark = sentence.lastIndexOf("?");
  if (mark >= 0) return mark + 1;
  const colons = [...sentence.matchAll(/:\s/g)].map(({ index }) => index);
  return colons.find((colon) => {
    const before = sentence.slice(0, colon).replace(/^(?:Q|Question):\s*/u, "");
    return QUESTION_WORD.test(before) || INVERSION.test(before);
  }) ?? 0;
}
