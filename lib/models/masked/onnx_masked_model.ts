import { resolve } from "node:path";
import { shownPath } from "../../files/atomic.ts";
import { encoderModel, type MaskedEncoder } from "./encoder_model.ts";
import type { MaskedModel } from "./pseudo_likelihood.ts";
import {
  holdsFile,
  loadTransformers,
  ONNX_DESCRIPTIONS,
  onnxHashes,
  type Transformers,
} from "./transformers_package.ts";

/** A masked language model in a local folder. */
export interface OnnxEntry {
  readonly id: string;
  /** The folder, with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
}

export interface OnnxOptions {
  /** Git-ignored folder where `deno task bench masked --install` put transformers.js. */
  readonly cacheDirectory: string;
  /** Threads of evaluation; the number of cores, at most 2, where left out. */
  readonly threads?: number;
}

/** Weights outside this file may stand beside it. */
const NETWORK = "onnx/model.onnx";

/**
 * Any masked language model in ONNX, with its tokeniser, from a local folder through
 * transformers.js, in float32 on the processor. Needs `--allow-read`, `--allow-ffi`, `--allow-env`
 * and `--allow-sys`.
 * @throws {Deno.errors.NotFound} where a file or transformers.js is missing; {TypeError} where the
 * folder holds no masked language model that it can read.
 */
export async function openOnnxMaskedModel(
  { id, path, licence }: OnnxEntry,
  { cacheDirectory, threads = Math.min(2, navigator.hardwareConcurrency) }: OnnxOptions,
): Promise<MaskedModel & AsyncDisposable> {
  const missing = [...ONNX_DESCRIPTIONS, NETWORK].filter((file) => !holdsFile(path, file));
  if (missing.length > 0) {
    throw new Deno.errors.NotFound(
      `Cannot open masked model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
        "put them there, or correct the path of its panel entry",
    );
  }
  const transformers = loadTransformers(cacheDirectory);
  const encoder = await openEncoder(transformers, path, threads).catch((cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open masked model ${id}: ${why}`, { cause });
  });
  const settings = {
    ...onnxHashes(path, NETWORK),
    engine: `transformers.js ${transformers.env.version}`,
    precision: "F32",
    threads,
    licence,
  };
  return {
    ...encoderModel(id, encoder, settings),
    [Symbol.asyncDispose]: async () => void await encoder.dispose(),
  };
}

/** The network and tokeniser of a local folder. @throws {TypeError} for one that masks nothing. */
async function openEncoder(
  transformers: Transformers,
  path: string,
  threads: number,
): Promise<MaskedEncoder & { dispose(): Promise<unknown> }> {
  // A relative path would be taken for the name of a model on a host.
  const folder = resolve(path);
  const { AutoTokenizer, AutoModelForMaskedLM } = transformers;
  const tokeniser = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const { mask_token_id: maskId, unk_token_id: unknownId, model_max_length: bound } = tokeniser;
  if (typeof maskId !== "number") throw new TypeError("its tokeniser has no mask token");
  const model = await AutoModelForMaskedLM.from_pretrained(folder, {
    local_files_only: true,
    dtype: "fp32",
    device: "cpu",
    session_options: { intraOpNumThreads: threads },
  });
  const { vocab_size: vocabularySize, max_position_embeddings: places } = model.config;
  if (vocabularySize === undefined) throw new TypeError("its config.json has no vocab_size");
  const own = { add_special_tokens: false };
  return {
    maskId,
    unknownId: unknownId ?? undefined,
    vocabularySize,
    // A tokeniser without a bound says so by a huge number.
    longest: bound != null && bound < 1e6 ? bound : places ?? Infinity,
    encode: (text) => tokeniser.encode(text, own),
    pieces: (text) => tokeniser.tokenize(text, own),
    frame: (text) => tokeniser.encode(text, { add_special_tokens: true }),
    run: async (rows) => {
      const dimensions = [rows.length, rows[0]?.length ?? 0];
      const ids = BigInt64Array.from(rows.flat(), BigInt);
      const { Tensor } = transformers;
      const { logits } = await model({
        input_ids: new Tensor("int64", ids, dimensions),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), dimensions),
      });
      if (logits?.data instanceof Float32Array) {
        return { dimensions: logits.dims, values: logits.data };
      }
      throw new TypeError("Cannot read the model's output: it has no float32 logits");
    },
    dispose: () => model.dispose(),
  };
}
