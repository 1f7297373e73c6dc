import { cosine } from "../../models/encoder/cosine.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import type { EncodedText } from "../../models/encoder/sentence_encoder.ts";
import type { SourceSentence } from "./source_sentence.ts";
import type { Word } from "./word.ts";
import { isSameWord } from "./word_match.ts";

/** So many sentences are the evidence of a claim … */
const KEPT = 3;
/** … out of so many that are like it word for word, for only these are encoded (3–4 ms each); */
const ENCODED = 5;
/** and of no more than the kept ones where the best has so much of the claim. */
const PLAIN = 0.7;
/** What words and sentence vectors count for in the choice. */
const LEXICAL_SHARE = 0.6;

/** A sentence that was chosen. */
export interface EvidenceSentence extends SourceSentence {
  readonly encoded: EncodedText;
  /** Weighted share of the claim's words in it, literally, halved for a question; 0–1. */
  readonly shared: number;
  /** Cosine with the claim, −1 to 1. */
  readonly cosine: number;
  /** How well it fits, 0–1. */
  readonly relevance: number;
}

/** What a claim is held against. */
export interface ChosenEvidence {
  readonly claim: EncodedText;
  /** The best first, at most three. */
  readonly top: readonly EvidenceSentence[];
}

/** The sentences that speak of what the claim speaks of; none from sources without any. */
export async function chooseEvidence(
  claim: string,
  words: readonly Word[],
  sentences: readonly SourceSentence[],
  encoder: SentenceEncoder,
): Promise<ChosenEvidence> {
  const shared = sentences.map((sentence) => share(words, sentence) * standing(sentence));
  const candidates = sentences.toSorted((a, b) =>
    shared[b.index]! - shared[a.index]! || a.index - b.index
  ).slice(0, Math.max(0, ...shared) >= PLAIN ? KEPT : ENCODED);
  const [encodedClaim, ...encoded] = await encoder.encode([
    claim,
    ...candidates.map(({ read }) => read),
  ]);
  const top = candidates.map((sentence, index): EvidenceSentence => {
    const similarity = cosine(encodedClaim!.sentence, encoded[index]!.sentence);
    const lexical = shared[sentence.index]!;
    const meant = Math.max(similarity, 0) * standing(sentence);
    const relevance = LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * meant;
    return {
      ...sentence,
      encoded: encoded[index]!,
      shared: lexical,
      cosine: similarity,
      relevance,
    };
  }).toSorted((a, b) => b.relevance - a.relevance || a.index - b.index).slice(0, KEPT);
  return { claim: encodedClaim!, top };
}

/** A question states nothing. */
const standing = ({ text }: SourceSentence) => /\?\W*$/.test(text) ? 0.5 : 1;

function share(words: readonly Word[], sentence: SourceSentence): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  const found = words.filter((word) => sentence.words.some((other) => isSameWord(word, other)));
  return found.reduce((sum, { weight }) => sum + weight, 0) / all;
}
