import { lendingPool } from "../llama/engine.ts";
import type { WordPieceVocabulary } from "./word_pieces.ts";

/** A model that converts a text to a vector. */
export interface SentenceEncoder extends AsyncDisposable {
  readonly name: string;
  /** Settings that could change a vector: file hashes, precision, threads, batch shape. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly dimensions: number;
  /**
   * Returns one read-only unit vector per text, in order: the mean of all token vectors, special
   * tokens included. Throws the signal's reason when it aborts, after the current run.
   */
  encode(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
  /** Clears the cache of encoded texts, to free memory. */
  clear(): void;
}

/** Network of a sentence encoder, from token ids to contextual vectors. */
interface EncoderNetwork extends AsyncDisposable {
  readonly dimensions: number;
  readonly batchSequences: number;
  /** Returns the last layer's token vectors, row by row. Valid until the next run. */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array>;
}

interface EncoderParts {
  readonly name: string;
  readonly settings: SentenceEncoder["settings"];
  readonly network: EncoderNetwork;
  readonly vocabulary: WordPieceVocabulary;
  /** Maximum number of tokens of a text, with two special ones. */
  readonly longest: number;
  /** Maximum number of tokens in a shared run. A longer text has its own run. */
  readonly sharedTokens: number;
  /** Size of the cache of encoded texts in bytes. The least recently used are removed first. */
  readonly cacheBytes: number;
}

/**
 * Combines a network and its vocabulary to a sentence encoder. Disposing of it disposes of the
 * network.
 */
export function networkEncoder(parts: EncoderParts): SentenceEncoder {
  const { name, settings, network, cacheBytes } = parts;
  const cache = new Map<string, Float32Array>();
  let bytes = 0;
  const forget = (text: string) => {
    const found = cache.get(text);
    if (cache.delete(text)) bytes -= sizeOf(text, found!);
    return found;
  };
  const keep = (text: string, encoded: Float32Array) => {
    forget(text);
    cache.set(text, encoded);
    bytes += sizeOf(text, encoded);
    for (const oldest of cache.keys()) {
      if (bytes <= cacheBytes) break;
      forget(oldest);
    }
  };
  const { lend, close } = lendingPool(1, () => network);
  return {
    name,
    settings,
    dimensions: network.dimensions,
    encode(texts, { signal } = {}) {
      return lend(async () => {
        const known = new Map<string, Float32Array>();
        for (const text of texts) {
          const found = cache.get(text);
          if (found === undefined) continue;
          known.set(text, found);
          keep(text, found);
        }
        const missing = [...new Set(texts)].filter((text) => !known.has(text));
        for await (const [text, encoded] of encodeAll(missing, parts, signal)) {
          known.set(text, encoded);
          keep(text, encoded);
        }
        return texts.map((text) => known.get(text)!);
      });
    },
    clear() {
      cache.clear();
      bytes = 0;
    },
    async [Symbol.asyncDispose]() {
      await close();
      this.clear();
      await network[Symbol.asyncDispose]();
    },
  };
}

/** Estimates the size of a cache entry: vector, text and 400 bytes. */
function sizeOf(text: string, vector: Float32Array): number {
  return 400 + 2 * text.length + vector.byteLength;
}

async function* encodeAll(
  texts: readonly string[],
  { network, vocabulary, longest, sharedTokens }: EncoderParts,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly [string, Float32Array]> {
  const rows = texts.map((text) => {
    const pieces = vocabulary.tokenise(text).slice(0, longest - 2);
    return { text, ids: [vocabulary.first, ...pieces, vocabulary.last] };
  });
  const limits = { tokens: sharedTokens, sequences: network.batchSequences };
  for (const [begin, end] of batches(rows.map(({ ids }) => ids.length), limits)) {
    signal?.throwIfAborted();
    const run = rows.slice(begin, end);
    const values = await network.run(run.map(({ ids }) => ids));
    let at = 0;
    for (const { text, ids } of run) {
      const next = at + ids.length * network.dimensions;
      yield [text, unitMean(values.subarray(at, next), ids.length)];
      at = next;
    }
  }
}

/**
 * Divides texts into runs [begin, end) by their numbers of tokens. One above the limit has its own
 * run.
 */
function batches(
  lengths: readonly number[],
  { tokens, sequences }: { readonly tokens: number; readonly sequences: number },
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let sum = 0;
  lengths.forEach((length, index) => {
    const run = runs.at(-1);
    sum += length;
    if (run && sum <= tokens && index - run[0] < sequences) run[1] = index + 1;
    else {
      runs.push([index, index + 1]);
      sum = length;
    }
  });
  return runs;
}

/** Returns the mean of `count` rows, scaled to unit length; a zero vector stays zero. */
function unitMean(rows: Float32Array, count: number): Float32Array {
  const width = rows.length / count;
  const sum = new Float64Array(width);
  for (let i = 0; i < rows.length; i++) sum[i % width]! += rows[i]!;
  const mean = sum.map((value) => value / count);
  let square = 0;
  for (const value of mean) square += value * value;
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  return Float32Array.from(mean, (value) => value * scale);
}

/** Settings of an encoder that can change results: name, weights, precision. */
export function encoderSettings(
  { name, settings: { weightsSha256, precision } }: SentenceEncoder,
): Readonly<Record<string, string | number | boolean>> {
  return {
    encoder: name,
    ...(weightsSha256 === undefined ? {} : { encoderSha256: weightsSha256 }),
    ...(precision === undefined ? {} : { encoderPrecision: precision }),
  };
}

/** Cosine similarity; 0 for a zero vector. @throws {RangeError} for unequal lengths. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(`Cannot compare vectors of ${a.length} and ${b.length} components`);
  }
  let [dot, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    squareA += a[i]! * a[i]!;
    squareB += b[i]! * b[i]!;
  }
  if (squareA === 0 || squareB === 0) return 0;
  return Math.max(-1, Math.min(1, dot / Math.sqrt(squareA * squareB)));
}
