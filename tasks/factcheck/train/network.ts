import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ruleSplitter } from "../../../lib/factuality/claims/rule_splitter.ts";
import { FACTUALITY_PATHS } from "../../../lib/factuality/paths.ts";
import { factbookFields } from "../../../lib/factuality/retrieval/factbook.ts";
import * as pairs from "../../../lib/factuality/own/training/pairs.ts";
import {
  developmentSplit,
  TRAINING_SEED,
  withoutHeldOutClaims,
} from "../../../lib/factuality/own/training/splits.ts";
import { lossTable, TRAINING_RATES } from "../../../lib/factuality/own/training/tables.ts";
import { VERDICT_LABELS } from "../../../lib/factuality/types.ts";
import * as files from "../../../lib/files/atomic.ts";
import { formatProgress, openProgress, openStatusLine } from "../../../lib/files/progress.ts";
import * as encoding from "../../../lib/models/encoder/cross_encoder.ts";
import { miniLmFiles } from "../../../lib/models/encoder/minilm.ts";
import {
  joinNetwork,
  splitNetwork,
  wholeNetwork,
} from "../../../lib/models/encoder/shipped_network.ts";
import { readGguf, readSafetensors, writeSafetensors } from "../../../lib/models/llama/weights.ts";
import { streamLines } from "../../../lib/files/json.ts";
import { miniLmFolder, pythonWithTorch } from "../../python_environment.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { command, EXIT, int } from "../../command.ts";
import { FACTBOOK_CLAIMS } from "../../open_studies.ts";

const CACHE = FACTUALITY_PATHS.cache;
const FOLDER = join(CACHE, "finetune");
export const TASK = command(
  "factcheck train network",
  "Fine-tunes MiniLM's weights on labelled claims with PyTorch, on a GPU if there is one. Makes a Python " +
    "environment in .cache/python once (1.3 GB). Writes verifier_network.gguf and fine_tuning_loss.csv; " +
    "next: deno task factcheck train verifier. Ctrl-C saves a checkpoint, and another run continues.",
  (c) =>
    c.requiredOption(
      "--cases <file...>",
      "labelled claims, .jsonl, .jsonl.gz or .csv; docs/fact_checking_compare.md has the fields",
    )
      .option("--development <file...>", "for model selection; a tenth of the cases by default")
      .option(
        "--from <file>",
        "a trained network (.gguf) to continue from: the default one, or yours",
      )
      .option(
        "--made",
        "add claims made from the factbook, supported cases with one change, natural contradictions",
      )
      .option("--folder <folder>", "for the results", FOLDER)
      .option("--force", "overwrite files in --folder that Touchstone did not make")
      .option("--rates <file>", "repetitions of each set per round", TRAINING_RATES.path)
      .option("--steps <n>", "batches of 32; two rounds by default", int({ min: 1 }))
      .option(
        "--seed <n>",
        "seed of the training order and the initial weights",
        int({ min: 0 }),
        TRAINING_SEED,
      )
      .option("--threads <n>", "of PyTorch", int({ min: 1, max: 1024 }), 2),
  async (options, { signal }) => {
    if (options.from !== undefined) files.protectInput(options.from);
    const trained = await train(options, signal);
    if (trained === undefined) return EXIT.incomplete;
    const path = await writeNetwork(trained.weights, options.folder);
    const model = options.from === undefined ? "network" : "network, trained on";
    lossTable(options.folder).write(pairs.lossRows(model, trained.log));
    const joined = await joinNetwork(path, { cacheDirectory: CACHE });
    const { wall, processor } = trained.seconds;
    const minutes = (seconds: number) => (seconds / 60).toFixed(0);
    console.log(
      `${files.shownPath(path)}, joined with the published word embeddings SHA-256 ` +
        `${joined.sha256}; ${minutes(wall)} minutes by the wall, ` +
        `${minutes(processor)} of processor time.`,
    );
    return EXIT.done;
  },
);

interface Options {
  readonly cases: readonly string[];
  readonly development?: readonly string[];
  readonly made?: true;
  readonly from?: string;
  readonly rates: string;
  readonly steps?: number;
  readonly seed: number;
  readonly folder: string;
  readonly threads: number;
}

/** Number of random development pairs evaluated during training, about a minute on two cores. */
const MEASURED = 2000;

/** Maximum pair length in tokens, in training and in use. Most pairs have fewer than 97. */
const MAX_PAIR_TOKENS = 160;

/** Reads the input files before anything is made, fetched or installed. */
function readCases({ cases: paths, development, rates, from }: Options) {
  const given = pairs.fileCases(paths, "train", console.log);
  const all = development === undefined
    ? developmentSplit(given, TRAINING_SEED)
    : [...given, ...pairs.fileCases(development, "development", console.log)];
  const listed = TRAINING_RATES.at(resolve(rates)).read();
  if (from !== undefined && !existsSync(from)) {
    throw new RangeError(`Cannot train on from ${from}: there is no such file.`);
  }
  return { all, listed };
}

/** Writes all cases to a file of pairs, with its digest and repetitions. */
async function trainingMaterial(
  { all, listed }: ReturnType<typeof readCases>,
  { cases: paths, made, folder }: Options,
) {
  if (made) all.push(...await madeCases(all));
  const whole = withoutHeldOutClaims(all);
  const bySplit = Map.groupBy(whole, ({ split }) => split);
  const random = randomSource(`${TRAINING_SEED}/silent`);
  const silent = [...bySplit.values()].flatMap((splitCases) =>
    pairs.silentCases(splitCases, random)
  );
  const known = [...withMixedEvidence(whole), ...silent];
  const measured = known.filter(({ split }) => split === "development");
  const draw = randomSource(`${TRAINING_SEED}/measured`);
  const cases = [
    ...known.filter(({ split }) => split === "train"),
    ...draw.sample(measured, Math.min(MEASURED, measured.length)),
  ];
  for (const split of ["train", "development"] as const) {
    if (cases.some((one) => one.split === split)) continue;
    const none = `no claim to ${split === "train" ? "learn from" : "choose by"} with a source`;
    throw new RangeError(`Cannot train a network: ${paths.join(", ")} has ${none}.`);
  }
  const { vocabulary } = await miniLmFiles(CACHE);
  const frame = { first: vocabulary.first, separator: vocabulary.last, longest: MAX_PAIR_TOKENS };
  const path = join(folder, "pairs.jsonl");
  const rows: string[] = [];
  {
    using progress = openProgress("pairs of tokens", cases.length);
    for (const one of cases) {
      for (const pair of pairs.trainingPairs(one, vocabulary.tokenise, frame)) {
        rows.push(JSON.stringify(pair));
      }
      progress.advance();
    }
  }
  files.writeTextAtomic(path, `${rows.join("\n")}\n`);
  const rateOf = (set: string) => listed.find(({ prefix }) => set.startsWith(prefix))?.rate ?? 1;
  const sets = [...new Set(cases.map(({ set }) => set))].sort();
  return {
    pairs: path,
    pairsSha256: files.sha256OfFile(path),
    shown: Object.fromEntries(sets.map((set) => [set, rateOf(set)])),
  };
}

/**
 * Adds other cases' evidence to a random half of the cases. In use, evidence is seldom isolated.
 */
function withMixedEvidence(cases: readonly pairs.TrainingCase[]): readonly pairs.TrainingCase[] {
  const random = randomSource(`${TRAINING_SEED}/among others`);
  return [...Map.groupBy(cases, ({ split }) => split).values()].flatMap((splitCases) => {
    const shuffled = random.shuffle(splitCases);
    const [taken, left] = [
      shuffled.slice(0, splitCases.length / 2),
      shuffled.slice(splitCases.length / 2),
    ];
    // Evidence that cannot be mixed with others stays unchanged.
    return [...left, ...pairs.mixedWithOthers(taken, random).map((one, i) => one ?? taken[i]!)];
  });
}

/** Claims about training countries, by rule or by models, cases with one change, natural contradictions. */
async function madeCases(cases: readonly pairs.TrainingCase[]) {
  const { knowledgeClaims, naturalClaims, writtenCases } = await FACTBOOK_CLAIMS.stated();
  const { countryVariants, madeClaims } = await FACTBOOK_CLAIMS.varied();
  const fields = await factbookFields(CACHE);
  const making = { seed: TRAINING_SEED, prosePerCountry: 8, factsPerCountry: 5 };
  const madeOfFactbook = await knowledgeClaims(fields, { ...making, splitter: ruleSplitter() });
  return [
    ...madeClaims(cases, fields),
    // Held-out countries too, so that their claims do not recur in the same words.
    ...madeOfFactbook.map(({ kind, ...one }) => ({ ...one, set: `factbook ${kind}` })),
    ...countryVariants(fields),
    ...writtenCases(fields),
    ...naturalClaims(),
  ];
}

/** Settings of a training. The learning rate is near one (8e-5) that did well on 32,000 pairs. */
const SETTINGS = {
  batch: 32,
  epochs: 2,
  /** Learning rate of the network. That of the head is this times `headFactor`. */
  learningRate: 1e-4,
  headFactor: 5,
  /** Share of the steps with a rising learning rate. */
  warmUp: 0.05,
  weightDecay: 0.01,
  dropout: 0.1,
  /** Decay of the exponential moving average of the weights per step. */
  averaging: 0.998,
  /** Number of steps between two evaluations on development cases. */
  evaluateEvery: 1000,
} as const;

const DONE = z.object({
  seconds: z.object({ wall: z.number(), processor: z.number() }),
  log: z.array(pairs.LOG_ROW),
});

/**
 * Settings for a pre-trained network: a lower rate, the same for the head, which is as old as the
 * layers.
 */
const TRAINED_ON = { learningRate: 5e-5, headFactor: 1 } as const;

/**
 * Trains in a separate process, or returns an earlier run's result. The settings must be the same;
 * remains of other trainings are removed. Undefined where Ctrl-C ended it, with a checkpoint.
 * @throws {Error} where the process fails; its messages precede.
 */
async function train(options: Options, signal: AbortSignal) {
  const { steps = null, seed, threads, from } = options;
  const given = readCases(options);
  // Before hours of work, so that obstacles are reported at once.
  for (const path of [networkPath(options.folder), lossTable(options.folder).path]) {
    files.requireWritable(path);
  }
  const material = await trainingMaterial(given, options);
  const { pairs: path, pairsSha256, shown: rates } = material;
  const out = join(options.folder, "network");
  const model = await miniLmFolder(CACHE);
  const start = from === undefined ? undefined : await trainingWeights(from);
  const plan = { pairs: path, pairsSha256, model, start, out, seed, steps, rates };
  const settings = JSON.stringify({ ...plan, ...SETTINGS, ...start && TRAINED_ON });
  const settingsPath = join(out, "settings.json");
  const before = files.readTextIfThere(settingsPath);
  if (before !== undefined && before !== settings) {
    files.requireWritable(settingsPath);
    Deno.removeSync(out, { recursive: true });
  }
  Deno.mkdirSync(out, { recursive: true });
  files.writeTextAtomic(settingsPath, settings);
  const ended = () => {
    const text = files.readTextIfThere(join(out, "done.json"));
    return text === undefined
      ? undefined
      : { ...DONE.parse(JSON.parse(text)), weights: join(out, "best.safetensors") };
  };
  const known = ended();
  if (known !== undefined || signal.aborted) return known;
  const python = await pythonWithTorch();
  const script = fileURLToPath(new URL("../../python/finetune_train.py", import.meta.url));
  const args = [script, settingsPath, String(threads)];
  const child = new Deno.Command(python, { args, stdin: "null", stdout: "piped" }).spawn();
  // A terminal sends Ctrl-C to both; a signal to this process alone is meant for the other too.
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  await showProgress(streamLines(child.stdout));
  const { success, code } = await child.status;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (success) return ended();
  throw new Error(`Cannot fine-tune: ${[python, ...args].join(" ")} ended with code ${code}`);
}

/** Path of a trained network's weights for PyTorch, named after their content. */
async function trainingWeights(from: string): Promise<string> {
  const whole = await wholeNetwork(from, { cacheDirectory: CACHE });
  const bytes = Deno.readFileSync(whole);
  const { tensors } = readGguf(files.shownPath(from), bytes);
  const path = join(FOLDER, `start-${files.sha256Hex(bytes).slice(0, 12)}.safetensors`);
  Deno.mkdirSync(FOLDER, { recursive: true });
  writeSafetensors(path, encoding.trainedTensors(files.shownPath(from), tensors));
  return path;
}

/** Shows the progress of a training, line by line. */
async function showProgress(lines: AsyncIterable<string>): Promise<void> {
  using status = openStatusLine();
  const begun = performance.now();
  let first: number | undefined;
  let loss = "";
  for await (const line of lines) {
    const row = pairs.LOG_ROW.parse(JSON.parse(line));
    if (!("steps" in row)) {
      loss = `, development loss ${row.development_loss.toFixed(3)}`;
      continue;
    }
    first ??= row.step - 1;
    const seconds = (performance.now() - begun) / 1000;
    const progress = {
      label: "network",
      done: row.step,
      total: row.steps,
      resumed: first,
      seconds,
    };
    status.show(`${formatProgress(progress)}${loss}`);
  }
}

const networkPath = (folder: string) => join(folder, "verifier_network.gguf");

/** Writes layers and head in the default format for `joinNetwork()`. @returns their path. */
async function writeNetwork(weights: string, folder: string): Promise<string> {
  const { vocabulary, weights: published } = await miniLmFiles(CACHE);
  const bytes = Deno.readFileSync(weights);
  const tensors = encoding.crossEncoderTensors(readSafetensors(weights, bytes));
  const content = {
    name: "verifier",
    labels: VERDICT_LABELS,
    longest: MAX_PAIR_TOKENS,
    temperature: 1,
  };
  const metadata = encoding.crossEncoderMetadata(vocabulary.pieces, content);
  const path = networkPath(folder);
  Deno.mkdirSync(folder, { recursive: true });
  splitNetwork(path, { metadata, tensors }, published.path);
  return path;
}
