import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, quantile } from "simple-statistics";
import { EvaluationContext } from "../../lib/models/llama/context.ts";
import type { Tokens } from "../../lib/models/llama/engine.ts";
import { loadGgufModel, modelVocabulary } from "../../lib/models/llama/gguf_model.ts";
import { openLlamaLibrary } from "../../lib/models/llama/library.ts";
import { openFfiEngine } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import { scoreSequences } from "../../lib/models/llama/sequence_score.ts";
import { command, EXIT, int } from "../command.ts";
import { pythonWith } from "../python/environment.ts";
import {
  type BenchPair,
  CACHE_DIRECTORY,
  PAIRS,
  PANEL,
  panelWeights,
  readPairs,
  readSentences,
  report,
  seededSample,
  SENTENCES,
  TextLineStream,
  THREADS,
} from "./inputs.ts";

/** Bars of the specification. */
const LIMITS = { overhead: 1.15, minicons: 0.8 };

export const TASK = command(
  "speed",
  "Scoring overhead, and pairs against minicons",
  (c) =>
    c.option("--threads <number>", "threads of each model", ...THREADS)
      .option("--pairs <file>", "CSV or JSONL of pairs", PAIRS)
      .option("--items <number>", "pairs and sentences", int({ min: 1 }), 40),
  async ({ threads, pairs: path, items }) => {
    const pairs = seededSample(await readPairs(path), items);
    // The saga has sentences beside its pairs; of another study the pairs' own are taken.
    const sentences = path === PAIRS
      ? seededSample(await readSentences(SENTENCES), items).map(({ text }) => text)
      : pairs.map(({ grammatical }) => grammatical);
    const python = await pythonEnvironment(CACHE_DIRECTORY);
    let kept = true;
    for (const { entry: { id }, expanded: { path } } of await panelWeights(PANEL, threads)) {
      const overhead = await scoringOverhead(path, threads, sentences);
      const text = formatComparison(overhead);
      kept = report(`${id} scoring / evaluation`, overhead.ratio, LIMITS.overhead, text) && kept;
      const minicons = await againstMinicons({ path, threads, python, pairs });
      const more = `scores differ by ${minicons.largestDifference.toFixed(3)} nats at most`;
      const pairText = `${formatComparison(minicons)}, ${more}`;
      kept = report(`${id} pair / minicons`, minicons.ratio, LIMITS.minicons, pairText) && kept;
    }
    return kept ? EXIT.done : EXIT.failed;
  },
);

interface MiniconsComparison extends Comparison {
  /** Largest difference between the two scores of a sentence, in nats. */
  readonly largestDifference: number;
}

interface AgainstMiniconsOptions {
  readonly path: string;
  readonly threads: number;
  readonly python: string;
  readonly pairs: readonly BenchPair[];
}

/** Text of the start token where minicons must be told, as the file's BOS is another. */
export function startTokenText(source: string): string | undefined {
  return source === "end-of-text" ? "<|endoftext|>" : undefined;
}

/**
 * The time for both members of a pair against that of minicons for the same two sentences in one
 * batch: same weights in float32, same threads, same start token.
 */
async function againstMinicons(
  { path, threads, python, pairs }: AgainstMiniconsOptions,
): Promise<MiniconsComparison> {
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const startToken = startTokenText(engine.vocabulary.start.source);
  await using scorer = await PythonScorer.open({ python, path, threads, startToken });
  const ours = new Map<string, number>();
  const differences: number[] = [];
  const textsOf = (pair: BenchPair) => [pair.grammatical, pair.ungrammatical];
  const comparison = await compareAlternating(
    pairs,
    async (pair) => {
      const scores = await scoreTexts(engine, textsOf(pair));
      scores.forEach((score, i) => ours.set(textsOf(pair)[i]!, score.logProbability));
    },
    async (pair) => {
      const { scores, milliseconds } = await scorer.ask({ kind: "minicons", texts: textsOf(pair) });
      scores.forEach((score, i) => {
        const own = ours.get(textsOf(pair)[i]!);
        if (own !== undefined) differences.push(Math.abs(own - score));
      });
      return milliseconds;
    },
  );
  return { ...comparison, largestDifference: Math.max(...differences) };
}

async function evaluatePlainly(context: EvaluationContext, tokens: Tokens): Promise<void> {
  context.clear();
  await context.decode(
    tokens.map((token, position) => ({ token, position, sequences: [0], output: true })),
  );
}

/**
 * The time of log-probability scoring against that of plain llama.cpp evaluation of the same
 * tokens with logits at every position, sentence by sentence, in the same process and context.
 */
async function scoringOverhead(
  path: string,
  threads: number,
  sentences: readonly string[],
): Promise<Comparison> {
  openLlamaLibrary();
  using model = await loadGgufModel(path);
  const context = new EvaluationContext(model, {
    contextTokens: 2048,
    batchTokens: 256,
    sequences: 8,
    rows: "all",
    threads,
  });
  try {
    const { start, tokenise } = modelVocabulary(model);
    const sequences = sentences.map((text) => [start.id, ...tokenise(text)])
      .filter((tokens) => tokens.length <= 256);
    return await compareAlternating(
      sequences,
      async (tokens) => void await scoreSequences(context, [tokens]),
      // The last token predicts nothing, so neither contestant evaluates it.
      (tokens) => evaluatePlainly(context, tokens.slice(0, -1)),
    );
  } finally {
    await context.close();
  }
}

/** How two contestants compare over the same items, in milliseconds an item. */
export interface Comparison {
  readonly items: number;
  readonly ours: number;
  readonly theirs: number;
  /** Median over items of ours / theirs, with the middle half of the items. */
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
}

async function timed(work: () => Promise<number | void>): Promise<number> {
  const begun = performance.now();
  const reported = await work();
  return reported ?? performance.now() - begun;
}

/**
 * Measures both contestants on every item, taking turns at being first, so that whatever else runs
 * on the machine hits both alike; medians, because it hits now and then. A contestant may report
 * its own milliseconds. The first item is done once more beforehand, to warm up.
 *
 * @throws {RangeError} where there are no items.
 */
export async function compareAlternating<T>(
  items: readonly T[],
  ours: (item: T) => Promise<number | void>,
  theirs: (item: T) => Promise<number | void>,
): Promise<Comparison> {
  const [first] = items;
  if (first === undefined) throw new RangeError("Cannot compare: there is nothing to measure");
  await ours(first);
  await theirs(first);
  const times: { ours: number; theirs: number }[] = [];
  for (const [index, item] of items.entries()) {
    const early = index % 2 === 0 ? await timed(() => ours(item)) : undefined;
    const other = await timed(() => theirs(item));
    times.push({ ours: early ?? await timed(() => ours(item)), theirs: other });
  }
  const ratios = times.map((time) => time.ours / time.theirs);
  return {
    items: items.length,
    ours: median(times.map((time) => time.ours)),
    theirs: median(times.map((time) => time.theirs)),
    ratio: median(ratios),
    ratioLow: quantile(ratios, 0.25),
    ratioHigh: quantile(ratios, 0.75),
  };
}

/** `0.93 (middle half 0.91–0.97, 40 items, 101 against 108 ms)`. */
export function formatComparison(comparison: Comparison): string {
  const { ratio, ratioLow, ratioHigh, items, ours, theirs } = comparison;
  return `${ratio.toFixed(2)} (middle half ${ratioLow.toFixed(2)}–${ratioHigh.toFixed(2)}, ` +
    `${items} items, ${ours.toFixed(0)} against ${theirs.toFixed(0)} ms)`;
}

/** Another contestant in a process of its own, which answers every line with a line. */
export interface LineProcess extends AsyncDisposable {
  /** Its next line, once it has written that. @throws {Error} where it has ended instead. */
  hear(): Promise<string>;
  /** Says a line, without its end, and waits for the answer. @throws as `hear` does. */
  ask(line: string): Promise<string>;
}

/**
 * Starts a process; disposing of it closes its input and waits until it has ended.
 *
 * @param what Who is measured, for the message where it ends too early.
 */
export function openLineProcess(
  command: string,
  args: readonly string[],
  { what, stderr = "inherit" }: { readonly what: string; readonly stderr?: "inherit" | "null" },
): LineProcess {
  const pipes = { stdin: "piped", stdout: "piped", stderr } as const;
  const child = new Deno.Command(command, { args: [...args], ...pipes }).spawn();
  const input = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream()).getReader();
  const hear = async () => {
    const { value, done } = await lines.read();
    if (!done) return value;
    throw new Error(
      `Cannot compare with ${what}: its process ended early. Run this by hand to see why: ` +
        [command, ...args].join(" "),
    );
  };
  return {
    hear,
    async ask(line) {
      await input.write(new TextEncoder().encode(`${line}\n`));
      return await hear();
    },
    async [Symbol.asyncDispose]() {
      await input.close().catch(() => undefined);
      await lines.cancel();
      await child.status;
    },
  };
}

/** What score.py answers: log-probabilities in nats, and how long scoring alone took. */
interface PythonScores {
  readonly scores: readonly number[];
  readonly milliseconds: number;
}

type PythonRequest =
  | { readonly kind: "torch"; readonly sequences: readonly (readonly number[])[] }
  | { readonly kind: "minicons"; readonly texts: readonly string[] };

interface PythonScorerOptions {
  readonly python: string;
  /** GGUF file whose weights are used. */
  readonly path: string;
  readonly threads: number;
  /** Text of the token that texts are conditioned on, where it is not the tokenizer's BOS. */
  readonly startToken?: string;
}

/** A Python process that holds the same weights and scores on request, one request at a time. */
export class PythonScorer implements AsyncDisposable {
  readonly #process: LineProcess;

  private constructor({ python, path, threads, startToken }: PythonScorerOptions) {
    const script = fileURLToPath(new URL("../python/score.py", import.meta.url));
    const args = [script, dirname(path), basename(path), String(threads), startToken ?? []].flat();
    this.#process = openLineProcess(python, args, { what: "PyTorch", stderr: "null" });
  }

  /** Starts the process and waits until the weights are loaded. */
  static async open(options: PythonScorerOptions): Promise<PythonScorer> {
    const scorer = new PythonScorer(options);
    await scorer.#process.hear();
    return scorer;
  }

  async ask(request: PythonRequest): Promise<PythonScores> {
    const answer: unknown = JSON.parse(await this.#process.ask(JSON.stringify(request)));
    if (!isScores(answer)) throw new TypeError("Cannot compare with PyTorch: no scores came back");
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}

function isScores(value: unknown): value is PythonScores {
  return typeof value === "object" && value !== null && "scores" in value &&
    "milliseconds" in value;
}

const REQUIREMENTS = new URL("../python/requirements.txt", import.meta.url);

/**
 * A scratch environment in the cache with PyTorch, transformers and minicons at pinned versions,
 * made on first use (1.3 GB with a CPU build of PyTorch). Returns its interpreter.
 *
 * @throws {Error} where Python is missing or pip fails.
 */
export async function pythonEnvironment(cacheDirectory: string): Promise<string> {
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  // PyTorch first and alone, so that nothing else draws in another build of it.
  const [torch = "", ...others] = requirements.trim().split("\n");
  return await pythonWith({
    folder: join(cacheDirectory, "python"),
    requirements,
    what: "PyTorch, transformers and minicons",
    installs: [[torch], others],
  });
}
