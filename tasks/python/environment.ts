import { join } from "node:path";
import { runProcess } from "../../lib/files/pip.ts";

/** A scratch environment for Python, by what is installed in it. */
interface PythonEnvironment {
  /** Made on first use, below the cache. */
  readonly folder: string;
  /** The text of a requirements file; another text installs anew. */
  readonly requirements: string;
  /** What is installed, as a message says it, with its size or its time. */
  readonly what: string;
  /** The arguments of `pip install`, one list a run of pip, in order. */
  readonly installs: readonly (readonly string[])[];
}

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
 * The environment's interpreter; a note of what was asked for tells whether all is there.
 *
 * @throws {Error} where Python is missing or pip fails, with what pip said.
 */
export async function pythonWith(environment: PythonEnvironment): Promise<string> {
  const { folder, requirements, what, installs } = environment;
  const python = interpreter(folder);
  const note = join(folder, "installed.txt");
  if (await textOf(note) === requirements) return python;
  console.error(`Installing ${what} into a scratch environment …`);
  await run("python3", ["-m", "venv", folder], "make a Python environment");
  for (const install of installs) {
    await run(python, ["-m", "pip", "install", "--quiet", ...install], `install ${what}`);
  }
  await Deno.writeTextFile(note, requirements);
  return python;
}
