import { dirname, join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { splitLines } from "../../files/csv.ts";
import { openProgress } from "../../files/progress.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { FEATURES_VERSION } from "../features/features.ts";
import type { Passage } from "../types.ts";
import { cosineLikeness, overlapLikeness } from "../verifiers/baselines.ts";
import { pairVector, verifierTools } from "../verifiers/head.ts";
import type { LoadedTools, TrainedWeights } from "../verifiers/head.ts";

/** Numbers of a claim against its sources; undefined where these have no sentence. */
export type Vector = readonly number[] | undefined;

/** The vectors of cases, in their order; the label is for the progress. */
type VectorReader = (label: string, cases: readonly LabelledCase[]) => Promise<readonly Vector[]>;

/** What vectors are made with, and where they are kept. */
interface VectorTools extends LoadedTools {
  readonly cacheDirectory: string;
  readonly gazetteer: TrainedWeights["gazetteer"];
}

/**
 * Makes vectors of cases. Each is appended to a file of the cache as it comes, named by the version of
 * the features: a run that was ended goes on where it was.
 * @param kind The readable features alone; then word overlap and sentence cosine; or then the sentence
 * vectors of claim and evidence.
 */
export function vectorReader(
  kind: "features" | "baselines" | "pairs",
  tools: VectorTools,
): VectorReader {
  const { cacheDirectory, gazetteer, encoder } = tools;
  const { read } = verifierTools(gazetteer, tools);
  const path = join(cacheDirectory, "verifier", `${kind}.version-${FEATURES_VERSION}.txt`);
  return (label, cases) =>
    caseVectors(label, cases, path, (passages) => {
      const reader = read(passages);
      const likeness = kind === "baselines" ? baselineLikeness(passages, tools) : undefined;
      return async (claim) => {
        const found = await reader.features(claim);
        if (kind === "pairs") return await pairVector(claim, found, encoder);
        if (found.evidence.length === 0) return undefined;
        return [...found.values, ...await likeness?.(claim) ?? []];
      };
    });
}

/** Word overlap and sentence cosine; 0 where the claim has no content word. */
function baselineLikeness(passages: readonly Passage[], { encoder }: LoadedTools) {
  const overlap = overlapLikeness(passages);
  return async (claim: string): Promise<readonly number[]> => {
    const [cosine] = await cosineLikeness([claim], passages, encoder);
    return [overlap(claim)?.score ?? 0, cosine?.score ?? 0];
  };
}

/**
 * The vectors of the cases, in their order, those that the file at the path lacks made and appended;
 * neighbouring cases of one source are read together.
 */
export async function caseVectors(
  label: string,
  cases: readonly LabelledCase[],
  path: string,
  read: (passages: readonly Passage[]) => (claim: string) => Promise<Vector>,
): Promise<readonly Vector[]> {
  using store = openVectorStore(path);
  const keyed = cases.map(({ claim, passages }) => {
    const source = JSON.stringify(passages);
    return { claim, passages, source, key: sha256Hex(`${claim}\n${source}`) };
  });
  const resumed = keyed.filter(({ key }) => store.known.has(key)).length;
  using progress = openProgress(label, cases.length, { resumed });
  let last: { readonly source: string; readonly vector: ReturnType<typeof read> } | undefined;
  for (const { claim, passages, source, key } of keyed) {
    if (store.known.has(key)) continue;
    if (last?.source !== source) last = { source, vector: read(passages) };
    store.add(key, await last.vector(claim));
    progress.advance();
  }
  return keyed.map(({ key }) => store.known.get(key));
}

/** Vectors in a file of one line each: the key, the numbers or "none", and a full stop. */
function openVectorStore(path: string) {
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
    known,
    add(key: string, vector: Vector) {
      known.set(key, vector);
      write(`${key} ${vector?.join(" ") ?? "none"} .\n`);
    },
    [Symbol.dispose]: () => file.close(),
  };
}
