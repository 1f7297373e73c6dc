import { shownPath } from "../../files/atomic.ts";
import {
  missingOnnxFiles,
  onnxHashes,
  type OnnxNetwork,
  openOnnxFolder,
} from "../encoder/onnx_folder.ts";
import { encoderModel, type MaskedEncoder } from "./encoder_model.ts";
import type { MaskedModel } from "./pseudo_likelihood.ts";

/** A masked language model in a local folder. */
export interface OnnxEntry {
  readonly id: string;
  /** The folder, with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
}

export interface OnnxOptions {
  /** Threads of evaluation; the number of cores, at most 2, where left out. */
  readonly threads?: number;
}

const NETWORK = "onnx/model.onnx";

/**
 * Any masked language model in ONNX, with its tokeniser, from a local folder, in float32.
 * @throws {Deno.errors.NotFound} where a file is missing; {TypeError} where the folder holds no masked
 * language model that it can read.
 */
export async function openOnnxMaskedModel(
  { id, path, licence }: OnnxEntry,
  { threads = Math.min(2, navigator.hardwareConcurrency) }: OnnxOptions,
): Promise<MaskedModel & AsyncDisposable> {
  const missing = missingOnnxFiles(path, [NETWORK]);
  if (missing.length > 0) {
    throw new Deno.errors.NotFound(
      `Cannot open masked model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
        "put them there, or correct the path of its panel entry",
    );
  }
  try {
    await using opened = new AsyncDisposableStack();
    const network = opened.use(await openOnnxFolder(path, { file: NETWORK, threads }));
    const { engine } = network;
    const settings = { ...onnxHashes(path, NETWORK), engine, precision: "F32", threads, licence };
    const model = encoderModel(id, maskedEncoder(network), settings);
    opened.move();
    return { ...model, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open masked model ${id}: ${why}`, { cause });
  }
}

/** @throws {TypeError} for a network that masks nothing. */
function maskedEncoder(
  { tokeniser, config, longest, tokenId, logits }: OnnxNetwork,
): MaskedEncoder {
  const [maskId, vocabularySize] = [tokenId("mask"), config.vocab_size];
  if (maskId === undefined) throw new TypeError("its tokeniser has no mask token");
  if (vocabularySize === undefined) throw new TypeError("its config.json has no vocab_size");
  const own = { add_special_tokens: false };
  return {
    maskId,
    unknownId: tokenId("unk"),
    vocabularySize,
    longest: longest ?? Infinity,
    encode: (text) => tokeniser.encode(text, own).ids,
    pieces: (text) => tokeniser.encode(text, own).tokens,
    frame: (text) => tokeniser.encode(text).ids,
    run: (rows) => logits(rows),
  };
}
