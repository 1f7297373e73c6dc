import type { CertifiedPair } from "./certify.ts";
import { formatPairId } from "./identifier.ts";
import type { Certificate, MinimalPair } from "./pair.ts";

/** A pair of the data set with its certificate. */
export interface DatasetItem<Phenomenon extends string = string> {
  readonly pair: MinimalPair<Phenomenon>;
  readonly certificate: Certificate;
}

/** Numbers the chosen pairs from 001 within each phenomenon, in the order given. */
export function numberPairs<Phenomenon extends string>(
  prefix: string,
  chosen: readonly CertifiedPair<Phenomenon>[],
): readonly DatasetItem<Phenomenon>[] {
  const counts = new Map<Phenomenon, number>();
  return chosen.map(({ pair, certificate }) => {
    const n = (counts.get(pair.phenomenon) ?? 0) + 1;
    counts.set(pair.phenomenon, n);
    const id = formatPairId(prefix, pair.phenomenon, n);
    return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
  });
}
