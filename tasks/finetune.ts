/**
 * Fine-tunes MiniLM's own weights as a cross-encoder with PyTorch, and runs it in this process.
 *
 *     deno task finetune [--seed NUMBER] [--epochs NUMBER] [--threads NUMBER]
 *
 * Training alone is Python's, in a scratch environment of the cache; what it reads is written here,
 * token by token, and what it gives is converted, calibrated, compared with PyTorch's own answers and
 * measured here. Writes the network to .cache/finetune and two tables to data/factuality.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatLossTable, lossRows } from "../lib/factuality/fine_tuning/loss_table.ts";
import { formatFineTuningResults } from "../lib/factuality/fine_tuning/results_table.ts";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { modelFolder } from "./bench/encoder_reference.ts";
import { pythonEnvironment } from "./bench/python_environment.ts";
import { runCommand } from "./command.ts";
import { fineTuningMaterial } from "./finetune/material.ts";
import { measuredSets } from "./finetune/measure_networks.ts";
import { modelClaimCases } from "./finetune/model_claims.ts";
import { NETWORKS } from "./finetune/networks.ts";
import { fineTuneOptions, USAGE } from "./finetune/options.ts";
import { type FineTuning, type NetworkRun, runNetwork } from "./finetune/run_network.ts";
import { shippedResults } from "./finetune/shipped.ts";
import { stopSignal } from "./stop_signal.ts";

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;
const CACHE = FACTUALITY_PATHS.cache;
const FOLDER = join(CACHE, "finetune");

const script = (name: string) => fileURLToPath(new URL(`./python/${name}`, import.meta.url));

async function prepared(signal: AbortSignal): Promise<FineTuning> {
  const options = fineTuneOptions(Deno.args);
  const python = await pythonEnvironment(CACHE);
  const material = await fineTuningMaterial(CACHE, FOLDER);
  return {
    ...{ options, material, python, signal, folder: FOLDER },
    model: await modelFolder(CACHE),
    scripts: { train: script("finetune_train.py"), predict: script("finetune_predict.py") },
    sets: measuredSets(material.cases, await modelClaimCases(CACHE, options.threads)),
  };
}

/** Both tables of the networks so far: the first is worth having while the others are trained. */
function writeTables(runs: readonly NetworkRun[], { sets }: FineTuning): void {
  const losses = runs.flatMap(({ kind, log, steps }) => lossRows(kind.name, steps, log));
  const results = [
    ...runs.flatMap(({ results }) => results),
    ...shippedResults(sets.map(({ name }) => name)),
  ];
  writeTextAtomic(FACTUALITY_PATHS.fineTuningLoss, formatLossTable(losses));
  writeTextAtomic(FACTUALITY_PATHS.fineTuningResults, formatFineTuningResults(results));
}

async function main(): Promise<number> {
  const signal = stopSignal("what was trained and answered is kept, and a further run goes on.");
  const tuning = await prepared(signal);
  const runs: NetworkRun[] = [];
  for (const kind of NETWORKS) {
    const run = await runNetwork(kind, tuning);
    if (run === undefined) return INCOMPLETE;
    runs.push(run);
    writeTables(runs, tuning);
    console.log(`${kind.name}: ${shownPath(run.path)}, SHA-256 ${run.sha256}`);
  }
  console.log(`Wrote ${shownPath(FACTUALITY_PATHS.fineTuningResults)}.`);
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
