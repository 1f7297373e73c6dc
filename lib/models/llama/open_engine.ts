import type { Engine, EngineOptions } from "./engine.ts";
import { openFfiEngine } from "./ffi_engine.ts";
import { openLlamaLibrary } from "./library.ts";
import { openNodeEngine } from "./node_engine.ts";

/** Why llama.cpp cannot be called through FFI here; undefined where it can. */
export function ffiObstacle(): string | undefined {
  try {
    openLlamaLibrary();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/**
 * Opens a GGUF file through FFI, or through node-llama-cpp where there is an obstacle; the settings
 * then name it.
 */
export async function openEngine(
  path: string,
  options: EngineOptions,
  obstacle: string | undefined = ffiObstacle(),
): Promise<Engine> {
  if (obstacle === undefined) return await openFfiEngine(path, options);
  const engine = await openNodeEngine(path, options);
  return { ...engine, settings: { ...engine.settings, ffiObstacle: obstacle } };
}
