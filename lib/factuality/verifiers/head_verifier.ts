import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { headVerdict, type HeadWeights } from "./head_weights.ts";
import { pairVector } from "./pair_vector.ts";
import { featureVerifier, type VerifierTools } from "./trained_verifier.ts";
import type { Verifier } from "./verifier.ts";

/**
 * A head of `deno task train` as a verifier. Where it reads sentence vectors it is called what it is,
 * a frozen encoder with a trained head.
 * @throws {RangeError} where it was trained on vectors of another encoder.
 */
export function headVerifier(
  weights: HeadWeights,
  tools: VerifierTools,
  encoder: SentenceEncoder,
): Verifier {
  requireEncoder(weights, encoder);
  const { features, sha256 } = weights;
  return featureVerifier({ name: headName(weights), sha256 }, tools, async (read, claim) => {
    if (features === "readable") return headVerdict(read.values, weights);
    // There is evidence, so there is a vector.
    return headVerdict((await pairVector(claim, read, encoder))!, weights);
  });
}

/** `frozen MiniLM with trained head (logistic)`, and the like. */
export function headName({ features, hidden }: Pick<HeadWeights, "features" | "hidden">): string {
  const kind = hidden === null ? "logistic" : `MLP ${hidden.biases.length}`;
  const read = {
    readable: "readable features",
    embeddings: "frozen MiniLM",
    both: "readable features and frozen MiniLM",
  }[features];
  return `${read} with trained head (${kind})`;
}

function requireEncoder(
  { features, encoder: { name, dimensions } }: HeadWeights,
  encoder: SentenceEncoder,
): void {
  const isSame = encoder.name === name && encoder.dimensions === dimensions;
  if (features === "readable" || isSame) return;
  throw new RangeError(
    `Cannot load the trained verifier: it reads sentence vectors of ${name} (${dimensions} ` +
      `numbers), and ${encoder.name} (${encoder.dimensions}) is loaded. Train it again.`,
  );
}
