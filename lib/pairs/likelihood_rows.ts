import type { Likelihood } from "../models/model.ts";
import type { MinimalPair } from "./pair.ts";
import { compareText, type TableShape } from "./keyed_table.ts";

export const LIKELIHOOD_COLUMNS = [
  "model",
  "pair_id",
  "grammatical_logprob",
  "ungrammatical_logprob",
  "grammatical_tokens",
  "ungrammatical_tokens",
  "grammatical_bytes",
  "ungrammatical_bytes",
] as const;
type LikelihoodColumn = (typeof LIKELIHOOD_COLUMNS)[number];

/** What a model gives both members of a pair: one row of `likelihoods.csv`. */
export interface PairLikelihood {
  readonly model: string;
  readonly pairId: string;
  /** Log-probabilities in nats, rounded to {@link LOGPROB_DECIMALS} decimals. */
  readonly grammatical: Likelihood;
  readonly ungrammatical: Likelihood;
}

/**
 * Decimals kept of a log-probability. The file holds what was compared: two members that are equal
 * to a millionth of a nat are a tie, for beyond that the sum depends on the processor.
 */
export const LOGPROB_DECIMALS = 6;

/** A log-probability as it is kept and compared. Throws RangeError unless it is finite and ≤ 0. */
export function roundLogProbability(nats: number): number {
  if (!(Number.isFinite(nats) && nats <= 0)) {
    throw new RangeError(`Cannot record a log-probability of ${nats}: it is not finite and ≤ 0.`);
  }
  // 0 + x turns the -0 of "-0.000000" into 0.
  return 0 + Number(nats.toFixed(LOGPROB_DECIMALS));
}

/** What names a row among all others. */
export function likelihoodKey(row: Pick<PairLikelihood, "model" | "pairId">): string {
  return JSON.stringify([row.model, row.pairId]);
}

/** The shape of `likelihoods.csv`. */
export const LIKELIHOOD_TABLE: TableShape<LikelihoodColumn, PairLikelihood> = {
  columns: LIKELIHOOD_COLUMNS,
  format: ({ model, pairId, grammatical, ungrammatical }) => ({
    model,
    pair_id: pairId,
    grammatical_logprob: roundLogProbability(grammatical.logProbability).toFixed(LOGPROB_DECIMALS),
    ungrammatical_logprob: roundLogProbability(ungrammatical.logProbability)
      .toFixed(LOGPROB_DECIMALS),
    grammatical_tokens: grammatical.tokens,
    ungrammatical_tokens: ungrammatical.tokens,
    grammatical_bytes: grammatical.bytes,
    ungrammatical_bytes: ungrammatical.bytes,
  }),
  parse: (record) => {
    if (record.model === "" || record.pair_id === "") {
      throw new SyntaxError("model or pair is empty");
    }
    const member = (name: "grammatical" | "ungrammatical"): Likelihood => ({
      logProbability: parseNats(record[`${name}_logprob`]),
      tokens: parseCount(record[`${name}_tokens`]),
      bytes: parseCount(record[`${name}_bytes`]),
    });
    return {
      model: record.model,
      pairId: record.pair_id,
      grammatical: member("grammatical"),
      ungrammatical: member("ungrammatical"),
    };
  },
  keyOf: likelihoodKey,
};

function parseNats(text: string): number {
  if (!/^(?:-\d+|0)\.\d{6}$/.test(text)) {
    throw new SyntaxError(`"${text}" is no log-probability with ${LOGPROB_DECIMALS} decimals`);
  }
  return Number(text);
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new SyntaxError(`"${text}" is no count`);
  return Number(text);
}

/** Of each model, how many of the pairs it has not scored; 0 for a complete one. */
export function missingLikelihoods(
  { pairs, likelihoods, models }: {
    readonly pairs: readonly Pick<MinimalPair, "id">[];
    readonly likelihoods: readonly PairLikelihood[];
    readonly models: readonly string[];
  },
): ReadonlyMap<string, number> {
  const there = new Set(likelihoods.map(likelihoodKey));
  const lacks = (model: string) =>
    pairs.filter(({ id: pairId }) => !there.has(likelihoodKey({ model, pairId }))).length;
  return new Map(models.map((model) => [model, lacks(model)]));
}

/** By model name, then in the order of the pairs. */
export function compareLikelihoods(
  pairIds: readonly string[],
): (a: PairLikelihood, b: PairLikelihood) => number {
  const place = new Map(pairIds.map((id, index) => [id, index]));
  const at = ({ pairId }: PairLikelihood) => place.get(pairId) ?? pairIds.length;
  return (a, b) => compareText(a.model, b.model) || at(a) - at(b);
}
