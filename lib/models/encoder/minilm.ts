import { join } from "node:path";
import type { LoadProgress } from "../local_models.ts";
import type { WeightPrecision } from "../llama/expand.ts";
import { ffiObstacle } from "../llama/open_engine.ts";
import { openLlamaLibrary } from "../llama/library.ts";
import { expandedWeights, type Weights } from "../llama/weights.ts";
import { llamaNetwork } from "./llama_network.ts";
import { miniLmFiles } from "./minilm_files.ts";
import { networkEncoder } from "./network_encoder.ts";
import type { SentenceEncoder } from "./sentence_encoder.ts";

const NAME = "all-MiniLM-L6-v2";
/** The length it was trained with; its package's sentence_bert_config.json says the same. */
const LONGEST = 256;
/**
 * Texts share an evaluation up to so many tokens. llama.cpp masks attention between texts but
 * computes it all the same: measured on one thread, a token costs least at 32 to 64 tokens, a tenth
 * more at 128, a third more at 256, twice as much at 512, and half as much again at 8.
 */
const SHARED_TOKENS = 64;
const BATCH_SEQUENCES = 32;
const CACHE_BYTES = 64 * 2 ** 20;

export interface MiniLmOptions {
  /** Git-ignored folder for packages and models; 175 MB for this one. */
  readonly cacheDirectory: string;
  /** Threads of evaluation; the number of cores, at most 2, where left out. */
  readonly threads?: number;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** F32 where left out. */
  readonly precision?: WeightPrecision;
  /** Memory for texts that were encoded, in bytes; 64 MB where left out, some 1,200 sentences. */
  readonly cacheBytes?: number;
}

/** @throws {TypeError} where llama.cpp cannot be called here; says what works all the same. */
export function assertEncoderUsable(obstacle: string | undefined = ffiObstacle()): void {
  if (obstacle === undefined) return;
  throw new TypeError(
    `Cannot load the sentence encoder ${NAME}: ${obstacle}. The word-overlap verifier and search ` +
      `without re-ranking need no encoder: choose them in the evaluation's configuration`,
  );
}

async function inPrecision(
  weights: Weights,
  precision: WeightPrecision,
  options: MiniLmOptions,
  threads: number,
): Promise<Weights> {
  if (precision === "F32") return weights;
  const directory = join(options.cacheDirectory, "models");
  const onProgress = (bytes: number) =>
    options.onProgress?.({ stage: "expand", model: NAME, bytes });
  return await expandedWeights(weights, { directory, precision, threads, onProgress });
}

/**
 * Brings all-MiniLM-L6-v2 into memory: download and conversion (once), loading (0.1 s).
 *
 * Texts are read up to 256 tokens, the model's own limit; {@link EncodedText.readTo} tells where.
 * Against PyTorch in float32 (120 texts, 3,702 tokens) the cosine is 0.99999 and more for sentences,
 * 0.99998 for tokens; what is left comes of llama.cpp's GELU, the approximation by tanh.
 * Needs `--allow-read`, `--allow-ffi`, `--allow-write` on the cache, and `--allow-run` of python3
 * for a first download.
 *
 * @throws {TypeError} where llama.cpp cannot be called through FFI here.
 * @throws {AcquisitionError} where the package cannot be had.
 */
export async function loadMiniLm(options: MiniLmOptions): Promise<SentenceEncoder> {
  assertEncoderUsable();
  const { onProgress, precision = "F32" } = options;
  const threads = options.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const { weights: source, vocabulary } = await miniLmFiles(
    options.cacheDirectory,
    (download) => onProgress?.({ stage: "download", model: NAME, download }),
  );
  const weights = await inPrecision(source, precision, options, threads);
  onProgress?.({ stage: "load", model: NAME });
  const shape = { batchTokens: LONGEST, batchSequences: BATCH_SEQUENCES, threads };
  return networkEncoder({
    name: NAME,
    settings: {
      engine: openLlamaLibrary().version,
      threads,
      longest: LONGEST,
      sharedTokens: SHARED_TOKENS,
      sharedTexts: BATCH_SEQUENCES,
      precision,
      weightsSha256: weights.sha256,
      licence: "Apache-2.0",
    },
    network: await llamaNetwork(weights.path, shape),
    vocabulary,
    longest: LONGEST,
    sharedTokens: SHARED_TOKENS,
    cacheBytes: options.cacheBytes ?? CACHE_BYTES,
  });
}
