import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Line, LineChart, LinePoint } from "../../../figures/line_chart.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";
import { caseVectors, type Vector, type VectorStore } from "../../training/case_vectors.ts";
import type { Split } from "../../training/country_split.ts";
import type { FitProgress } from "../../training/heads/fit_network.ts";
import {
  type HeadSettings,
  judgedBy,
  type SplitCase,
  type TrainedOwnHead,
  trainOwnHead,
} from "../../training/heads/train_own_head.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { type LoadedTools, verifierTools } from "../../verifiers/open_trained_verifier.ts";
import { pairVector } from "../../verifiers/pair_vector.ts";
import type { VerifierWeights } from "../../verifiers/verifier_weights.ts";
import { claimsIn, clusterTables, meanBalancedAccuracy } from "./cluster_tables.ts";

/** All claims about so many countries of each split, drawn by lot. */
export function drawCountries(
  cases: readonly KnowledgeCase[],
  counts: Readonly<Record<Split, number>>,
  random: RandomSource,
): readonly KnowledgeCase[] {
  const drawn = new Set(
    Object.entries(counts).flatMap(([split, count]) => {
      const own = cases.filter((one) => one.split === split).map(({ cluster }) => cluster);
      return random.sample([...new Set(own)].sort(), count);
    }),
  );
  return cases.filter(({ cluster }) => drawn.has(cluster));
}

/** The numbers of each case, made here and now. */
export async function vectorisedCases(
  cases: readonly KnowledgeCase[],
  gazetteer: VerifierWeights["gazetteer"],
  loaded: LoadedTools,
): Promise<readonly SplitCase[]> {
  const { read } = verifierTools(gazetteer, loaded);
  const vectors = await caseVectors(cases, {
    store: inMemory(),
    read: (passages) => {
      const reader = read(passages);
      return async (claim) => pairVector(claim, await reader.features(claim), loaded.encoder);
    },
  });
  return cases.map((one, i) => ({ case: one, vector: vectors[i], split: one.split }));
}

function inMemory(): VectorStore {
  const vectors = new Map<string, Vector>();
  return {
    has: (key) => vectors.has(key),
    get: (key) => vectors.get(key),
    add: (key, vector) => void vectors.set(key, vector),
  };
}

/** A head with the losses of its training. */
export interface LiveHead {
  readonly name: string;
  readonly trained: TrainedOwnHead;
  readonly losses: readonly FitProgress[];
}

const SETTINGS: Omit<HeadSettings, "hidden"> = {
  ...{ labels: "three-way", features: "readable", l2: 0.001, classWeights: "balanced" },
  ...{ patience: 5, maxIterations: 100, seed: 1 },
};

/** Trains a head on the readable features: a logistic one with 0 hidden units. */
export function trainLiveHead(cases: readonly SplitCase[], hidden: number): LiveHead {
  const losses: FitProgress[] = [];
  const trained = trainOwnHead(cases, { ...SETTINGS, hidden }, (one) => void losses.push(one));
  return { name: hidden === 0 ? "logistic" : `MLP ${hidden}`, trained, losses };
}

/** How each head trained and what it says of the held-out countries. */
export function liveHeadsTable(
  heads: readonly LiveHead[],
  cases: readonly SplitCase[],
  random: RandomSource,
): string {
  const test = cases.filter(({ split }) => split === "test");
  return markdownTable(
    ["head", "iterations", "best one", "claims", "countries", "three-way", "binary"],
    heads.map(({ name, trained }) => {
      const judged = judgedBy(trained, test);
      const [three, two] = (["three-way", "binary"] as const).map((one) =>
        clusterTables(judged, one)
      );
      const measured = [three!, two!].map((tables) =>
        writtenMeasure(meanBalancedAccuracy([tables], random), "decimal")
      );
      const { iterations, bestIteration } = trained;
      return [name, iterations, bestIteration, claimsIn(three!), three!.length, ...measured];
    }),
  );
}

/** Most points of a line: more would hide each other. */
const POINTS = 25;

/** Loss by iteration of each head, of what it learns from and of what stops it. */
export function liveLossLines(heads: readonly LiveHead[]): readonly Line[] {
  const line = (
    label: string,
    losses: readonly FitProgress[],
    key: "loss" | "developmentLoss",
  ) => ({
    label,
    points: thinned(losses).map((one): LinePoint => ({
      x: one.iteration,
      measure: { kind: "value", estimate: one[key] },
    })),
  });
  return heads.flatMap(({ name, losses }) => [
    line(`${name}, training`, losses.filter(({ iteration }) => iteration > 0), "loss"),
    line(`${name}, development`, losses, "developmentLoss"),
  ]);
}

function thinned(losses: readonly FitProgress[]): readonly FitProgress[] {
  const every = Math.ceil(losses.length / POINTS);
  return losses.filter((_, i) => i % every === 0 || i === losses.length - 1);
}

/** Axes that hold every point of lines of losses. */
export function lossAxes(lines: readonly Line[], steps: string): Pick<LineChart, "x" | "y"> {
  const points = lines.flatMap((line) => line.points);
  const losses = points.flatMap(({ measure }) =>
    measure.kind === "unavailable" ? [] : [measure.estimate]
  );
  const most = Math.max(...points.map(({ x }) => x));
  return {
    x: { label: steps, format: "count", domain: [0, Math.ceil(1.02 * most)] },
    y: {
      ...{ label: "loss (nats)", format: "decimal" },
      domain: [0, Math.ceil(10 * Math.max(...losses)) / 10],
    },
  };
}
