import type { Engine } from "../../lib/models/llama/engine.ts";
import type { LanguageModel } from "../../lib/models/model.ts";

/** How far the same texts' log-probabilities in process and through a server lie apart, in nats. */
export interface LikelihoodDifferences {
  readonly texts: number;
  readonly largest: number;
  readonly mean: number;
}

/**
 * Scores texts twice. The engine scores them after the tokens that the server puts before them,
 * whatever they are, so that both condition on the same.
 *
 * @throws {TypeError} where the server gives no likelihoods, saying why.
 */
export async function compareLikelihoods(options: {
  readonly texts: readonly string[];
  readonly engine: Engine;
  /** What precedes every text, as markup. */
  readonly startToken: string;
  readonly served: LanguageModel;
}): Promise<LikelihoodDifferences> {
  const { texts, engine, startToken, served } = options;
  const start = engine.vocabulary.tokeniseMarkup(startToken);
  const differences: number[] = [];
  for (const text of texts) {
    const [likelihood] = await served.score([text]);
    const expected = await scoreAfter(engine, start, text);
    differences.push(Math.abs(likelihood!.logProbability - expected));
  }
  const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
  return { texts: texts.length, largest: Math.max(...differences), mean };
}

/** log P(text | start) in nats, for a start of one token or more. */
async function scoreAfter(engine: Engine, start: readonly number[], text: string): Promise<number> {
  const whole = [...start, ...engine.vocabulary.tokenise(text)];
  if (start.length === 1) return (await engine.score([whole]))[0]!;
  const [all, before] = await engine.score([whole, start]);
  return all! - before!;
}
