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
  /** The best two neighbours of one passage, in their order; one where the best stands alone. */
  readonly window: readonly SourceSentence[];
}

/** The sentences that speak of what the claim speaks of; none from sources without any. */
export async function chooseEvidence(
  claim: string,
  words: readonly Word[],
  sentences: readonly SourceSentence[],
  encoder: SentenceEncoder,
): Promise<ChosenEvidence> {
  const found = sentences.map((sentence) => foundWords(words, sentence));
  const shared = found.map((flags, index) => share(words, flags) * standing(sentences[index]!));
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
  return { claim: encodedClaim!, top, window: bestWindow(words, sentences, found, top[0]) };
}

/** A question states nothing. */
const standing = ({ text }: SourceSentence) => /\?\W*$/.test(text) ? 0.5 : 1;

function foundWords(words: readonly Word[], sentence: SourceSentence): readonly boolean[] {
  return words.map((word) => sentence.words.some((other) => isSameWord(word, other)));
}

function share(words: readonly Word[], found: readonly boolean[]): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  return words.reduce((sum, { weight }, index) => found[index] ? sum + weight : sum, 0) / all;
}

/** Evidence often spans two sentences, the first of which names what the second calls "it". */
function bestWindow(
  words: readonly Word[],
  sentences: readonly SourceSentence[],
  found: readonly (readonly boolean[])[],
  best: EvidenceSentence | undefined,
): readonly SourceSentence[] {
  if (best === undefined) return [];
  let window: readonly SourceSentence[] = [best];
  let greatest = best.shared;
  for (let index = 0; index + 1 < sentences.length; index++) {
    const pair = [sentences[index]!, sentences[index + 1]!] as const;
    if (pair[0].passage !== pair[1].passage) continue;
    const covered = share(
      words,
      words.map((_, word) => found[index]![word]! || found[index + 1]![word]!),
    );
    const nearBest = pair.some((sentence) => sentence.index === best.index);
    if (covered > greatest || (covered === greatest && nearBest && window.length === 1)) {
      [window, greatest] = [pair, covered];
    }
  }
  return window;
}
