import type { NetworkKind } from "./network_answers.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import {
  formatTrainingPairs,
  LOG_ROW,
  type LogRow,
  lossRows,
  type Shown,
  type TrainingPair,
  trainingPairs,
} from "../../lib/factuality/training/fine_tuning.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  knowledgeClaims,
} from "../../lib/factuality/training/knowledge_claims.ts";
import { fitTemperature } from "../../lib/factuality/training/optimise.ts";
import {
  FINE_TUNING_LOSS,
  FINE_TUNING_RESULTS,
  type FineTuningResult,
} from "../../lib/factuality/training/tables.ts";
import { VERDICT_LABELS } from "../../lib/factuality/types.ts";
import {
  openTemporary,
  readTextIfThere,
  sha256Hex,
  sha256OfFile,
  shownPath,
  writeTextAtomic,
  writeWhole,
} from "../../lib/files/atomic.ts";
import { formatProgress, openProgress, openStatusLine } from "../../lib/files/progress.ts";
import {
  type CrossEncoder,
  crossEncoderMetadata,
  crossEncoderTensors,
  openCrossEncoder,
} from "../../lib/models/encoder/cross_encoder.ts";
import { miniLmFiles } from "../../lib/models/encoder/minilm.ts";
import { wordPieces, type WordPieceVocabulary } from "../../lib/models/encoder/word_pieces.ts";
import { ggufBytes, readSafetensors } from "../../lib/models/llama/weights.ts";
import { modelFolder } from "../bench/encoder.ts";
import { pythonWithTorch, TextLineStream } from "../bench/harness.ts";
import { command, EXIT, int } from "../command.ts";
import {
  type Agreement,
  AGREEMENT_BAR,
  agreementWithPyTorch,
  type MeasuredSet,
  measuredSets,
  measureNetwork,
  modelClaimCases,
  shippedResults,
} from "./network_answers.ts";

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
    const script = (name: string) => fileURLToPath(new URL(`../python/${name}`, import.meta.url));
    const python = await pythonWithTorch();
    const material = await fineTuningMaterial(CACHE, FOLDER);
    const sets = measuredSets(material.cases, await modelClaimCases(CACHE, options.threads));
    const scripts = { train: script("finetune_train.py"), predict: script("finetune_predict.py") };
    const model = await modelFolder(CACHE);
    const tuning = { options, material, python, signal, folder: FOLDER, model, scripts, sets };
    const runs: NetworkRun[] = [];
    for (const kind of NETWORKS) {
      const run = await runNetwork(kind, tuning);
      if (run === undefined) return EXIT.incomplete;
      runs.push(run);
      // The first network's rows are worth having while the others are trained.
      FINE_TUNING_LOSS.write(
        runs.flatMap(({ kind: { name }, log, steps }) => lossRows(name, steps, log)),
      );
      FINE_TUNING_RESULTS.write([
        ...runs.flatMap(({ results }) => results),
        ...shippedResults(sets.map(({ name }) => name)),
      ]);
      console.log(`${kind.name}: ${shownPath(run.path)}, SHA-256 ${run.sha256}`);
    }
    console.log(`Wrote ${shownPath(FINE_TUNING_RESULTS.path)}.`);
    return EXIT.done;
  },
);

/** Most tokens of a pair: a processor has the time for so many. */
const LONGEST = 96;

/** The verifier's own claims: what one learns from them can be set beside the other. */
const CLAIMS = { seed: KNOWLEDGE_SEED, prosePerCountry: 4, factsPerCountry: 2 };

/** A file of pairs and what is in it. */
interface PairFile {
  readonly rows: readonly TrainingPair[];
  readonly path: string;
  readonly sha256: string;
}

/** What is trained on and measured with. */
interface Material {
  readonly cases: readonly KnowledgeCase[];
  readonly vocabulary: WordPieceVocabulary;
  readonly pairs: Readonly<Record<Shown, PairFile>>;
}

const FILES: Readonly<Record<Shown, string>> = {
  "evidence and claim": "pairs.jsonl",
  "claim only": "claims_only.jsonl",
};

/** The claims out of the knowledge base, and as files of pairs in `folder`. */
async function fineTuningMaterial(
  cacheDirectory: string,
  folder: string,
): Promise<Material> {
  const { vocabulary } = await miniLmFiles(cacheDirectory);
  const fields = await factbookFields(cacheDirectory);
  const cases = await knowledgeClaims(fields, { ...CLAIMS, splitter: ruleSplitter() });
  const tokenise = (text: string) => wordPieces(text, vocabulary).map(({ id }) => id);
  const frame = { first: vocabulary.first, separator: vocabulary.last, longest: LONGEST };
  const written = (shown: Shown): PairFile => {
    const rows = trainingPairs(cases, { tokenise, frame, shown });
    const text = formatTrainingPairs(rows);
    const path = join(folder, FILES[shown]);
    writeTextAtomic(path, text);
    return { rows, path, sha256: sha256Hex(text) };
  };
  const pairs = {
    "evidence and claim": written("evidence and claim"),
    "claim only": written("claim only"),
  };
  return { cases, vocabulary, pairs };
}

/** The one that is used comes first; the others say what it has learnt, and from what. */
const NETWORKS: readonly NetworkKind[] = [
  {
    name: "fine-tuned cross-encoder",
    file: "minilm_cross_encoder",
    shown: "evidence and claim",
    frozen: false,
    isUsed: true,
  },
  {
    name: "frozen MiniLM with trained head",
    file: "minilm_frozen",
    shown: "evidence and claim",
    frozen: true,
    isUsed: false,
  },
  {
    name: "fine-tuned on claims alone",
    file: "minilm_claims_only",
    shown: "claim only",
    frozen: false,
    isUsed: false,
  },
];

/**
 * Tried on the training claims: at 2e-4 with random batches of 32 nothing is learnt in 50 steps, at
 * 1.5e-4 with a head of ten times that the loss rises. A frozen network is cheap: it has ten times as
 * many rounds, and a higher rate.
 */
const SETTINGS = {
  batch: 16,
  learningRate: 1e-4,
  headFactor: 5,
  warmUp: 0.06,
  weightDecay: 0.01,
  dropout: 0.1,
  evaluateEvery: 100,
  developmentEvery: 3,
  patience: 3,
} as const;

const FROZEN = { learningRate: 2e-4, evaluateEvery: 500, developmentEvery: 1 } as const;
const FROZEN_ROUNDS = 10;

/** Everything that decides what a training gives. */
function trainingSettings(
  { file, shown, frozen }: NetworkKind,
  { seed, epochs }: Pick<FineTuneOptions, "seed" | "epochs">,
  { pairs }: Pick<Material, "pairs">,
  { model, folder }: { readonly model: string; readonly folder: string },
): TrainingSettings {
  const { path, sha256 } = pairs[shown];
  return {
    pairs: path,
    pairsSha256: sha256,
    model,
    out: join(folder, file),
    frozen,
    seed,
    epochs: frozen ? FROZEN_ROUNDS * epochs : epochs,
    ...(frozen ? { ...SETTINGS, ...FROZEN } : SETTINGS),
  };
}

/** What the task was asked for. */
interface FineTuneOptions {
  readonly seed: number;
  readonly epochs: number;
  readonly threads: number;
}

/** What of the training changes what comes of it. */
interface TrainingSettings {
  readonly pairs: string;
  readonly pairsSha256: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly out: string;
  /** Whether only the head learns. */
  readonly frozen: boolean;
  readonly seed: number;
  readonly epochs: number;
  readonly batch: number;
  /** Of the network; the head's is so many times as great. */
  readonly learningRate: number;
  readonly headFactor: number;
  /** Share of the steps in which the rate rises. */
  readonly warmUp: number;
  readonly weightDecay: number;
  readonly dropout: number;
  /** Steps between two looks at every so-manieth development claim. */
  readonly evaluateEvery: number;
  readonly developmentEvery: number;
  /** Looks without a lower loss after which training ends. */
  readonly patience: number;
}

const DONE = z.object({
  seconds: z.object({ wall: z.number(), processor: z.number() }),
  log: z.array(LOG_ROW),
});

/** A training that has ended. */
interface TrainedNetwork {
  /** The weights at the lowest loss on development claims. */
  readonly weights: string;
  readonly log: readonly LogRow[];
  readonly seconds: { readonly wall: number; readonly processor: number };
}

/** Where the training runs. */
interface TrainingProcess {
  readonly python: string;
  readonly script: string;
  readonly threads: number;
  /** Shown before the progress. */
  readonly label: string;
}

/** The end of a training of these very settings. */
function ended({ out }: TrainingSettings): TrainedNetwork | undefined {
  const text = readTextIfThere(join(out, "done.json"));
  if (text === undefined) return undefined;
  const { seconds, log } = DONE.parse(JSON.parse(text));
  return { weights: join(out, "best.safetensors"), seconds, log };
}

/** Writes the settings; what a training with others left is removed. */
function prepare(settings: TrainingSettings): string {
  const path = join(settings.out, "settings.json");
  const text = JSON.stringify(settings);
  const before = readTextIfThere(path);
  if (before !== undefined && before !== text) Deno.removeSync(settings.out, { recursive: true });
  Deno.mkdirSync(settings.out, { recursive: true });
  writeTextAtomic(path, text);
  return path;
}

/** Shows how the training goes on, line by line of what it prints. */
async function follow(lines: AsyncIterable<string>, label: string): Promise<void> {
  using status = openStatusLine();
  const begun = performance.now();
  let first: number | undefined;
  let development: number | undefined;
  for await (const line of lines) {
    const row = LOG_ROW.parse(JSON.parse(line));
    if (!("steps" in row)) {
      development = row.development_loss;
      continue;
    }
    first ??= row.step - 1;
    const seconds = (performance.now() - begun) / 1000;
    const progress = { label, done: row.step, total: row.steps, resumed: first, seconds };
    const loss = development === undefined ? "" : `, development loss ${development.toFixed(3)}`;
    status.show(`${formatProgress(progress)}${loss}`);
  }
}

/**
 * Trains in a process of its own, or tells what an earlier run gave. Undefined where Ctrl-C ended it:
 * it keeps a checkpoint.
 *
 * @throws {Error} where the process fails; its own words stand above.
 */
async function trainNetwork(
  settings: TrainingSettings,
  { python, script, threads, label }: TrainingProcess,
  signal: AbortSignal,
): Promise<TrainedNetwork | undefined> {
  const path = prepare(settings);
  const known = ended(settings);
  if (known !== undefined || signal.aborted) return known;
  const args = [script, path, String(threads)];
  const child = new Deno.Command(python, { args, stdin: "null", stdout: "piped" }).spawn();
  // A terminal tells both of Ctrl-C; whoever stops this process alone means the other one, too.
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  await follow(
    child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()),
    label,
  );
  const { success, code } = await child.status;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (success) return ended(settings);
  throw new Error(`Cannot fine-tune: ${[python, ...args].join(" ")} ended with code ${code}`);
}

/** Pairs on which two engines are compared. */
const COMPARED = 200;

/** What all networks are trained and measured with. */
interface FineTuning {
  readonly options: FineTuneOptions;
  readonly material: Material;
  readonly python: string;
  readonly scripts: { readonly train: string; readonly predict: string };
  /** Folder of the published weights. */
  readonly model: string;
  /** Where everything is kept. */
  readonly folder: string;
  readonly sets: readonly MeasuredSet[];
  readonly signal: AbortSignal;
}

/** A network that was trained, converted and measured. */
interface NetworkRun {
  readonly kind: NetworkKind;
  readonly path: string;
  readonly sha256: string;
  readonly steps: number;
  readonly log: readonly LogRow[];
  readonly results: readonly FineTuningResult[];
}

/** How long the training took, and how far two engines differ. */
function workResults(
  { name, frozen }: NetworkKind,
  { seconds, log }: TrainedNetwork,
  { pairs, greatest, median, greatestRounded, sameVerdict }: Agreement,
): readonly FineTuningResult[] {
  const row = (metric: string, n: number, estimate: number, note: string) => ({
    model: name,
    set: "training",
    labels: "" as const,
    metric,
    n,
    clusters: 0,
    estimate,
    low: "" as const,
    high: "" as const,
    note,
  });
  const steps = Math.max(0, ...log.map(({ step }) => step));
  const counted = frozen ? "n is steps, over vectors made before" : "n is steps";
  const minutes = (value: number) => Number((value / 60).toFixed(1));
  const figures = (value: number) => Number(value.toPrecision(2));
  const against = (metric: string, value: number, note: string) =>
    row(metric, pairs, figures(value), `n is pairs of tokens that both are given; ${note}`);
  return [
    row("minutes by the wall", steps, minutes(seconds.wall), `${counted}; with what else ran`),
    row("minutes of processor time", steps, minutes(seconds.processor), counted),
    against("greatest difference of a probability from PyTorch's", greatest, "as it was trained"),
    against("median difference of a probability from PyTorch's", median, "as it was trained"),
    against(
      "greatest difference with GELU rounded to 16 bits in PyTorch",
      greatestRounded,
      `as llama.cpp rounds it; at most ${AGREEMENT_BAR}`,
    ),
    against("share of verdicts that are PyTorch's", sameVerdict / pairs, "as it was trained"),
  ];
}

/** The network's file, and how far its answers are from PyTorch's; undefined where Ctrl-C came first. */
async function converted(
  kind: NetworkKind,
  { weights }: TrainedNetwork,
  { material, options: { threads }, folder, model, python, scripts, signal }: FineTuning,
) {
  const path = join(folder, `${kind.file}.gguf`);
  const { rows, path: pairsPath } = material.pairs[kind.shown];
  const development = rows.filter(({ split }) => split === "development");
  const source = { weights, name: kind.name, vocabulary: material.vocabulary, longest: LONGEST };
  if (!await writeNetwork(path, source, development, { threads, signal })) return undefined;
  await using network = await openCrossEncoder(path, { threads });
  const agreement = await agreementWithPyTorch(network, rows.slice(0, COMPARED), {
    python,
    script: scripts.predict,
    model,
    weights,
    pairsPath,
  });
  return { path, agreement };
}

/** Trains, converts, compares and measures; undefined where Ctrl-C ended it. */
async function runNetwork(
  kind: NetworkKind,
  tuning: FineTuning,
): Promise<NetworkRun | undefined> {
  const { options, material, python, scripts, signal, sets, folder } = tuning;
  const settings = trainingSettings(kind, options, material, tuning);
  const process = { python, script: scripts.train, threads: options.threads, label: kind.name };
  const trained = await trainNetwork(settings, process, signal);
  if (trained === undefined) return undefined;
  const file = await converted(kind, trained, tuning);
  if (file === undefined) return undefined;
  const { path, agreement } = file;
  await using network: CrossEncoder = await openCrossEncoder(path, options);
  const measured = await measureNetwork(kind, network, sets, { folder, signal });
  if (measured === undefined) return undefined;
  return {
    kind,
    path,
    sha256: sha256OfFile(path),
    log: trained.log,
    steps: trained.log.reduce((most, row) => "steps" in row ? row.steps : most, 0),
    results: [...measured, ...workResults(kind, trained, agreement)],
  };
}

/** What a file of a network is made of. */
interface NetworkSource {
  /** Safetensors that the training kept. */
  readonly weights: string;
  readonly name: string;
  readonly vocabulary: WordPieceVocabulary;
  readonly longest: number;
}

function write(path: string, source: NetworkSource, temperature: number): void {
  const { weights, name, vocabulary, longest } = source;
  const tensors = crossEncoderTensors(readSafetensors(weights, Deno.readFileSync(weights)));
  const content = { name, labels: VERDICT_LABELS, longest, temperature };
  const metadata = crossEncoderMetadata([...vocabulary.ids.keys()], content);
  const temporary = openTemporary(path);
  try {
    for (const piece of ggufBytes(metadata, tensors)) writeWhole(temporary.file, piece);
    temporary.commit();
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

async function temperatureOf(
  network: CrossEncoder,
  pairs: readonly TrainingPair[],
  signal: AbortSignal,
): Promise<number | undefined> {
  using progress = openProgress("temperature", pairs.length);
  const rows = [];
  for (const { ids, label } of pairs) {
    if (signal.aborted) return undefined;
    rows.push({ logits: await network.logits(ids), label, weight: 1 });
    progress.advance();
  }
  return fitTemperature(rows);
}

/**
 * Writes what PyTorch trained as one GGUF file, with the temperature that fits the development pairs
 * best as they are evaluated here.
 *
 * @returns whether it is written; not where Ctrl-C came first.
 */
async function writeNetwork(
  path: string,
  source: NetworkSource,
  development: readonly TrainingPair[],
  { threads, signal }: { readonly threads: number; readonly signal: AbortSignal },
): Promise<boolean> {
  // Under another name: what stands under the final one is calibrated.
  const uncalibrated = `${path}.uncalibrated`;
  write(uncalibrated, source, 1);
  const temperature = await (async () => {
    await using network = await openCrossEncoder(uncalibrated, { threads });
    return await temperatureOf(network, development, signal);
  })();
  Deno.removeSync(uncalibrated);
  if (temperature === undefined) return false;
  write(path, source, temperature);
  return true;
}
