/**
 * Trains a verifier of one's own on labelled claims, and measures it on what was held out.
 *
 *     deno task train --cases fever:FILE --labels binary
 *     deno task train --cases mine.csv --features both --head mlp
 *     deno task train --synthetic          claims made out of the knowledge base
 *     deno task train --study              the tables of notebook 45
 *
 * The encoder is never trained: with `--features embeddings` or `both` this is a frozen MiniLM with a
 * trained head. `deno task finetune` trains the model's own weights.
 */
import { dirname } from "node:path";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { ownHeadWeights, type SplitCase } from "../lib/factuality/training/heads/train_own_head.ts";
import type { HeadWeights } from "../lib/factuality/verifiers/head_weights.ts";
import { readVerifierWeights } from "../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../lib/factuality/wordnet/read_wordnet.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { openStatusLine } from "../lib/files/status_line.ts";
import { loadMiniLm } from "../lib/models/encoder/minilm.ts";
import { runCommand } from "./command.ts";
import { headTable } from "./train/head_table.ts";
import { type TrainOptions, trainOptions, USAGE } from "./train/options.ts";
import { fileCases, type PlacedCase, syntheticCases } from "./train/split_cases.ts";
import { runStudy } from "./train/study.ts";
import { vectorReader } from "./train/vectors.ts";

async function placedCases(
  { sources, shares, settings: { seed }, synthetic }: TrainOptions,
): Promise<readonly PlacedCase[]> {
  const own = await fileCases(sources, shares, seed, (words) => console.log(words));
  const made = synthetic ? await syntheticCases() : [];
  return [...own, ...made.map((one) => ({ case: one, split: one.split }))];
}

function dataWords({ sources, synthetic }: TrainOptions): string {
  const files = sources.map(({ format, path }) => `${format}:${shownPath(path)}`);
  return [...files, ...synthetic ? ["claims made out of the knowledge base"] : []].join(", ");
}

/** Trains on the cases, with each iteration's losses on a status line. */
function trained(
  cases: readonly SplitCase[],
  { settings }: TrainOptions,
  origin: Parameters<typeof ownHeadWeights>[2],
): HeadWeights {
  using status = openStatusLine();
  return ownHeadWeights(cases, settings, origin, ({ iteration, loss, developmentLoss }) => {
    const [own, other] = [loss, developmentLoss].map((value) => value.toFixed(4));
    status.show(`iteration ${iteration}: loss ${own}, development ${other} nats a claim`);
  });
}

async function main(): Promise<number> {
  const options = trainOptions(Deno.args);
  const placed = options.study ? [] : await placedCases(options);
  const { cache: cacheDirectory } = FACTUALITY_PATHS;
  await using encoder = await loadMiniLm({ cacheDirectory, threads: options.threads });
  // The names of countries by which the verifier that ships knows them serve here, too.
  const { gazetteer } = readVerifierWeights();
  const tools = { cacheDirectory, gazetteer, encoder, wordnet: await readWordNet() };
  if (options.study) {
    await runStudy(vectorReader("both", tools), options.parts);
    return 0;
  }
  const { out, settings: { features } } = options;
  const vectors = await vectorReader(features, tools)("claims", placed.map((one) => one.case));
  const weights = trained(placed.map((one, i) => ({ ...one, vector: vectors[i] })), options, {
    ...{ data: dataWords(options), gazetteer },
    encoder: { name: encoder.name, dimensions: encoder.dimensions },
  });
  Deno.mkdirSync(dirname(out), { recursive: true });
  writeTextAtomic(out, `${JSON.stringify(weights)}\n`);
  console.log(`${headTable(weights)}\n\nWrote ${shownPath(out)}. In evaluation.yaml:\n`);
  console.log(`verifier: { kind: trained, path: ${shownPath(out)} }`);
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
