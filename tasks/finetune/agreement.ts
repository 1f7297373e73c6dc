import { z } from "zod";
import type { TrainingPair } from "../../lib/factuality/fine_tuning/training_pairs.ts";
import { VERDICT_LABELS } from "../../lib/factuality/verdicts/verdict.ts";
import { crossEncoderProbabilities } from "../../lib/factuality/verifiers/cross_encoder_verifier.ts";
import { mostProbable } from "../../lib/factuality/verifiers/verdict_parts.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";

/** Greatest difference of a probability from PyTorch with GELU rounded as llama.cpp rounds it. */
export const AGREEMENT_BAR = 1e-3;

const LOGITS = z.array(z.number()).length(VERDICT_LABELS.length);
const ANSWER = z.object({ plain: LOGITS, rounded: LOGITS });

/** The weights as PyTorch evaluates them. */
export interface Reference {
  readonly python: string;
  readonly script: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly weights: string;
  readonly pairsPath: string;
}

/** How far this process and PyTorch differ on the same tokens, in probability before the temperature. */
export interface Agreement {
  readonly pairs: number;
  /** Greatest and median of a pair's greatest difference; PyTorch as it is. */
  readonly greatest: number;
  readonly median: number;
  /** The greatest where PyTorch rounds GELU to 16 bits as llama.cpp does: what conversion costs. */
  readonly greatestRounded: number;
  /** Pairs with the same verdict. */
  readonly sameVerdict: number;
}

async function referenceAnswers(
  { python, script, model, weights, pairsPath }: Reference,
  count: number,
): Promise<readonly z.infer<typeof ANSWER>[]> {
  const args = [script, model, weights, pairsPath, String(count)];
  const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) {
    throw new Error(`Cannot compare with PyTorch: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => ANSWER.parse(JSON.parse(line)));
}

const probabilitiesOf = (logits: readonly number[]) => crossEncoderProbabilities(logits, 1);

/** Greatest difference of a probability. */
export function greatestDifference(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [probabilitiesOf(one), probabilitiesOf(other)];
  return Math.max(...VERDICT_LABELS.map((label) => Math.abs(first[label] - second[label])));
}

/**
 * Compares this process with PyTorch.
 *
 * @param pairs The first rows of the reference's file.
 * @throws {RangeError} where the converted network is over {@link AGREEMENT_BAR} away.
 */
export async function agreementWithPyTorch(
  network: CrossEncoder,
  pairs: readonly TrainingPair[],
  reference: Reference,
): Promise<Agreement> {
  const theirs = await referenceAnswers(reference, pairs.length);
  const found = [];
  for (const [index, { ids }] of pairs.entries()) {
    const [ours, { plain, rounded }] = [await network.logits(ids), theirs[index]!];
    found.push({
      plain: greatestDifference(ours, plain),
      rounded: greatestDifference(ours, rounded),
      same: mostProbable(probabilitiesOf(ours)) === mostProbable(probabilitiesOf(plain)),
    });
  }
  const sorted = found.map(({ plain }) => plain).toSorted((a, b) => a - b);
  const greatestRounded = Math.max(...found.map(({ rounded }) => rounded));
  if (greatestRounded > AGREEMENT_BAR) {
    throw new RangeError(
      `Cannot use the converted network: its probabilities are up to ${greatestRounded} away from ` +
        `PyTorch's, over ${AGREEMENT_BAR}`,
    );
  }
  return {
    ...{ pairs: pairs.length, greatest: sorted.at(-1)!, greatestRounded },
    median: sorted[Math.floor(sorted.length / 2)]!,
    sameVerdict: found.filter(({ same }) => same).length,
  };
}
