import { join } from "node:path";
import type { DownloadProgress } from "../files/python_package.ts";
import { chatModel } from "./llama/chat.ts";
import type { Engine } from "./llama/engine.ts";
import { nextTokenModel } from "./llama/next_token.ts";
import { ffiObstacle, openEngine } from "./llama/open_engine.ts";
import { languageModel } from "./llama/score.ts";
import { expandedWeights, type Weights } from "./llama/weights.ts";
import type { ChatModel, LanguageModel } from "./model.ts";
import { modelFile } from "./model_files.ts";
import type { GgufEntry } from "./panel.ts";

/** Where the loading of a model stands. */
export type LoadProgress =
  | { readonly stage: "download"; readonly model: string; readonly download: DownloadProgress }
  | { readonly stage: "expand"; readonly model: string; readonly bytes: number }
  | { readonly stage: "load"; readonly model: string };

export interface LoadOptions {
  /** Git-ignored folder for packages and models; up to 2.5 GB for the committed panel. */
  readonly cacheDirectory: string;
  /** Threads of evaluation; the number of cores, at most 2, where left out. */
  readonly threads?: number;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** A model ready to be asked in the roles of its panel entry. `await using` frees its memory. */
export interface LocalModel extends AsyncDisposable {
  readonly name: string;
  readonly chat: ChatModel | undefined;
  readonly likelihood: LanguageModel | undefined;
}

interface Evaluated {
  readonly weights: Weights;
  readonly precision: string;
}

async function evaluatedWeights(
  entry: GgufEntry,
  source: Weights,
  options: LoadOptions,
  threads: number,
): Promise<Evaluated> {
  // Without FFI nothing can be expanded; openEngine records why.
  if (entry.precision === "shipped" || ffiObstacle() !== undefined) {
    return { weights: source, precision: "shipped" };
  }
  const weights = await expandedWeights(source, {
    directory: join(options.cacheDirectory, "models"),
    precision: entry.precision,
    threads,
    onProgress: (bytes) => options.onProgress?.({ stage: "expand", model: entry.id, bytes }),
  });
  return { weights, precision: entry.precision };
}

function roles(entry: GgufEntry, engine: Engine, settings: LanguageModel["settings"]) {
  const asChat = entry.readout === "generation" ? chatModel : nextTokenModel;
  return {
    chat: entry.roles.includes("chat") ? asChat(entry.id, engine, settings) : undefined,
    likelihood: entry.roles.includes("likelihood")
      ? languageModel(entry.id, engine, settings)
      : undefined,
  };
}

/** A model's engine with what is told of its weights. */
export interface LocalEngine {
  readonly engine: Engine;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Brings a model into memory: download, expansion of the weights (once), loading. The caller disposes
 * of the engine.
 *
 * Needs `--allow-read`, `--allow-ffi`, `--allow-write` on the cache, and `--allow-run` of python3
 * for a first download. Where FFI cannot be used, also what `openNodeEngine` needs.
 *
 * @throws {AcquisitionError} where a package cannot be had; what the engine throws otherwise.
 */
export async function openLocalEngine(
  entry: GgufEntry,
  options: LoadOptions,
): Promise<LocalEngine> {
  const threads = options.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const { onProgress } = options;
  const source = await modelFile(
    entry,
    options.cacheDirectory,
    (download) => onProgress?.({ stage: "download", model: entry.id, download }),
  );
  const { weights, precision } = await evaluatedWeights(entry, source, options, threads);
  onProgress?.({ stage: "load", model: entry.id });
  const engine = await openEngine(weights.path, { threads, contextTokens: entry.contextTokens });
  const settings = {
    precision,
    fileSha256: source.sha256,
    weightsSha256: weights.sha256,
    licence: entry.licence,
  };
  return { engine, settings };
}

/**
 * A panel's model in the roles of its entry. Needs and throws what {@link openLocalEngine} does.
 */
export async function loadLocalModel(entry: GgufEntry, options: LoadOptions): Promise<LocalModel> {
  const { engine, settings } = await openLocalEngine(entry, options);
  return {
    name: entry.id,
    ...roles(entry, engine, settings),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
