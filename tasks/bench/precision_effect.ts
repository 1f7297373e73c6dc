import { openFfiEngine } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import type { Likelihood } from "../../lib/models/model.ts";

/** How far two precisions of one model's weights are apart, over texts. */
interface PrecisionEffect {
  readonly texts: number;
  /** Mean |difference| of a text's log-probability, in nats. */
  readonly meanDifference: number;
  readonly largestDifference: number;
  /** Mean difference with its sign, rough less exact: whether the rough weights lean one way. */
  readonly shift: number;
  /** Mean log-probability of a text on the exact weights, in nats: what the above is to be held against. */
  readonly meanLogProbability: number;
}

/** @throws {RangeError} where there are no texts, or not as many of the one as of the other. */
export function differenceOfScores(
  exact: readonly Likelihood[],
  rough: readonly Likelihood[],
): PrecisionEffect {
  if (exact.length === 0 || exact.length !== rough.length) {
    throw new RangeError(`Cannot compare scores: there are ${exact.length} and ${rough.length}`);
  }
  const differences = exact.map(({ logProbability }, i) =>
    rough[i]!.logProbability - logProbability
  );
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const sizes = differences.map(Math.abs);
  return {
    texts: exact.length,
    meanDifference: mean(sizes),
    largestDifference: Math.max(...sizes),
    shift: mean(differences),
    meanLogProbability: mean(exact.map(({ logProbability }) => logProbability)),
  };
}

async function scores(
  path: string,
  texts: readonly string[],
  threads: number,
): Promise<readonly Likelihood[]> {
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const found: Likelihood[] = [];
  // One by one: in company a quantised text's score is another.
  for (const text of texts) found.push(...await scoreTexts(engine, [text]));
  return found;
}

/**
 * What rewriting a model's weights does to its scores, e.g. from F32 to Q8_0. One file is in memory
 * at a time.
 *
 * @param exact A GGUF file, e.g. of `expandedWeights` in F32.
 * @param rough The same weights in another format.
 */
export async function precisionEffect(
  exact: string,
  rough: string,
  { texts, threads }: { readonly texts: readonly string[]; readonly threads: number },
): Promise<PrecisionEffect> {
  return differenceOfScores(
    await scores(exact, texts, threads),
    await scores(rough, texts, threads),
  );
}

/** `mean 0.86, largest 4.80 nats in 200 texts of −93.1 nats on average (shift −0.12)`. */
export function formatPrecisionEffect(effect: PrecisionEffect): string {
  const { texts, meanDifference, largestDifference, shift, meanLogProbability } = effect;
  return `mean ${meanDifference.toFixed(2)}, largest ${largestDifference.toFixed(2)} nats in ` +
    `${texts} texts of ${meanLogProbability.toFixed(1)} nats on average (shift ${
      shift.toFixed(2)
    })`;
}
