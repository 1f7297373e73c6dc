import { VERDICT_LABELS, type VerdictProbabilities } from "../verdicts/verdict.ts";
import { nliProbabilities } from "./onnx_nli_labels.ts";
import type { NliNetwork } from "./onnx_nli_network.ts";

/** Premise and hypothesis: said again, said otherwise, not said, and longer ones. */
export const PROBE_PAIRS: readonly (readonly [string, string])[] = [
  ["The library opened in 1911.", "The library opened in 1911."],
  ["The library opened in 1911.", "The library opened in 1953."],
  ["The library opened in 1911.", "The library is closed on Mondays."],
  ["Lake Tarn is 12 km long and lies in the north of the county.", "Lake Tarn is in the south."],
  ["A man plays the guitar on a stage.", "Somebody is making music."],
];

/** The same input must give the same output; float32 sums may differ in their last digits. */
const SAME_WITHIN = 1e-5;

/** A difference of this much would turn verdicts; int8 without the right instructions gives noise. */
const MOST_INT8_DIFFERENCE = 0.15;

async function probe(network: NliNetwork): Promise<readonly VerdictProbabilities[]> {
  const answers: VerdictProbabilities[] = [];
  for (const [premise, hypothesis] of PROBE_PAIRS) {
    answers.push(
      nliProbabilities(await network.logits(premise, hypothesis), network.labels),
    );
  }
  return answers;
}

function largestDifference(
  one: readonly VerdictProbabilities[],
  other: readonly VerdictProbabilities[],
): number {
  return Math.max(
    ...one.flatMap((answer, at) =>
      VERDICT_LABELS.map((label) => Math.abs(answer[label] - other[at]![label]))
    ),
  );
}

/**
 * Asks a network about fixed pairs twice.
 *
 * @throws {TypeError} where an answer is not finite, or not the same the second time.
 */
export async function checkNliNetwork(network: NliNetwork): Promise<void> {
  const difference = largestDifference(await probe(network), await probe(network));
  if (difference <= SAME_WITHIN) return;
  throw new TypeError(
    `its probabilities for the same texts differ by ${
      difference.toPrecision(2)
    } from one time to ` +
      "the next",
  );
}

/**
 * The largest difference of probabilities between an int8 network and the same in float32, 0–1.
 *
 * @throws {TypeError} over 0.15: on processors without the instructions that its arithmetic needs an
 * int8 network gives noise, and says nothing of it.
 */
export async function checkInt8(int8: NliNetwork, float32: NliNetwork): Promise<number> {
  const difference = largestDifference(await probe(int8), await probe(float32));
  if (difference <= MOST_INT8_DIFFERENCE) return difference;
  throw new TypeError(
    `its int8 file differs from its float32 file by ${difference.toFixed(2)} of a probability on ` +
      "this processor; write quantisation: none",
  );
}
