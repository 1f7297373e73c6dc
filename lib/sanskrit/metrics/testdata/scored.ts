import type { PairLikelihood } from "../../../pairs/likelihood_rows.ts";

/** A row of made log-probabilities in nats; 4 tokens and 20 bytes a member unless told. */
export function scored(
  model: string,
  pairId: string,
  [grammatical, ungrammatical]: readonly [number, number],
  { tokens = 4, bytes = 20 }: { readonly tokens?: number; readonly bytes?: number } = {},
): PairLikelihood {
  const member = (logProbability: number) => ({ logProbability, tokens, bytes });
  return { model, pairId, grammatical: member(grammatical), ungrammatical: member(ungrammatical) };
}
