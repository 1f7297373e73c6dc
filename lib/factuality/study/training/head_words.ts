import type { FeatureSet } from "../../verifiers/pair_vector.ts";

const WORDS: Readonly<Record<FeatureSet, string>> = {
  readable: "readable",
  embeddings: "frozen MiniLM",
  both: "both",
};

/** `frozen MiniLM, logistic`: short enough for a key. The head is trained, the encoder is not. */
export function headWords(
  { features, head }: { readonly features: FeatureSet; readonly head: string },
): string {
  return `${WORDS[features]}, ${head}`;
}
