import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import * as tuned from "../../lib/factuality/training/fine_tuning.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  usualKnowledgeClaims,
} from "../../lib/factuality/training/knowledge_claims.ts";
import { fitTemperature } from "../../lib/factuality/training/optimise.ts";
import { FINE_TUNING_LOSS, FINE_TUNING_RESULTS } from "../../lib/factuality/training/tables.ts";
import type { FineTuningResult } from "../../lib/factuality/training/tables.ts";
import { VERDICT_LABELS } from "../../lib/factuality/types.ts";
import * as files from "../../lib/files/atomic.ts";
import { formatProgress, openProgress, openStatusLine } from "../../lib/files/progress.ts";
import * as encoding from "../../lib/models/encoder/cross_encoder.ts";
import { miniLmFiles } from "../../lib/models/encoder/minilm.ts";
import { wordPieces } from "../../lib/models/encoder/word_pieces.ts";
import { ggufBytes, readSafetensors } from "../../lib/models/llama/weights.ts";
import { modelFolder } from "../bench/encoder.ts";
import { pythonWithTorch, TextLineStream } from "../bench/harness.ts";
import { command, EXIT, int } from "../command.ts";
import * as answers from "./network_answers.ts";

const CACHE = FACTUALITY_PATHS.cache;
const FOLDER = join(CACHE, "finetune");
export const TASK = command(
  "train network",
  "Fine-tunes MiniLM's own weights as a cross-encoder with PyTorch, and runs it in this process. " +
    "Makes a scratch environment for Python in .cache/python (1.3 GB, once); writes the network " +
    "to .cache/finetune and two tables to data/factuality. A further run goes on.",
  (c) =>
    c.option("--seed <n>", "order of training, first weights", int({ min: 0 }), KNOWLEDGE_SEED)
      .option("--epochs <n>", "rounds over the training claims", int({ min: 1 }), 2)
      .option("--threads <n>", "of PyTorch and of llama.cpp", int({ min: 1 }), 1),
  async (options, { signal }) => {
    const python = await pythonWithTorch();
    const material = await fineTuningMaterial();
    const sets = answers.measuredSets(
      material.cases,
      await answers.modelClaimCases(CACHE, options.threads),
    );
    const model = await modelFolder(CACHE);
    const tuning = { ...options, ...material, python, signal, model, sets };
    const runs: NetworkRun[] = [];
    for (const kind of NETWORKS) {
      const run = await runNetwork(kind, tuning);
      if (run === undefined) return EXIT.incomplete;
      runs.push(run);
      // The first network's rows are worth having while the others are trained.
      FINE_TUNING_LOSS.write(runs.flatMap(({ loss }) => loss));
      FINE_TUNING_RESULTS.write([
        ...runs.flatMap(({ results }) => results),
        ...answers.shippedResults(sets.map(({ name }) => name)),
      ]);
      console.log(
        `${kind.name}: ${files.shownPath(run.path)}, SHA-256 ${files.sha256OfFile(run.path)}`,
      );
    }
    console.log(`Wrote ${files.shownPath(FINE_TUNING_RESULTS.path)}.`);
    return EXIT.done;
  },
);

const script = (name: string) => fileURLToPath(new URL(`../python/${name}`, import.meta.url));

/** Most tokens of a pair: a processor has the time for so many. */
const LONGEST = 96;

/**
 * The verifier's own claims, so that what one learns from them can be set beside the other, and as files
 * of pairs.
 */
async function fineTuningMaterial() {
  const { vocabulary } = await miniLmFiles(CACHE);
  const cases: readonly KnowledgeCase[] = await usualKnowledgeClaims();
  const tokenise = (text: string) => wordPieces(text, vocabulary).map(({ id }) => id);
  const frame = { first: vocabulary.first, separator: vocabulary.last, longest: LONGEST };
  const written = (shown: tuned.Shown, file: string) => {
    const rows = tuned.trainingPairs(cases, { tokenise, frame, shown });
    const text = tuned.formatTrainingPairs(rows);
    const path = join(FOLDER, file);
    files.writeTextAtomic(path, text);
    return { rows, path, sha256: files.sha256Hex(text) };
  };
  const pairs = {
    "evidence and claim": written("evidence and claim", "pairs.jsonl"),
    "claim only": written("claim only", "claims_only.jsonl"),
  };
  return { cases, vocabulary, pairs };
}

/** The one that is used comes first; the others say what it has learnt, and from what. */
const USUAL = { shown: "evidence and claim", frozen: false, isUsed: false } as const;
const NETWORKS: readonly answers.NetworkKind[] = [
  { ...USUAL, name: "fine-tuned cross-encoder", file: "minilm_cross_encoder", isUsed: true },
  { ...USUAL, name: "frozen MiniLM with trained head", file: "minilm_frozen", frozen: true },
  { ...USUAL, name: "fine-tuned on claims alone", file: "minilm_claims_only", shown: "claim only" },
];

/**
 * Tried on the training claims: at 2e-4 with random batches of 32 nothing is learnt in 50 steps, at
 * 1.5e-4 with a head of ten times that the loss rises. A frozen network is cheap: it has ten times as
 * many rounds, and a higher rate.
 */
const SETTINGS = {
  batch: 16,
  /** Of the network; the head's is so many times as great. */
  learningRate: 1e-4,
  headFactor: 5,
  /** Share of the steps in which the rate rises. */
  warmUp: 0.06,
  weightDecay: 0.01,
  dropout: 0.1,
  /** Steps between two looks at every so-manieth development claim. */
  evaluateEvery: 100,
  developmentEvery: 3,
  /** Looks without a lower loss after which training ends. */
  patience: 3,
} as const;

const FROZEN = { learningRate: 2e-4, evaluateEvery: 500, developmentEvery: 1 } as const;
const FROZEN_ROUNDS = 10;

/** What all networks are trained and measured with. */
interface FineTuning extends Awaited<ReturnType<typeof fineTuningMaterial>> {
  readonly seed: number;
  readonly epochs: number;
  readonly threads: number;
  readonly python: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly sets: readonly answers.MeasuredSet[];
  readonly signal: AbortSignal;
}

type NetworkRun = NonNullable<Awaited<ReturnType<typeof runNetwork>>>;

/** Trains, converts, compares and measures; undefined where Ctrl-C ended it. */
async function runNetwork(kind: answers.NetworkKind, tuning: FineTuning) {
  const { sets, signal, threads } = tuning;
  const trained = await trainNetwork(kind, tuning);
  const path = trained && await writeNetwork(kind, trained.weights, tuning);
  if (trained === undefined || path === undefined) return undefined;
  await using network = await encoding.openCrossEncoder(path, { threads });
  const { rows, path: pairsPath } = tuning.pairs[kind.shown];
  const predict = [script("finetune_predict.py"), tuning.model, trained.weights, pairsPath];
  const compared = rows.slice(0, COMPARED);
  const agreement = await answers.agreementWithPyTorch(network, compared, tuning.python, predict);
  const measured = await answers.measureNetwork(kind, network, sets, { folder: FOLDER, signal });
  if (measured === undefined) return undefined;
  const { log } = trained;
  const steps = log.reduce((most, row) => "steps" in row ? row.steps : most, 0);
  const results = [...measured, ...workResults(kind, trained, agreement)];
  return { path, loss: tuned.lossRows(kind.name, steps, log), results };
}

/** Pairs on which two engines are compared. */
const COMPARED = 200;
const DONE = z.object({
  seconds: z.object({ wall: z.number(), processor: z.number() }),
  log: z.array(tuned.LOG_ROW),
});

/** A training that has ended. */
interface TrainedNetwork extends z.infer<typeof DONE> {
  /** The weights at the lowest loss on development claims. */
  readonly weights: string;
}

/**
 * Trains in a process of its own, or tells what an earlier run with these very settings gave; what a
 * training with others left is removed. Undefined where Ctrl-C ended it: it keeps a checkpoint.
 * @throws {Error} where the process fails; its own words stand above.
 */
async function trainNetwork(
  { file, name, shown, frozen }: answers.NetworkKind,
  { seed, epochs, threads, pairs, model, python, signal }: FineTuning,
): Promise<TrainedNetwork | undefined> {
  const { path, sha256 } = pairs[shown];
  const out = join(FOLDER, file);
  const settings = JSON.stringify({
    pairs: path,
    pairsSha256: sha256,
    model,
    out,
    frozen,
    seed,
    epochs: frozen ? FROZEN_ROUNDS * epochs : epochs,
    ...SETTINGS,
    ...frozen ? FROZEN : {},
  });
  const settingsPath = join(out, "settings.json");
  const before = files.readTextIfThere(settingsPath);
  if (before !== undefined && before !== settings) Deno.removeSync(out, { recursive: true });
  Deno.mkdirSync(out, { recursive: true });
  files.writeTextAtomic(settingsPath, settings);
  const ended = (): TrainedNetwork | undefined => {
    const text = files.readTextIfThere(join(out, "done.json"));
    return text === undefined
      ? undefined
      : { ...DONE.parse(JSON.parse(text)), weights: join(out, "best.safetensors") };
  };
  const known = ended();
  if (known !== undefined || signal.aborted) return known;
  const args = [script("finetune_train.py"), settingsPath, String(threads)];
  const child = new Deno.Command(python, { args, stdin: "null", stdout: "piped" }).spawn();
  // A terminal tells both of Ctrl-C; whoever stops this process alone means the other one, too.
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  await follow(lines.pipeThrough(new TextLineStream()), name);
  const { success, code } = await child.status;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (success) return ended();
  throw new Error(`Cannot fine-tune: ${[python, ...args].join(" ")} ended with code ${code}`);
}

/** Shows how the training goes on, line by line of what it prints. */
async function follow(lines: AsyncIterable<string>, label: string): Promise<void> {
  using status = openStatusLine();
  const begun = performance.now();
  let first: number | undefined;
  let loss = "";
  for await (const line of lines) {
    const row = tuned.LOG_ROW.parse(JSON.parse(line));
    if (!("steps" in row)) {
      loss = `, development loss ${row.development_loss.toFixed(3)}`;
      continue;
    }
    first ??= row.step - 1;
    const seconds = (performance.now() - begun) / 1000;
    const progress = { label, done: row.step, total: row.steps, resumed: first, seconds };
    status.show(`${formatProgress(progress)}${loss}`);
  }
}

/**
 * Writes what PyTorch trained as one GGUF file, with the temperature that fits the development pairs
 * best as they are evaluated here. @returns its path; undefined where Ctrl-C came first.
 */
async function writeNetwork(
  { name, file, shown }: answers.NetworkKind,
  weights: string,
  { vocabulary, pairs, threads, signal }: FineTuning,
): Promise<string | undefined> {
  const path = join(FOLDER, `${file}.gguf`);
  const write = (path: string, temperature: number) => {
    const tensors = encoding.crossEncoderTensors(
      readSafetensors(weights, Deno.readFileSync(weights)),
    );
    const content = { name, labels: VERDICT_LABELS, longest: LONGEST, temperature };
    const metadata = encoding.crossEncoderMetadata([...vocabulary.ids.keys()], content);
    const temporary = files.openTemporary(path);
    try {
      for (const piece of ggufBytes(metadata, tensors)) files.writeWhole(temporary.file, piece);
      temporary.commit();
    } catch (error) {
      temporary.discard();
      throw error;
    }
  };
  // Under another name: what stands under the final one is calibrated.
  const uncalibrated = `${path}.uncalibrated`;
  write(uncalibrated, 1);
  const development = pairs[shown].rows.filter(({ split }) => split === "development");
  const rows = [];
  {
    await using network = await encoding.openCrossEncoder(uncalibrated, { threads });
    using progress = openProgress("temperature", development.length);
    for (const { ids, label } of development) {
      if (signal.aborted) break;
      rows.push({ logits: await network.logits(ids), label, weight: 1 });
      progress.advance();
    }
  }
  Deno.removeSync(uncalibrated);
  if (rows.length < development.length) return undefined;
  write(path, fitTemperature(rows));
  return path;
}

/** How long the training took, and how far two engines differ. */
function workResults(
  { name: model, frozen }: answers.NetworkKind,
  { seconds, log }: {
    readonly seconds: TrainedNetwork["seconds"];
    readonly log: readonly tuned.LogRow[];
  },
  { pairs, greatest, median, greatestRounded, sameVerdict }: answers.Agreement,
): readonly FineTuningResult[] {
  const row = (metric: string, n: number, estimate: number, note: string): FineTuningResult => {
    const none = { labels: "", low: "", high: "" } as const;
    return { ...none, model, set: "training", metric, n, clusters: 0, estimate, note };
  };
  const steps = Math.max(0, ...log.map(({ step }) => step));
  const counted = frozen ? "n is steps, over vectors made before" : "n is steps";
  const minutes = (value: number) => Number((value / 60).toFixed(1));
  const against = (metric: string, value: number, note: string) => {
    const estimate = Number(value.toPrecision(2));
    return row(metric, pairs, estimate, `n is pairs of tokens that both are given; ${note}`);
  };
  const rounding = `as llama.cpp rounds it; at most ${answers.AGREEMENT_BAR}`;
  return [
    row("minutes by the wall", steps, minutes(seconds.wall), `${counted}; with what else ran`),
    row("minutes of processor time", steps, minutes(seconds.processor), counted),
    against("greatest difference of a probability from PyTorch's", greatest, "as it was trained"),
    against("median difference of a probability from PyTorch's", median, "as it was trained"),
    against(
      "greatest difference with GELU rounded to 16 bits in PyTorch",
      greatestRounded,
      rounding,
    ),
    against("share of verdicts that are PyTorch's", sameVerdict / pairs, "as it was trained"),
  ];
}
