/**
 * Opens an ONNX network and its tokeniser from a local folder.
 *
 * The files are as published. The network runs on the CPU in the precision of its file. Needs
 * `--allow-read`, `--allow-ffi`, `--allow-env` and `--allow-sys`.
 * @module
 */
import { Tokenizer } from "@huggingface/tokenizers";
import { join } from "node:path";
import { env, InferenceSession, Tensor } from "onnxruntime-node";
import { z } from "zod";
import { sha256OfFile, shownPath } from "../../files/atomic.ts";

/** Name and version of onnxruntime, for settings. */
export const ONNX_ENGINE = `onnxruntime ${env.versions.node}`;

/** Opens a network with onnxruntime on the CPU, from a path or from bytes. */
export const openOnnx = (network: string | Uint8Array, threads: number) =>
  // The library declares the two kinds apart.
  InferenceSession.create(network as string, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads that spin while they wait take the processor from whatever else runs.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });

const DESCRIPTIONS = ["config.json", "tokenizer.json", "tokenizer_config.json"] as const;

const CONFIG = z.object({
  vocab_size: z.int().positive().optional(),
  max_position_embeddings: z.int().positive().optional(),
  id2label: z.record(z.string(), z.string()).optional(),
});
const TOKEN = z.union([z.string(), z.object({ content: z.string() })]).nullish();
const TOKENISER = z.object({
  model_max_length: z.number().nullish(),
  mask_token: TOKEN,
  unk_token: TOKEN,
});

/** Output of a network with its dimensions. */
interface Logits {
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

export interface OnnxNetwork extends AsyncDisposable {
  readonly engine: string;
  readonly config: Readonly<z.infer<typeof CONFIG>>;
  /** Maximum number of tokens, including special ones; undefined if no file states it. */
  readonly longest: number | undefined;
  readonly tokeniser: Tokenizer;
  /** Returns the id of the mask token or unknown token. */
  tokenId(this: void, kind: "mask" | "unk"): number | undefined;
  /**
   * Evaluates sequences. @param types Token types, 1 for a pair's second text. @throws {TypeError}
   * without float32 `logits`.
   */
  logits(
    rows: readonly (readonly number[])[],
    types?: readonly (readonly number[])[],
  ): Promise<Logits>;
}

/** Returns the required files that are missing. */
export const missingOnnxFiles = (folder: string, networks: readonly string[]): string[] => [
  ...DESCRIPTIONS.filter((file) => !holdsFile(folder, file)),
  ...(networks.some((file) => holdsFile(folder, file)) ? [] : [networks.join(" or ")]),
];

/**
 * Opens the network and tokeniser of a folder. @param file Path of the network in the folder;
 * external weights may be next to it. @throws {TypeError} for another format, or a network with
 * other inputs.
 */
export async function openOnnxFolder(
  folder: string,
  { file, threads }: { readonly file: string; readonly threads: number },
): Promise<OnnxNetwork> {
  const read = (name: typeof DESCRIPTIONS[number]): object => {
    try {
      return JSON.parse(Deno.readTextFileSync(join(folder, name)));
    } catch (cause) {
      throw new TypeError(`${shownPath(join(folder, name))} is no JSON`, { cause });
    }
  };
  const [config, settings] = [CONFIG.parse(read("config.json")), read("tokenizer_config.json")];
  const { model_max_length: bound, ...special } = TOKENISER.parse(settings);
  const tokeniser = new Tokenizer(read("tokenizer.json"), settings);
  const session = await openOnnx(join(folder, file), threads);
  const known = ["input_ids", "attention_mask", "token_type_ids"];
  const other = session.inputNames.filter((name) => !known.includes(name));
  if (other.length > 0) {
    await session.release();
    throw new TypeError(`its network asks for ${other.join(", ")}, and text has no such thing`);
  }
  return {
    engine: ONNX_ENGINE,
    config,
    tokeniser,
    // A tokeniser without a bound says so by a huge number.
    longest: bound != null && bound < 1e6 ? bound : config.max_position_embeddings,
    tokenId: (kind) => {
      const token = special[`${kind}_token`];
      return token == null
        ? undefined
        : tokeniser.token_to_id(typeof token === "string" ? token : token.content);
    },
    async logits(rows, types) {
      const width = rows[0]?.length ?? 0;
      const dimensions = [rows.length, width];
      const input = (values: readonly number[]) =>
        new Tensor("int64", BigInt64Array.from(values, BigInt), dimensions);
      const inputs: Readonly<Record<string, Tensor>> = {
        input_ids: input(rows.flat()),
        attention_mask: input(Array(rows.length * width).fill(1)),
        token_type_ids: input(types?.flat() ?? Array(rows.length * width).fill(0)),
      };
      const asked = session.inputNames.map((name) => [name, inputs[name]!] as const);
      const { logits } = await session.run(Object.fromEntries(asked));
      if (logits?.data instanceof Float32Array) {
        return { dimensions: logits.dims, values: logits.data };
      }
      throw new TypeError("Cannot read the model's output: it has no float32 logits");
    },
    [Symbol.asyncDispose]: () => session.release(),
  };
}

/** Tests whether a folder has a file, given its relative path. */
export function holdsFile(folder: string, file: string): boolean {
  try {
    return Deno.statSync(join(folder, file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns SHA-256 hashes of the network (`onnx/model.onnx`), external weights and tokeniser. */
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
