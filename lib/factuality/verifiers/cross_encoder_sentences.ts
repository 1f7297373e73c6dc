import type { Passage } from "../retrieval/passage.ts";
import { chunksOf } from "./source_chunks.ts";
import { type Tokenise, type TokenisedSentence, tokenisedSentences } from "./cross_encoder_pair.ts";

/** Most word pieces of what is chosen or left out as a whole: a sentence, or half of a long one. */
const LONGEST_PART = 48;

/** The passages in parts that are chosen from, each a sentence, several short ones, or part of one. */
export function sourceSentences(
  passages: readonly Passage[],
  tokenise: Tokenise,
): readonly TokenisedSentence[] {
  const count = (text: string) => tokenise(text).length;
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, LONGEST_PART, count));
  return tokenisedSentences(chunks, tokenise);
}
