/** Python environments of the project's own: JupyterLab's, and those with what we are measured against. */
import { join } from "node:path";
import { readTextIfThere } from "../lib/files/atomic.ts";
import {
  AcquisitionError,
  classifyPipFailure,
  PIP_ENVIRONMENT,
  type RunProcess,
  runProcess,
} from "../lib/files/pip.ts";

/** Ways to start Python, tried in this order; `py` is the launcher of Windows. */
const PYTHONS = [["python3"], ["python"], ["py", "-3"]] as const;

/** What stands in for Python on macOS and Windows, or of pyenv, says so and ends. */
const NO_PYTHON = /command not found|Python was not found|no developer tools/i;

/** What an environment is to hold. */
interface Wanted {
  /** In words, for messages. */
  readonly what: string;
  /** Kept in the environment when all is done: another one makes it anew. */
  readonly note: string;
  /** Arguments of its Python, process by process, that install it. */
  readonly steps: readonly (readonly string[])[];
}

/**
 * The paths of programs in an environment, which is made where its note is not the one wanted. What
 * Python and pip print may carry addresses and is never passed on.
 * @throws {AcquisitionError} where Python or a package cannot be had. @throws {Error} where Python has no venv.
 */
export async function pythonEnvironment(
  folder: string,
  { what, note, steps }: Wanted,
  run: RunProcess = runProcess,
): Promise<(name: string) => string> {
  const isWindows = Deno.build.os === "windows";
  const program = (name: string) =>
    join(folder, ...(isWindows ? ["Scripts", `${name}.exe`] : ["bin", name]));
  const mark = join(folder, "installed.txt");
  if (readTextIfThere(mark) === note) return program;
  console.error(`Installing ${what} into ${folder} …`);
  const start = (command: string, args: readonly string[]) =>
    run(command, args, { cwd: ".", env: PIP_ENVIRONMENT });
  let made = false;
  for (const [command, ...first] of PYTHONS) {
    const result = await start(command, [...first, "-m", "venv", folder]);
    if (result.kind === "missing" || result.code !== 0 && NO_PYTHON.test(result.output)) continue;
    made = result.code === 0;
    if (made) break;
    const remedy = /ensurepip|No module named '?venv/.test(result.output)
      ? "Python lacks its venv module: on Debian and Ubuntu install the package python3-venv"
      : `${command} -m venv fails: run it to see why`;
    throw new Error(`Cannot make ${folder}: ${remedy}`);
  }
  if (!made) throw new AcquisitionError("no-python", what);
  for (const step of steps) {
    const result = await start(program("python"), step);
    if (result.kind === "ended" && result.code === 0) continue;
    const isMissing = result.kind === "missing";
    throw new AcquisitionError(isMissing ? "no-pip" : classifyPipFailure(result.output, ""), what);
  }
  Deno.writeTextFileSync(mark, note);
  return program;
}
