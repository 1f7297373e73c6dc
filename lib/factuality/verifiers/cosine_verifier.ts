import { cosine } from "../../models/encoder/cosine.ts";
import type { EncodedText, SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { sentencesOf } from "../claims/sentences.ts";
import type { Passage } from "../retrieval/passage.ts";
import { type Likeness, type ScoreCalibration, scoreVerifier } from "./score_verifier.ts";
import type { Verifier } from "./verifier.ts";

/**
 * The embedding baseline: the cosine of the claim and the source sentence nearest to it. Sentences
 * about the same thing are near one another whether or not they agree.
 */
export function cosineVerifier(encoder: SentenceEncoder, calibration: ScoreCalibration): Verifier {
  return scoreVerifier(
    "sentence cosine",
    calibration,
    { encoder: encoder.name },
    (claims, passages, signal) => cosineLikeness(claims, passages, encoder, signal),
  );
}

/** The cosine of each claim with its nearest sentence; undefined where there is no sentence. */
export async function cosineLikeness(
  claims: readonly string[],
  passages: readonly Passage[],
  encoder: SentenceEncoder,
  signal?: AbortSignal,
): Promise<readonly (Likeness | undefined)[]> {
  const sentences = passages.flatMap((passage) =>
    sentencesOf(passage.text).map((sentence) => ({ passage, ...sentence }))
  );
  if (sentences.length === 0) return claims.map(() => undefined);
  const texts = [...claims, ...sentences.map(({ text }) => text)];
  const vectors = await encoder.encode(texts, signal ? { signal } : {});
  const [asked, told] = [vectors.slice(0, claims.length), vectors.slice(claims.length)];
  return asked.map((claim) => {
    const { index, score } = nearest(claim, told);
    const { passage, text, start, end } = sentences[index]!;
    const place = { passageId: passage.id, collection: passage.collection };
    const relevance = Math.max(0, score);
    return { score, evidence: { ...place, span: { start, end }, text, relevance } };
  });
}

function nearest(claim: EncodedText, sentences: readonly EncodedText[]) {
  return sentences
    .map((sentence, index) => ({ index, score: cosine(claim.sentence, sentence.sentence) }))
    .reduce((best, one) => (one.score > best.score ? one : best));
}
