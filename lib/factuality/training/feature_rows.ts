import { sha256Hex } from "../../files/checksum.ts";
import type { LabelledCase } from "../cases/labelled_case.ts";
import type { SourceReader } from "../features/features.ts";
import type { Passage } from "../retrieval/passage.ts";

/** Feature vectors by the case they belong to; kept on disk by whoever passes it in. */
export interface FeatureStore {
  get(key: string): readonly number[] | undefined;
  add(key: string, values: readonly number[]): void;
}

export interface FeatureRowsOptions {
  readonly read: (passages: readonly Passage[]) => SourceReader;
  readonly store: FeatureStore;
  /** After each case: how many are done, and how many of them the store had. */
  readonly onProgress?: (done: number, resumed: number) => void;
}

/** The vectors of the cases, in their order; cases of one source are read together. */
export async function featureRows(
  cases: readonly LabelledCase[],
  { read, store, onProgress }: FeatureRowsOptions,
): Promise<readonly (readonly number[])[]> {
  let [done, resumed] = [0, 0];
  let last: { readonly source: string; readonly reader: SourceReader } | undefined;
  const rows: (readonly number[])[] = [];
  for (const { claim, passages } of cases) {
    const source = JSON.stringify(passages);
    const key = sha256Hex(`${claim}\n${source}`);
    let values = store.get(key);
    if (values === undefined) {
      if (last?.source !== source) last = { source, reader: read(passages) };
      ({ values } = await last.reader.features(claim));
      store.add(key, values);
    } else resumed++;
    rows.push(values);
    onProgress?.(++done, resumed);
  }
  return rows;
}
