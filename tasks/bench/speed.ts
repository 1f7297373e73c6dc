/**
 * Benchmarks the speed of scoring pairs and of verifying claims, against other harnesses.
 *
 * It also checks that all prefer the same members.
 * @module
 */
import process from "node:process";
import { median } from "simple-statistics";
import { readEnglish } from "../../lib/factuality/claims/english.ts";
import { sentencesOf } from "../../lib/factuality/claims/sentences.ts";
import { factbookPassages } from "../../lib/factuality/retrieval/factbook.ts";
import { sourcePassage } from "../../lib/factuality/types.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { EvaluationContext } from "../../lib/models/llama/context.ts";
import { loadGgufModel, modelVocabulary } from "../../lib/models/llama/gguf_model.ts";
import { openLlamaLibrary } from "../../lib/models/llama/library.ts";
import { openEngine, scoreSequences } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import { choose, randomSource } from "../../lib/stats/random.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";
import { CACHE_DIRECTORY, pythonWithHarnesses } from "../python_environment.ts";
import {
  type BenchPair,
  compareAlternating,
  formatComparison,
  medianComparison,
  milliseconds,
  PAIRS,
  panelEntries,
  panelWeights,
  printMeasurement,
  readPairs,
  sagaSentences,
  seededSample,
  takeTurns,
  THREADS,
} from "./harness.ts";
import { compareScores, CONTEXT_TOKENS, openScorer, SCORES, textsOf } from "./agreement.ts";

/**
 * Maximum time ratios: scoring to plain evaluation, and ours to minicons' for single pairs (idle
 * and busy machine) and for batches.
 */
const LIMITS = { overhead: 1.15, idle: 0.6, busy: 0.6, batch: 1 };

/** Number of pairs timed together, to average over the calls in flight. */
const GROUP = 10;

/** Configurations: pairs per batch, compared harnesses, and maximum ratios to minicons. */
const SETTINGS = [
  { batch: 1, others: ["minicons"], limits: { idle: LIMITS.idle, busy: LIMITS.busy } },
  { batch: GROUP, others: ["minicons", "lm_eval"], limits: { idle: LIMITS.batch } },
] as const;

export const TASK = command(
  "bench speed",
  "Scoring overhead; pairs against minicons and lm-eval on the same weights, idle and next to a busy " +
    "process, and whether all three choose the same members (10 minutes); the verifier's time for a " +
    "claim. Prints, writes nothing",
  (c) =>
    c.option("--threads <number>", "threads of each", ...THREADS)
      .option("--pairs <source>", "CSV or JSONL, a folder of BLiMP's files, or english", PAIRS)
      .option("--items <number>", "pairs and sentences", int({ min: 1 }), 40)
      .option("--model <id>", "one model of the panel; all by default")
      .option("--only <part>", "pairs or verifier; both by default", choiceOf("pairs", "verifier")),
  async ({ threads, pairs, items, model, only }) => {
    const options = { threads, source: pairs, items, model };
    const scored = only === "verifier" ? undefined : await pairsToScore(options);
    const kept = only === "pairs" || await verifierSpeed(threads);
    if (scored === undefined) return kept ? EXIT.done : EXIT.failed;
    return await pairsAreQuick(scored, options) && kept ? EXIT.done : EXIT.failed;
  },
);

interface PairsOptions {
  readonly threads: number;
  readonly source: string;
  readonly items: number;
  readonly model: string | undefined;
}

/**
 * Reads or makes the pairs and sentences to score. @throws {Error} for an unreadable file or an
 * unknown model.
 */
async function pairsToScore({ source, items, model }: PairsOptions) {
  if (model !== undefined && !panelEntries().some(({ id }) => id === model)) {
    throw new RangeError(`Cannot measure: no model is called ${model}.`);
  }
  const pairs = source === "english"
    ? englishPairs(items)
    : seededSample(await readPairs(source), items);
  // The saga has sentences besides its pairs; for other material those of the pairs are taken.
  const sentences = source === PAIRS
    ? sagaSentences(items).map(({ normalised }) => normalised)
    : pairs.slice(0, 40).map(({ grammatical }) => grammatical);
  return { pairs, sentences };
}

/**
 * Compares scoring overhead and pairs with other harnesses, for each model.
 * @returns true where all ratios are within their limits.
 */
async function pairsAreQuick(
  { pairs, sentences }: Awaited<ReturnType<typeof pairsToScore>>,
  { threads, model }: PairsOptions,
): Promise<boolean> {
  const python = await pythonWithHarnesses();
  const weights = await panelWeights(threads, ({ id }) => model === undefined || id === model);
  let kept = true;
  for (const { entry: { id }, expanded: { path } } of weights) {
    const overhead = await scoringOverhead(path, threads, sentences);
    const text = formatComparison(overhead);
    kept = printMeasurement(`${id} scoring / evaluation`, overhead.ratio, LIMITS.overhead, text) &&
      kept;
    kept = await againstOthers(id, python, path, threads, pairs) && kept;
  }
  return kept;
}

/**
 * Times pairs against other harnesses, singly and in batches, on an idle and on a busy machine.
 *
 * All use the same float32 weights, number of threads and start token. On the busy machine another
 * process occupies one core. Pairs are scored concurrently, as in a study. CPU time is independent
 * of other processes.
 */
async function againstOthers(
  id: string,
  python: string,
  path: string,
  threads: number,
  pairs: readonly BenchPair[],
): Promise<boolean> {
  const groups = Array.from(
    { length: Math.ceil(pairs.length / GROUP) },
    (_, at) => pairs.slice(at * GROUP, (at + 1) * GROUP),
  );
  let kept = true;
  for (const { batch, others, limits } of SETTINGS) {
    const shape = { threads, contextTokens: CONTEXT_TOKENS, batch };
    await using engine = await openEngine(path, shape);
    await using scorer = await openScorer(python, path, threads, engine);
    const contestants = [
      scoredHere(engine),
      ...others.map((kind) => scoredBy(scorer, kind, batch)),
    ];
    for (const condition of ["idle", "busy"] as const) {
      using _beside = condition === "busy" ? busyProcess() : undefined;
      contestants.forEach(({ processor }) => processor.splice(0));
      const [own, ...rest] = await takeTurns(groups, contestants.map(({ score }) => score));
      for (const [at, times] of rest.entries()) {
        const [ours, theirs] = [contestants[0]!, contestants[at + 1]!];
        const found = medianComparison(own!, times);
        const { n, same, largest } = compareScores(ours.scores, theirs.scores);
        const text = `${formatComparison(found)}; of the processor's time ` +
          `${
            medianComparison(processor(ours), processor(theirs)).ratio.toFixed(2)
          }; ${same} of ${n} ` +
          `choices the same, sentences differ by ${largest.toFixed(4)} nats at most`;
        const sentences = batch === 1 ? "pair by pair" : `${2 * batch} sentences at once`;
        const what = `${id} / ${others[at]}, ${sentences}, ${condition}`;
        const limit = others[at] === "minicons" && (limits as Record<string, number>)[condition];
        if (limit) kept = printMeasurement(what, found.ratio, limit, text) && kept;
        else console.log(`       ${what}: ${text}`);
      }
    }
  }
  return kept;
}

/** Returns CPU milliseconds per pair of each group, without the warm-up. */
const processor = ({ processor }: Contestant) => processor.slice(1);

/**
 * A harness that scores pairs. `score` returns wall-clock milliseconds per pair and records scores
 * and CPU time.
 */
interface Contestant {
  readonly scores: Map<string, readonly [good: number, bad: number]>;
  readonly processor: number[];
  readonly score: (pairs: readonly BenchPair[]) => Promise<number>;
}

function scoredHere(engine: Engine): Contestant {
  const scores: Contestant["scores"] = new Map();
  const processor: number[] = [];
  return {
    scores,
    processor,
    async score(pairs) {
      const [begun, before] = [performance.now(), process.cpuUsage()];
      await eachInFlight(pairs, engine.concurrency.score, async (pair) => {
        const [good, bad] = await scoreTexts(engine, textsOf(pair));
        scores.set(pair.id, [good!.logProbability, bad!.logProbability]);
      });
      const { user, system } = process.cpuUsage(before);
      processor.push((user + system) / 1000 / pairs.length);
      return (performance.now() - begun) / pairs.length;
    },
  };
}

function scoredBy(
  scorer: Awaited<ReturnType<typeof openScorer>>,
  kind: "minicons" | "lm_eval",
  batch: number,
): Contestant {
  const scores: Contestant["scores"] = new Map();
  const processor: number[] = [];
  return {
    scores,
    processor,
    async score(pairs) {
      const found = await scorer.ask(
        { kind, texts: pairs.flatMap(textsOf), batch: 2 * batch },
        SCORES,
      );
      pairs.forEach(({ id }, i) =>
        scores.set(id, [found.scores[2 * i]!, found.scores[2 * i + 1]!])
      );
      processor.push(found.processor / pairs.length);
      return found.milliseconds / pairs.length;
    },
  };
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  woman: ["Mary", "Susan", "Julia", "Karen"],
  man: ["Robert", "David", "Peter", "Simon"],
  noun: ["author", "doctor", "farmer", "guest", "pilot", "senator", "student", "waiter"],
  place: ["bridge", "church", "garden", "hotel", "library", "office", "school", "theatre"],
  verb: ["admire", "amuse", "blame", "hate", "help", "hurt", "like", "visit"],
};

/** Sentence templates; brackets contain the grammatical and the ungrammatical word. */
const TEMPLATES = {
  agreement: "The {noun} near the {place}s {verb}[s|] {man}.",
  determiner_noun: "{woman} will {verb} [these|this] {noun}s at the {place}.",
  reflexive: "{man} could {verb} [himself|herself] at the {place} of the {noun}.",
  polarity: "{woman} has [not|now] ever visited any {place} of the {noun}.",
};

/**
 * Makes distinct BLiMP-like pairs of four phenomena in turn, the same in every run.
 * @throws {RangeError} for more than 1000; a phenomenon has at least 256 possible sentences.
 */
export function englishPairs(count: number): readonly BenchPair[] {
  if (count > 1000) throw new RangeError(`Cannot make ${count} English pairs: 1000 at most.`);
  const random = randomSource("English pairs");
  const phenomena = Object.entries(TEMPLATES);
  const found = new Map<string, BenchPair>();
  while (found.size < count) {
    const [phenomenon, template] = phenomena[found.size % phenomena.length]!;
    const filled = template.replace(/\{(\w+)\}/g, (_, of) => choose(random, WORDS[of]!));
    const member = (place: "$1" | "$2") => filled.replace(/\[(\w*)\|(\w*)\]/, place);
    const [grammatical, ungrammatical] = [member("$1"), member("$2")];
    const id = `english ${found.size + 1}`;
    if (found.has(grammatical)) continue;
    found.set(grammatical, { id, phenomenon, grammatical, ungrammatical });
  }
  return [...found.values()];
}

/** Keeps one core busy until disposed of, at most for an hour. */
function busyProcess(): Disposable {
  const work = "for (const end = Date.now() + 3_600_000; Date.now() < end;);";
  const child = new Deno.Command(Deno.execPath(), { args: ["eval", work] }).spawn();
  return { [Symbol.dispose]: () => child.kill() };
}

/**
 * Times scoring against plain llama.cpp evaluation of the same tokens.
 *
 * Both return logits at every position, sentence by sentence, in the same process and context.
 */
async function scoringOverhead(path: string, threads: number, sentences: readonly string[]) {
  openLlamaLibrary();
  using model = await loadGgufModel(path);
  const shape = { contextTokens: CONTEXT_TOKENS, batchTokens: 256, sequences: 8, threads };
  const context = new EvaluationContext(model, { ...shape, rows: "all" });
  const limits = { ...shape, texts: shape.sequences };
  try {
    const { start, tokenise, continuesWord: continues } = modelVocabulary(model);
    const sequences = sentences.map((text) => [start.id, ...tokenise(text)])
      .filter((tokens) => tokens.length <= shape.batchTokens);
    return await compareAlternating(
      sequences,
      async (tokens) =>
        void await scoreSequences([{ tokens }], { ...limits, continues }, (task) => task(context)),
      async (tokens) => {
        context.clear();
        // The last token predicts nothing, so neither contestant evaluates it.
        await context.decode(
          tokens.slice(0, -1).map((token, position) => (
            { token, position, sequences: [0], output: true }
          )),
        );
      },
    );
  } finally {
    context.close();
  }
}

/**
 * Number of sources, and words per source. Each has one claim from it and one from another text.
 */
const [SOURCES, SOURCE_WORDS] = [10, 300];
/** Maximum milliseconds per claim, on two idle cores. */
const CLAIM_LIMIT = 120;

/** Measures the median time per claim over uncached sources. @returns true within the limit. */
async function verifierSpeed(threads: number): Promise<boolean> {
  const opening = { cacheDirectory: CACHE_DIRECTORY, threads };
  await using verifier = await openTrainedVerifier(opening);
  const passages = seededSample(await factbookPassages(CACHE_DIRECTORY), 6_000);
  const sentences = passages.flatMap(({ text }) => sentencesOf(text).map(({ text }) => text))
    .filter((text) => /^\S+(?:\s+\S+){7,39}$/.test(text));
  const words = sentences.join(" ").split(/\s+/);
  const items = Array.from({ length: SOURCES }, (_, i) => {
    const text = words.slice(i * SOURCE_WORDS, (i + 1) * SOURCE_WORDS).join(" ");
    const own = sentences.filter((one) => text.includes(one))[1]!;
    return [own, sentences.at(-1 - i)!].map((claim) => ({ claim, source: sourcePassage(text) }));
  }).flat();
  const verify = ({ claim, source }: typeof items[number]) => verifier.verify([claim], [source]);
  await verify(items[0]!);
  const times: number[] = [];
  for (const item of items) {
    // What is read of a text is kept; so much pushes it out.
    readEnglish(" ".repeat(1_000_000));
    times.push(await milliseconds(() => verify(item)));
  }
  const found = median(times);
  const text = `${found.toFixed(0)} ms, median of ${times.length}; ${threads} threads`;
  return printMeasurement(
    `verifier, ms a claim against ${SOURCE_WORDS} words`,
    found,
    CLAIM_LIMIT,
    text,
  );
}
