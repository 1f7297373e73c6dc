import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { type ClaimFeatures, FEATURE_NAMES } from "../features/features.ts";

/** What a head is shown: the readable features, sentence vectors of the frozen encoder, or both. */
export type FeatureSet = "readable" | "embeddings" | "both";

export const FEATURE_SETS: readonly FeatureSet[] = ["readable", "embeddings", "both"];

/** Ten-thousandths of a unit vector are far below what the encoder's own precision moves. */
const PLACES = 5;

/**
 * The readable features, then the frozen encoder's vectors of the claim and of its best evidence, as
 * it is kept on disk; undefined without evidence.
 */
export async function pairVector(
  claim: string,
  { values, evidence: [best] }: Pick<ClaimFeatures, "values" | "evidence">,
  encoder: SentenceEncoder,
): Promise<readonly number[] | undefined> {
  if (best === undefined) return undefined;
  const encoded = await encoder.encode([claim, best.text]);
  const rounded = encoded.flatMap(({ sentence }) =>
    Array.from(sentence, (value) => Number(value.toFixed(PLACES)))
  );
  return [...values, ...rounded];
}

/**
 * What a head reads of a {@link pairVector}: of two sentence vectors u and v the numbers u, v, |u−v|
 * and u·v, each component by component (Conneau et al. 2017, arXiv 1705.02364, §3.1). Of the readable
 * features alone a vector without sentence vectors will do.
 */
export function headInput(vector: readonly number[], features: FeatureSet): readonly number[] {
  const readable = vector.slice(0, FEATURE_NAMES.length);
  if (features === "readable") return readable;
  const combined = combine(vector.slice(FEATURE_NAMES.length));
  return features === "both" ? [...readable, ...combined] : combined;
}

function combine(both: readonly number[]): readonly number[] {
  const [u, v] = [both.slice(0, both.length / 2), both.slice(both.length / 2)];
  return [
    ...both,
    ...u.map((value, i) => Math.abs(value - v[i]!)),
    ...u.map((value, i) => value * v[i]!),
  ];
}

/** How many numbers {@link headInput} gives, with sentence vectors of so many dimensions. */
export function inputWidth(features: FeatureSet, dimensions: number): number {
  return (features === "embeddings" ? 0 : FEATURE_NAMES.length) +
    (features === "readable" ? 0 : 4 * dimensions);
}
