import { dirname, join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { splitLines } from "../../files/csv.ts";
import { openProgress } from "../../files/progress.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import type { Passage } from "../types.ts";
import { cosineLikeness, overlapLikeness } from "../verifiers/baselines.ts";
import { pairVector, type TrainedWeights } from "../verifiers/head.ts";
import { type LoadedTools, verifierTools } from "../verifiers/trained_verifier.ts";

/** Numbers of a claim against its sources; undefined where these have no sentence. */
export type Vector = readonly number[] | undefined;

/**
 * Which numbers: the readable features alone, which is all that the verifier that ships reads; then
 * word overlap and sentence cosine, for whatever is measured beside it; or then the sentence vectors
 * of claim and evidence.
 */
type VectorKind = "features" | "baselines" | "pairs";

/** The vectors of cases, in their order; the label is for the progress. */
export type VectorReader = (
  label: string,
  cases: readonly LabelledCase[],
) => Promise<readonly Vector[]>;

/** What vectors are made with, and where they are kept. */
interface VectorTools extends LoadedTools {
  readonly cacheDirectory: string;
  readonly gazetteer: TrainedWeights["gazetteer"];
}

/**
 * Makes vectors of cases. Each is appended to a file of the cache as it comes, named by the version of
 * the features: a run that was ended goes on where it was.
 */
export function vectorReader(kind: VectorKind, tools: VectorTools): VectorReader {
  const { cacheDirectory, gazetteer, encoder } = tools;
  const { read } = verifierTools(gazetteer, tools);
  const path = join(cacheDirectory, "verifier", `${kind}.version-${FEATURES_VERSION}.txt`);
  return async (label, cases) => {
    using store = openVectorStore(path);
    using progress = openProgress(label, cases.length, { resumed: storedCases(cases, store) });
    return await caseVectors(cases, {
      store,
      onCase: () => progress.advance(),
      read: (passages) => {
        const reader = read(passages);
        const likeness = kind === "baselines" ? baselineLikeness(passages, tools) : undefined;
        return async (claim) => {
          const found = await reader.features(claim);
          if (kind === "pairs") return await pairVector(claim, found, encoder);
          if (found.evidence.length === 0) return undefined;
          return [...found.values, ...await likeness?.(claim) ?? []];
        };
      },
    });
  };
}

/** Word overlap and sentence cosine; 0 where the claim has no content word. */
function baselineLikeness(passages: readonly Passage[], { encoder }: LoadedTools) {
  const overlap = overlapLikeness(passages);
  return async (claim: string): Promise<readonly number[]> => {
    const [cosine] = await cosineLikeness([claim], passages, encoder);
    return [overlap(claim)?.score ?? 0, cosine?.score ?? 0];
  };
}

/** Vectors by the case they belong to. */
interface VectorStore {
  has(key: string): boolean;
  get(key: string): Vector;
  add(key: string, vector: Vector): void;
}

interface CaseVectorsOptions {
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

/** Vectors in a file of one line each: the key, the numbers or "none", and a full stop. */
export function openVectorStore(path: string): VectorStore & Disposable {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, { append: true, create: true, read: true });
  const known = new Map<string, Vector>();
  for (const { bytes } of splitLines(Deno.readFileSync(path))) {
    const [key, ...rest] = new TextDecoder().decode(bytes).trim().split(" ");
    // A line that a killed run left cut has no full stop of its own.
    if (rest.pop() === ".") known.set(key!, rest[0] === "none" ? undefined : rest.map(Number));
  }
  const write = (line: string) => file.writeSync(new TextEncoder().encode(line));
  // Ends such a line; an empty one is passed over.
  write("\n");
  return {
    has: (key) => known.has(key),
    get: (key) => known.get(key),
    add(key, vector) {
      known.set(key, vector);
      write(`${key} ${vector?.join(" ") ?? "none"} .\n`);
    },
    [Symbol.dispose]: () => file.close(),
  };
}
