import { join } from "node:path";
import { writeBytesAtomic } from "../../lib/files/atomic.ts";
import { openOnnxMaskedModel } from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModel } from "../../lib/models/masked/pseudo_likelihood.ts";
import {
  TINY_BY_HAND,
  TINY_TEXT,
  tinyModelFiles,
} from "../../lib/models/masked/testdata/tiny_model.ts";

/** One pseudo-log-likelihood through transformers.js beside the one worked out by hand, in nats. */
export interface Agreement {
  readonly tokeniser: "wordpiece" | "sentencepiece";
  readonly variant: "original" | "within_word_l2r";
  readonly found: number;
  readonly byHand: number;
}

async function agreementsOf(
  tokeniser: Agreement["tokeniser"],
  cacheDirectory: string,
): Promise<readonly Agreement[]> {
  const path = join(cacheDirectory, "models", `tiny_masked_${tokeniser}`);
  for (const [name, content] of tinyModelFiles(tokeniser)) {
    writeBytesAtomic(join(path, name), content);
  }
  const entry = { id: `tiny ${tokeniser}`, path, licence: "MIT" };
  await using model = await openOnnxMaskedModel(entry, { cacheDirectory, threads: 1 });
  const agreements: Agreement[] = [];
  for (const variant of ["original", "within_word_l2r"] as const) {
    const [likelihood] = await pseudoLikelihoodModel(model, variant).score([TINY_TEXT]);
    const found = likelihood!.logProbability;
    agreements.push({ tokeniser, variant, found, byHand: TINY_BY_HAND[variant] });
  }
  return agreements;
}

/** Scores one text by a tiny model, made here, through transformers.js and ONNX Runtime. */
export async function checkTinyModel(cacheDirectory: string): Promise<readonly Agreement[]> {
  return [
    ...await agreementsOf("wordpiece", cacheDirectory),
    ...await agreementsOf("sentencepiece", cacheDirectory),
  ];
}
