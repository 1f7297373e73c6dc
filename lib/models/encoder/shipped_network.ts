/**
 * Stores a fine-tuned MiniLM as the 8-bit difference between its layers and the published ones.
 *
 * Differences are small relative to weights, so that rounding loses little. The published weights
 * are in a package. Both are added once, in the cache.
 * @module
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex, shownPath } from "../../files/atomic.ts";
import {
  dequantise,
  type GgufTensor,
  type GgufValue,
  makeOnce,
  readGguf,
  type Weights,
  writeGguf,
} from "../llama/weights.ts";
import { isEmbeddingTensor, miniLmFiles } from "./minilm.ts";

/** Metadata key of a file of layers: SHA-256 of the network that was fine-tuned. */
const PUBLISHED_SHA256 = "touchstone.layers.published_sha256";
const TOKENS = "tokenizer.ggml.tokens";
const FILE_TYPE = "general.file_type";
const MOSTLY_F16: GgufValue = { type: "u32", value: 1 };
const MOSTLY_Q8_0: GgufValue = { type: "u32", value: 7 };

/** Contents of a network's GGUF file, from `crossEncoderMetadata` and `crossEncoderTensors`. */
interface WholeNetwork {
  readonly metadata: Readonly<Record<string, GgufValue>>;
  /** Tensors of 32-bit floats. */
  readonly tensors: readonly GgufTensor[];
}

/**
 * Writes the trained parts of a network. Matrices of layers are stored as Q8_0 differences, those
 * of the head as F16, vectors as F32. Embeddings and tokens are the published ones and are left
 * out.
 * @param publishedPath GGUF file (F32) of the network that was fine-tuned, see `miniLmFiles`.
 * @throws {SyntaxError} for embeddings or tokens other than the published ones; {RangeError} for a
 * weight that is not finite, or a row length that is no multiple of 32.
 */
export function splitNetwork(
  layersPath: string,
  { metadata, tensors }: WholeNetwork,
  publishedPath: string,
): void {
  const published = publishedNetwork(publishedPath);
  const { [TOKENS]: tokens, ...rest } = metadata;
  const embeddings = tensors.filter(isEmbeddingTensor);
  const isFrozen = JSON.stringify(tokens) === JSON.stringify(published.tokens) &&
    embeddings.every((tensor) => {
      const before = published.weights(tensor);
      return before !== undefined &&
        dequantise(tensor).every((weight, at) => weight === before[at]);
    });
  if (!isFrozen) {
    throw new SyntaxError(
      `Cannot write ${shownPath(layersPath)}: embeddings or tokens are others than those in ` +
        `${published.shown}; train with these, frozen`,
    );
  }
  const trained = tensors.filter((tensor) => !isEmbeddingTensor(tensor)).map((tensor) => {
    if (!isMatrix(tensor)) return tensor;
    const before = published.weights(tensor);
    const weights = dequantise(tensor);
    if (before === undefined) return inHalves(tensor, weights);
    return inBlocks(tensor, weights.map((weight, at) => weight - before[at]!));
  });
  const marked: WholeNetwork["metadata"] = {
    ...rest,
    [FILE_TYPE]: MOSTLY_Q8_0,
    [PUBLISHED_SHA256]: { type: "text", value: published.sha256 },
  };
  writeGguf(layersPath, marked, trained);
}

/**
 * Restores the complete network from a file of {@link splitNetwork}. It is a GGUF file in `models`
 * of the cache, named after the SHA-256 of the source, and made once. Matrices are F16, because
 * kernels for Q8_0 also round their inputs. The bytes are the same on every machine.
 * @param options `sha256`: expected hash of the network; `published`: returns the path of the
 * network that was fine-tuned, by default MiniLM's.
 * @throws {SyntaxError} for a damaged or wrong file, or another SHA-256; {Deno.errors.NotFound}
 * without layers; {AcquisitionError} without the package.
 */
export async function joinNetwork(
  layersPath: string,
  { cacheDirectory, sha256, published = packagedNetwork }: {
    readonly cacheDirectory: string;
    readonly sha256?: string;
    readonly published?: (cacheDirectory: string) => Promise<string>;
  },
): Promise<Weights> {
  const shown = shownPath(layersPath);
  const bytes = await Deno.readFile(layersPath).catch((cause) => {
    throw new Deno.errors.NotFound(`Cannot join ${shown}: it cannot be read`, { cause });
  });
  const digest = sha256Hex(bytes);
  const path = join(cacheDirectory, "models", `verifier-${digest.slice(0, 12)}.gguf`);
  const made = () =>
    makeOnce(path, digest, async () => {
      const { metadata, tensors } = joined({ shown, bytes }, await published(cacheDirectory));
      writeGguf(path, metadata, tensors);
    });
  const weights = await made();
  if (sha256 === undefined || weights.sha256 === sha256) return weights;
  // It may be what an earlier version of this code made.
  rmSync(path, { force: true });
  const { sha256: found } = await made();
  if (found === sha256) return { path, sha256 };
  rmSync(path, { force: true });
  throw new SyntaxError(
    `Cannot join ${shown}: what comes of it, ${
      shownPath(path)
    }, would have SHA-256 ${found}, not ` +
      `${sha256}; restore ${shown}, or correct the SHA-256 that is named`,
  );
}

/**
 * Returns the path of the complete network, joined if necessary. Throws as {@link joinNetwork}
 * does.
 */
export async function wholeNetwork(
  path: string,
  options: { readonly cacheDirectory: string },
): Promise<string> {
  const { metadata } = readGguf(shownPath(path), Deno.readFileSync(path));
  return PUBLISHED_SHA256 in metadata ? (await joinNetwork(path, options)).path : path;
}

async function packagedNetwork(cacheDirectory: string): Promise<string> {
  return (await miniLmFiles(cacheDirectory)).weights.path;
}

function joined(
  { shown, bytes }: { readonly shown: string; readonly bytes: Uint8Array },
  publishedPath: string,
): WholeNetwork {
  const layers = readGguf(shown, bytes);
  const { [PUBLISHED_SHA256]: needed, ...metadata } = layers.metadata;
  if (needed === undefined) {
    throw new SyntaxError(
      `Cannot join ${shown}: it is no file of layers alone; a whole network is opened as it is`,
    );
  }
  const published = publishedNetwork(publishedPath);
  if (needed.value !== published.sha256) {
    throw new SyntaxError(
      `Cannot join ${shown} with ${published.shown}: another network was fine-tuned; delete ` +
        `${published.shown}, so that it is made anew, or train with it`,
    );
  }
  const trained = [...layers.tensors.values()].map((tensor) => {
    if (tensor.type !== "Q8_0") return tensor;
    const before = published.weights(tensor);
    if (before !== undefined) return inHalves(tensor, sums(tensor, before));
    throw new SyntaxError(
      `Cannot join ${shown} with ${published.shown}: only one has the tensor ${tensor.name}`,
    );
  });
  // llama.cpp adds embeddings of positions and types in 32 bits only.
  const embeddings = published.embeddings.map((tensor) =>
    tensor.name === "token_embd.weight" ? inHalves(tensor, dequantise(tensor)) : tensor
  );
  return {
    metadata: { ...metadata, [FILE_TYPE]: MOSTLY_F16, [TOKENS]: published.tokens },
    tensors: [...embeddings, ...trained],
  };
}

function publishedNetwork(path: string) {
  const shown = shownPath(path);
  const { metadata: { [TOKENS]: tokens }, tensors } = readGguf(shown, Deno.readFileSync(path));
  if (tokens === undefined) throw new SyntaxError(`Cannot use ${shown}: it has no tokens`);
  const all = [...tensors.values()];
  const lines = all.map(({ name, shape, bytes }) => `${name} [${shape}] ${sha256Hex(bytes)}`);
  return {
    shown,
    tokens,
    embeddings: all.filter(isEmbeddingTensor),
    /** SHA-256 of tokens and weights. */
    sha256: sha256Hex(JSON.stringify([tokens, lines])),
    /** Returns a tensor's weights by its name; undefined without one of this shape. */
    weights({ name, shape }: GgufTensor): Float32Array | undefined {
      const tensor = tensors.get(name);
      return String(tensor?.shape) === String(shape) ? dequantise(tensor!) : undefined;
    },
  };
}

const isMatrix = ({ shape }: GgufTensor) => shape.length > 1;

/** Rounds weights to 16-bit floats. */
function inHalves({ name, shape }: GgufTensor, weights: Float32Array | Float64Array): GgufTensor {
  const bytes = new Uint8Array(new Float16Array(weights).buffer);
  return { name, shape, type: "F16", bytes };
}

/** Number of weights per scale in Q8_0, and the bytes of both. */
const BLOCK = 32;
const SCALE_BYTES = 2;
const BLOCK_BYTES = SCALE_BYTES + BLOCK;
/** Maximum integer of a quantised weight. */
const STEPS = 127;

/** Quantises weights to integer multiples of their block's 16-bit scale. */
function inBlocks({ name, shape }: GgufTensor, weights: Float32Array): GgufTensor {
  const cannot = `Cannot write tensor ${name} at 8 bits`;
  if (shape.at(-1)! % BLOCK !== 0) {
    throw new RangeError(`${cannot}: its rows of ${shape.at(-1)} are no whole blocks of ${BLOCK}`);
  }
  const bytes = new Uint8Array(weights.length / BLOCK * BLOCK_BYTES);
  const view = new DataView(bytes.buffer);
  for (let from = 0, at = 0; from < weights.length; from += BLOCK, at += BLOCK_BYTES) {
    const block = weights.subarray(from, from + BLOCK);
    const scale = Math.f16round(Math.max(...block.map(Math.abs)) / STEPS);
    if (!Number.isFinite(scale)) {
      throw new RangeError(`${cannot}: a weight is not a number or too great`);
    }
    view.setFloat16(at, scale, true);
    block.forEach((weight, index) => {
      // The scale may have been rounded down.
      const steps = scale === 0 ? 0 : Math.max(-STEPS, Math.min(STEPS, weight / scale));
      view.setInt8(at + SCALE_BYTES + index, Math.round(steps));
    });
  }
  return { name, shape, type: "Q8_0", bytes };
}

/** Adds the dequantised difference to the published weights in full precision. */
function sums(tensor: GgufTensor, published: Float32Array): Float64Array {
  const steps = dequantise(tensor);
  return Float64Array.from(published, (weight, index) => weight + steps[index]!);
}
