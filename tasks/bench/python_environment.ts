import { join } from "node:path";
import { pythonWith } from "../python/environment.ts";

const REQUIREMENTS = new URL("../python/requirements.txt", import.meta.url);

/**
 * A scratch environment in the cache with PyTorch, transformers and minicons at pinned versions,
 * made on first use (1.3 GB with a CPU build of PyTorch). Returns its interpreter.
 *
 * @throws {Error} where Python is missing or pip fails.
 */
export async function pythonEnvironment(cacheDirectory: string): Promise<string> {
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  // PyTorch first and alone, so that nothing else draws in another build of it.
  const [torch = "", ...others] = requirements.trim().split("\n");
  return await pythonWith({
    folder: join(cacheDirectory, "python"),
    requirements,
    what: "PyTorch, transformers and minicons",
    installs: [[torch], others],
  });
}
