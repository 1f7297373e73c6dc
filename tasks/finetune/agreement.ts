import { z } from "zod";
import type { TrainingPair } from "../../lib/factuality/fine_tuning/training_pairs.ts";
import { VERDICT_LABELS } from "../../lib/factuality/verdicts/verdict.ts";
import { crossEncoderProbabilities } from "../../lib/factuality/verifiers/cross_encoder_verifier.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";

/** Greatest difference of a probability that two engines may have. */
export const AGREEMENT_BAR = 1e-3;

const LOGITS = z.array(z.number()).length(VERDICT_LABELS.length);

/** The weights as PyTorch evaluates them. */
export interface Reference {
  readonly python: string;
  readonly script: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly weights: string;
  readonly pairsPath: string;
}

async function referenceLogits(
  { python, script, model, weights, pairsPath }: Reference,
  count: number,
): Promise<readonly (readonly number[])[]> {
  const args = [script, model, weights, pairsPath, String(count)];
  const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) {
    throw new Error(`Cannot compare with PyTorch: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => LOGITS.parse(JSON.parse(line)));
}

/**
 * Greatest difference of a probability (0–1, before the temperature) between this process and PyTorch
 * on the same tokens.
 *
 * @param pairs The first rows of the reference's file.
 * @throws {RangeError} where it is over {@link AGREEMENT_BAR}.
 */
export async function agreementWithPyTorch(
  network: CrossEncoder,
  pairs: readonly TrainingPair[],
  reference: Reference,
): Promise<number> {
  const theirs = await referenceLogits(reference, pairs.length);
  let largest = 0;
  for (const [index, { ids }] of pairs.entries()) {
    const [ours, other] = [await network.logits(ids), theirs[index]!]
      .map((logits) => crossEncoderProbabilities(logits, 1));
    for (const label of VERDICT_LABELS) {
      largest = Math.max(largest, Math.abs(ours![label] - other![label]));
    }
  }
  if (largest <= AGREEMENT_BAR) return largest;
  throw new RangeError(
    `Cannot use the converted network: its probabilities differ from PyTorch's by up to ${largest}, ` +
      `over ${AGREEMENT_BAR}`,
  );
}
