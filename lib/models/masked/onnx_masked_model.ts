import { shownPath } from "../../files/shown_path.ts";
import { encoderModel } from "./encoder_model.ts";
import type { MaskedModel } from "./masked_model.ts";
import { openEncoder } from "./onnx_encoder.ts";
import { holdsFile, ONNX_DESCRIPTIONS, onnxHashes } from "./onnx_folder.ts";
import { loadTransformers } from "./transformers_package.ts";

/** A masked language model in a local folder. */
export interface OnnxEntry {
  /** Names the model in every result. */
  readonly id: string;
  /** The folder, with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
}

export interface OnnxOptions {
  /** Git-ignored folder where `deno task masked --install` put transformers.js. */
  readonly cacheDirectory: string;
  /** Threads of evaluation; the number of cores, at most 2, where left out. */
  readonly threads?: number;
}

const NETWORK = "onnx/model.onnx";

/** What a folder must hold; weights outside `model.onnx` may stand beside it. */
const FILES = [...ONNX_DESCRIPTIONS, NETWORK];

/** @throws {Deno.errors.NotFound} naming what is missing. */
function assertComplete({ id, path }: OnnxEntry): void {
  const missing = FILES.filter((file) => !holdsFile(path, file));
  if (missing.length === 0) return;
  throw new Deno.errors.NotFound(
    `Cannot open masked model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
      "put them there, or correct the path of its panel entry",
  );
}

/**
 * Any masked language model in ONNX, with its tokeniser, from a local folder through transformers.js,
 * in float32 on the processor. Nothing is loaded before, and nothing comes from a network. `await
 * using` frees its memory. Words are what stands between white space (see `wordIndexes`).
 *
 * Needs `--allow-read`, `--allow-ffi`, `--allow-env` and `--allow-sys`.
 *
 * @throws {Deno.errors.NotFound} where a file or transformers.js is missing, with the remedy.
 * @throws {TypeError} where the folder holds no masked language model that transformers.js can read.
 */
export async function openOnnxMaskedModel(
  entry: OnnxEntry,
  options: OnnxOptions,
): Promise<MaskedModel & AsyncDisposable> {
  assertComplete(entry);
  const transformers = loadTransformers(options.cacheDirectory);
  const threads = options.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const encoder = await openEncoder(transformers, entry.path, { threads }).catch((cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open masked model ${entry.id}: ${why}`, { cause });
  });
  const settings = {
    ...onnxHashes(entry.path, NETWORK),
    ...{ engine: `transformers.js ${transformers.env.version}`, precision: "F32", threads },
    licence: entry.licence,
  };
  return {
    ...encoderModel(entry.id, encoder, settings),
    [Symbol.asyncDispose]: async () => void await encoder.dispose(),
  };
}
