import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { sha256OfFile, shownPath } from "../../files/atomic.ts";

/** An array of numbers with the lengths of its dimensions. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

export interface TransformersTokeniser {
  readonly mask_token_id?: number | null;
  readonly unk_token_id?: number | null;
  readonly model_max_length?: number | null;
  encode(text: string, options: { readonly add_special_tokens: boolean }): readonly number[];
  tokenize(text: string, options: { readonly add_special_tokens: boolean }): readonly string[];
}

interface TransformersModel {
  (inputs: Readonly<Record<string, Tensor>>): Promise<{ readonly logits?: Tensor | undefined }>;
  readonly config: { readonly vocab_size?: number; readonly max_position_embeddings?: number };
  dispose(): Promise<unknown>;
}

/** What is used of `@huggingface/transformers` 4. */
export interface Transformers {
  readonly env: {
    readonly version: string;
    allowRemoteModels: boolean;
    useFSCache: boolean;
    useBrowserCache: boolean;
  };
  readonly AutoTokenizer: {
    from_pretrained(
      folder: string,
      options: { readonly local_files_only: true },
    ): Promise<TransformersTokeniser>;
  };
  readonly AutoModelForMaskedLM: {
    from_pretrained(folder: string, options: {
      readonly local_files_only: true;
      readonly dtype: "fp32";
      readonly device: "cpu";
      readonly session_options: { readonly intraOpNumThreads: number };
    }): Promise<TransformersModel>;
  };
  readonly Tensor: new (
    type: "int64",
    data: BigInt64Array,
    dimensions: readonly number[],
  ) => Tensor;
}

/** Where `deno task bench masked --install` puts the package, below the cache. */
export function transformersFolder(cacheDirectory: string): string {
  return join(cacheDirectory, "transformers");
}

/**
 * The package from the folder it was installed in, set to read local files only; half a gigabyte
 * for few is no dependency of the project's own. `createRequire`, for it stands outside our
 * packages. @throws {Deno.errors.NotFound} where it is not installed, with the command that does
 * it.
 */
export function loadTransformers(cacheDirectory: string): Transformers {
  const folder = transformersFolder(cacheDirectory);
  const require = createRequire(resolve(folder, "package.json"));
  try {
    const transformers = require("@huggingface/transformers") as Transformers;
    transformers.env.allowRemoteModels = false;
    transformers.env.useFSCache = false;
    transformers.env.useBrowserCache = false;
    return transformers;
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw cause;
    throw new Deno.errors.NotFound(
      `Cannot open an ONNX model: transformers.js is not in ${shownPath(folder)}; ` +
        "install it there with `deno task bench masked --install` (0.5 GB)",
      { cause },
    );
  }
}

export const ONNX_DESCRIPTIONS = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
] as const;

/** Whether a folder holds a file, named from the folder on. */
export function holdsFile(folder: string, file: string): boolean {
  try {
    return Deno.statSync(join(folder, file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** SHA-256 of network (`onnx/model.onnx`), weights beside it if any, and tokeniser. */
export function onnxHashes(folder: string, network: string): {
  readonly fileSha256: string;
  readonly weightsSha256?: string;
  readonly tokeniserSha256: string;
} {
  const sha256 = (file: string) => sha256OfFile(join(folder, file));
  const outside = `${network}_data`;
  return {
    fileSha256: sha256(network),
    ...(holdsFile(folder, outside) ? { weightsSha256: sha256(outside) } : {}),
    tokeniserSha256: sha256("tokenizer.json"),
  };
}
