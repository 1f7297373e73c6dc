import { sha256Hex } from "../../files/checksum.ts";
import type { LabelledCase } from "../cases/labelled_case.ts";
import type { Passage } from "../retrieval/passage.ts";

/** Numbers of a claim against its sources; undefined where these have no sentence. */
export type Vector = readonly number[] | undefined;

/** Vectors by the case they belong to; kept on disk by whoever passes it in. */
export interface VectorStore {
  has(key: string): boolean;
  get(key: string): Vector;
  add(key: string, vector: Vector): void;
}

export interface CaseVectorsOptions {
  /** Reads passages once, for any number of claims. */
  readonly read: (passages: readonly Passage[]) => (claim: string) => Promise<Vector>;
  readonly store: VectorStore;
  /** After each case that the store did not have. */
  readonly onCase?: () => void;
}

/** The vectors of the cases, in their order; neighbouring cases of one source are read together. */
export async function caseVectors(
  cases: readonly LabelledCase[],
  { read, store, onCase }: CaseVectorsOptions,
): Promise<readonly Vector[]> {
  let last: { readonly source: string; readonly vector: ReturnType<typeof read> } | undefined;
  const vectors: Vector[] = [];
  for (const { claim, passages } of cases) {
    const source = JSON.stringify(passages);
    const key = caseKey(claim, source);
    if (!store.has(key)) {
      if (last?.source !== source) last = { source, vector: read(passages) };
      store.add(key, await last.vector(claim));
      onCase?.();
    }
    vectors.push(store.get(key));
  }
  return vectors;
}

/** How many of the cases the store has. */
export function storedCases(cases: readonly LabelledCase[], store: VectorStore): number {
  return cases.filter(({ claim, passages }) => store.has(caseKey(claim, JSON.stringify(passages))))
    .length;
}

function caseKey(claim: string, source: string): string {
  return sha256Hex(`${claim}\n${source}`);
}
