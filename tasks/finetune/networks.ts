import { join } from "node:path";
import type { Shown } from "../../lib/factuality/fine_tuning/training_pairs.ts";
import type { FineTuneOptions } from "./options.ts";
import type { Material } from "./material.ts";
import type { TrainingSettings } from "./train_network.ts";

/** One of the networks that are trained and compared. */
export interface NetworkKind {
  /** As tables name it. */
  readonly name: string;
  /** Folder and file below the task's own. */
  readonly file: string;
  readonly shown: Shown;
  /** Whether only the head learns: the figures before fine-tuning. */
  readonly frozen: boolean;
  /** Whether it is the one that evaluations use. */
  readonly isUsed: boolean;
}

/** The one that is used comes first; the others say what it has learnt, and from what. */
export const NETWORKS: readonly NetworkKind[] = [
  {
    ...{ name: "fine-tuned cross-encoder", file: "minilm_cross_encoder" },
    ...{ shown: "evidence and claim", frozen: false, isUsed: true },
  },
  {
    ...{ name: "frozen MiniLM with trained head", file: "minilm_frozen" },
    ...{ shown: "evidence and claim", frozen: true, isUsed: false },
  },
  {
    ...{ name: "fine-tuned on claims alone", file: "minilm_claims_only" },
    ...{ shown: "claim only", frozen: false, isUsed: false },
  },
];

/**
 * Tried on the training claims: at 2e-4 with random batches of 32 nothing is learnt in 50 steps, at
 * 1.5e-4 with a head of ten times that the loss rises. A frozen network is cheap: it has ten times as
 * many rounds, and a higher rate.
 */
const SETTINGS = {
  ...{ batch: 16, learningRate: 1e-4, headFactor: 5, warmUp: 0.06, weightDecay: 0.01 },
  ...{ dropout: 0.1, evaluateEvery: 100, developmentEvery: 3, patience: 3 },
} as const;

const FROZEN = { learningRate: 2e-4, evaluateEvery: 500, developmentEvery: 1 } as const;
const FROZEN_ROUNDS = 10;

/** Everything that decides what a training gives. */
export function trainingSettings(
  { file, shown, frozen }: NetworkKind,
  { seed, epochs }: Pick<FineTuneOptions, "seed" | "epochs">,
  { pairs }: Pick<Material, "pairs">,
  { model, folder }: { readonly model: string; readonly folder: string },
): TrainingSettings {
  const { path, sha256 } = pairs[shown];
  return {
    ...{ pairs: path, pairsSha256: sha256, model, out: join(folder, file) },
    ...{ frozen, seed, epochs: frozen ? FROZEN_ROUNDS * epochs : epochs },
    ...(frozen ? { ...SETTINGS, ...FROZEN } : SETTINGS),
  };
}
