import { join } from "node:path";
import type { LogRow } from "../../lib/factuality/fine_tuning/loss_table.ts";
import type { FineTuningResult } from "../../lib/factuality/fine_tuning/results_table.ts";
import { sha256OfFile } from "../../lib/files/checksum.ts";
import { type CrossEncoder, openCrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import { type Agreement, AGREEMENT_BAR, agreementWithPyTorch } from "./agreement.ts";
import { LONGEST, type Material } from "./material.ts";
import { type MeasuredSet, measureNetwork } from "./measure_networks.ts";
import { writeNetwork } from "./network_file.ts";
import { type NetworkKind, trainingSettings } from "./networks.ts";
import type { FineTuneOptions } from "./options.ts";
import { type TrainedNetwork, trainNetwork } from "./train_network.ts";

/** Pairs on which two engines are compared. */
const COMPARED = 200;

/** What all networks are trained and measured with. */
export interface FineTuning {
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
export interface NetworkRun {
  readonly kind: NetworkKind;
  readonly path: string;
  readonly sha256: string;
  readonly steps: number;
  readonly log: readonly LogRow[];
  readonly results: readonly FineTuningResult[];
}

function stepsOf(log: readonly LogRow[]): number {
  return log.reduce((most, row) => "steps" in row ? row.steps : most, 0);
}

/** How long the training took, and how far two engines differ. */
function workResults(
  { name, frozen }: NetworkKind,
  { seconds, log }: TrainedNetwork,
  { pairs, greatest, median, greatestRounded, sameVerdict }: Agreement,
): readonly FineTuningResult[] {
  const row = (metric: string, n: number, estimate: number, note: string) => ({
    ...{ model: name, set: "training", labels: "" as const, metric, n, clusters: 0 },
    ...{ estimate, low: "" as const, high: "" as const, note },
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
    ...{ python, script: scripts.predict, model, weights, pairsPath },
  });
  return { path, agreement };
}

/** Trains, converts, compares and measures; undefined where Ctrl-C ended it. */
export async function runNetwork(
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
    ...{ kind, path, sha256: sha256OfFile(path), log: trained.log, steps: stepsOf(trained.log) },
    results: [...measured, ...workResults(kind, trained, agreement)],
  };
}
