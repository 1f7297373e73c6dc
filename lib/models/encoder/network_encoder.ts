import { lendingPool } from "../llama/engine.ts";
import type { WordPieceVocabulary } from "./word_pieces.ts";

/** A model that turns a text into one vector. */
export interface SentenceEncoder extends AsyncDisposable {
  readonly name: string;
  /** Settings that could change a vector: file hashes, precision, threads, batch shape. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly dimensions: number;
  /**
   * A vector a text, in order: the mean of the token vectors, the special tokens' included, at unit
   * length; not to be written to. Throws the signal's reason after the run under way.
   */
  encode(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
  /** Forgets the encoded texts that were kept, for want of memory. */
  clear(): void;
}

/** The network of a sentence encoder: numbers of tokens in, vectors in context out. */
interface EncoderNetwork extends AsyncDisposable {
  readonly dimensions: number;
  readonly batchSequences: number;
  /** The last layer's vectors of the sequences' tokens, row after row; valid until the next run. */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array>;
}

interface EncoderParts {
  readonly name: string;
  readonly settings: SentenceEncoder["settings"];
  readonly network: EncoderNetwork;
  readonly vocabulary: WordPieceVocabulary;
  /** Most tokens of a text, the two special ones included; at most the network's batch. */
  readonly longest: number;
  /** Most tokens of texts that share a run; a longer text has its own. */
  readonly sharedTokens: number;
  /** Memory for encoded texts, in bytes; those that were not asked for the longest go first. */
  readonly cacheBytes: number;
}

/** A network and its vocabulary as a sentence encoder. Disposing it disposes the network. */
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

/** An estimate: 400 bytes an entry, besides vector and text. */
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

/** Cuts rows, given their tokens, into runs [begin, end); one over the limit is alone. */
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

/** Returns the mean of `count` rows at unit length; zeros stay zeros. */
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

/** Cosine of the angle, 0 where a vector is all zeros. @throws {RangeError} for unequal lengths. */
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
