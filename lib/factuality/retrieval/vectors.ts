import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { readArrays, writeArrays } from "./store.ts";

/** Sentence vectors of texts, in order. Throws the signal's reason after the run under way. */
export type SentenceVectors = (
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly Float32Array<ArrayBuffer>[]>;

/** A file of vectors, and whose they are: the digest of the passages and what reads them. */
interface VectorFile {
  readonly path: string;
  readonly of: string;
}

/** Vectors kept: 1.5 kB each of 384 components, 30 MB together. */
const KEPT = 20_000;
/** As many new ones are written at once: whoever kills a run loses no more. */
const SAVED_EVERY = 1000;

const HEADER = z.object({
  of: z.string(),
  dimensions: z.int().positive(),
  /** Of the texts, in the order of their vectors. */
  keys: z.array(z.string()),
});

/** Enough of a text's SHA-256 to tell texts apart. */
const keyOf = (text: string) => sha256Hex(text).slice(0, 32);

/**
 * Sentence vectors, each text encoded once and kept, the oldest going first: claims of one text ask
 * about the same country or article, so about the same parts. With a file they are kept from run
 * to run: one that is torn, damaged or another's is made anew. Several encoders share the work; a vector's last digits depend on
 * the texts that it was encoded beside (a cosine moves by some 2e-4), so what must come out the same to the last digit
 * has one encoder and no file.
 */
export function sentenceVectors(encoders: readonly SentenceEncoder[], file?: VectorFile) {
  const kept = file && readVectors(file) || new Map<string, Float32Array<ArrayBuffer>>();
  let unsaved = 0;
  const save = () => {
    if (file === undefined || unsaved === 0) return;
    const dimensions = encoders[0]!.dimensions;
    const all = new Float32Array(kept.size * dimensions);
    for (const [index, vector] of [...kept.values()].entries()) all.set(vector, index * dimensions);
    writeArrays(file.path, { of: file.of, dimensions, keys: [...kept.keys()] }, [all]);
    unsaved = 0;
  };
  const vectors: SentenceVectors = async (texts, signal) => {
    const keys = texts.map(keyOf);
    const unknown = [...new Set(texts)].filter((text) => !kept.has(keyOf(text)));
    const share = Math.ceil(unknown.length / encoders.length);
    const encoded = await Promise.all(encoders.map((encoder, at) => {
      const own = unknown.slice(at * share, (at + 1) * share);
      return own.length > 0 ? encoder.encode(own, { signal }) : [];
    }));
    for (const [at, vector] of encoded.flat().entries()) {
      kept.set(keyOf(unknown[at]!), new Float32Array(vector));
    }
    const found = keys.map((key) => kept.get(key)!);
    for (const key of kept.keys().take(Math.max(0, kept.size - KEPT))) kept.delete(key);
    unsaved += unknown.length;
    if (unsaved >= SAVED_EVERY) save();
    return found;
  };
  return { vectors, save };
}

function readVectors({ path, of }: VectorFile) {
  return readArrays(path, HEADER.refine((header) => header.of === of), (header, next) => {
    const { dimensions, keys } = header;
    return new Map(keys.map((key) => [key, new Float32Array(next(4 * dimensions))] as const));
  });
}
