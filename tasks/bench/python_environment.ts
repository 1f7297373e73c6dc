import { join } from "node:path";
import { runProcess } from "../../lib/files/process.ts";

const REQUIREMENTS = new URL("../python/requirements.txt", import.meta.url);

/** The interpreter of a virtual environment. */
function interpreter(folder: string): string {
  return Deno.build.os === "windows"
    ? join(folder, "Scripts", "python.exe")
    : join(folder, "bin", "python");
}

async function run(command: string, args: readonly string[], doing: string): Promise<void> {
  const result = await runProcess(command, args, { cwd: ".", env: {} });
  if (result.kind === "missing") {
    throw new Error(`Cannot ${doing}: ${command} is not installed; install Python 3.10 or newer`);
  }
  if (result.code !== 0) {
    throw new Error(
      `Cannot ${doing}: ${command} ended with code ${result.code}:\n${result.output}`,
    );
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * A scratch environment in the cache with PyTorch, transformers and minicons at pinned versions,
 * made on first use (1.3 GB with a CPU build of PyTorch). Returns its interpreter.
 *
 * @throws {Error} where Python is missing or pip fails.
 */
export async function pythonEnvironment(cacheDirectory: string): Promise<string> {
  const folder = join(cacheDirectory, "python");
  const python = interpreter(folder);
  const wanted = await Deno.readTextFile(REQUIREMENTS);
  const note = join(folder, "installed.txt");
  if (await textOf(note) === wanted) return python;
  console.error("Installing PyTorch, transformers and minicons into a scratch environment …");
  await run("python3", ["-m", "venv", folder], "make a Python environment");
  // PyTorch first and alone, so that nothing else draws in another build of it.
  const [torch = "", ...others] = wanted.trim().split("\n");
  const install = ["-m", "pip", "install", "--quiet"];
  await run(python, [...install, torch], "install PyTorch");
  await run(python, [...install, ...others], "install transformers and minicons");
  await Deno.writeTextFile(note, wanted);
  return python;
}
