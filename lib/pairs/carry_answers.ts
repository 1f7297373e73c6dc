import type { MinimalPair } from "./pair.ts";
import { pairsHash, type RunRecord } from "./run_settings.ts";

type Sentences = Pick<MinimalPair, "id" | "grammatical" | "ungrammatical">;

/**
 * Which of the earlier pairs ask what a present one asks: the same two sentences, whatever number
 * they have now. Earlier id → present id.
 */
export function sameQuestions(
  before: readonly Sentences[],
  now: readonly Sentences[],
): ReadonlyMap<string, string> {
  const key = ({ grammatical, ungrammatical }: Sentences) =>
    JSON.stringify([grammatical, ungrammatical]);
  const present = new Map(now.map((pair) => [key(pair), pair.id]));
  return new Map(before.flatMap((pair) => {
    const id = present.get(key(pair));
    return id === undefined ? [] : [[pair.id, id] as const];
  }));
}

/** Rows under the ids that their pairs have now; rows of pairs that are gone are left out. */
export function carryRows<Row extends { readonly pairId: string }>(
  rows: readonly Row[],
  ids: ReadonlyMap<string, string>,
): readonly Row[] {
  return rows.flatMap((row) => {
    const pairId = ids.get(row.pairId);
    return pairId === undefined ? [] : [{ ...row, pairId }];
  });
}

/** A model's settings as they are beside the present pairs: each was asked about by itself. */
export function carryRecord(record: RunRecord, pairs: readonly MinimalPair[]): RunRecord {
  return { ...record, task: { ...record.task, pairsSha256: pairsHash(pairs) } };
}
