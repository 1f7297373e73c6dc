import { z } from "zod";
import { sha256Hex } from "../../files/checksum.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { SCHEME_LABELS, verdictShares } from "./head_labels.ts";
import { headProbabilities } from "./network_head.ts";
import { headInput, inputWidth } from "./pair_vector.ts";
import type { VerdictProbabilities } from "../verdicts/verdict.ts";

const NUMBERS = z.array(z.number());
const ROWS = z.array(NUMBERS);

/** A figure with its 95 % interval by cluster, or why there is none, of the interval or of both. */
const FIGURE = z.union([
  z.object({ estimate: z.number(), low: z.number(), high: z.number() }),
  z.object({ estimate: z.number(), noInterval: z.string() }),
  z.object({ unavailable: z.string() }),
]);

const MEASURES = z.object({
  n: z.number(),
  unscored: z.number(),
  clusters: z.number(),
  accuracy: FIGURE,
  balancedAccuracy: FIGURE,
  /** Of `supported`. */
  precision: FIGURE,
  recall: FIGURE,
  f1: FIGURE,
  brier: FIGURE,
  calibrationError: FIGURE,
});

const TRAINING = z.object({
  seed: z.number(),
  l2: z.number(),
  /** Hidden units; 0 for a logistic head. */
  hidden: z.number(),
  classWeights: z.enum(["balanced", "as found"]),
  /** Passes without a better loss on the development part before it ends. */
  patience: z.number(),
  /** Where the loss on the development part was least. */
  bestIteration: z.number(),
  iterations: z.number(),
  cases: z.object({ train: z.number(), development: z.number(), test: z.number() }),
  /** What was trained on, in words. */
  data: z.string(),
  /** SHA-256 of claims, sources, labels and splits. */
  dataSha256: z.string(),
});

const CONTENT = z.object({
  version: z.literal(2),
  labels: z.enum(["binary", "three-way"]),
  /** What a binary head calls what it does not find supported. */
  rest: z.enum(["refuted", "not enough info"]),
  features: z.enum(["readable", "embeddings", "both"]),
  /** The readable features, in order. */
  featureNames: z.array(z.string()),
  encoder: z.object({ name: z.string(), dimensions: z.number() }),
  means: NUMBERS,
  scales: z.array(z.number().positive()),
  /** Null for a logistic head. */
  hidden: z.object({ weights: ROWS, biases: NUMBERS }).nullable(),
  output: z.object({ coefficients: ROWS, intercepts: NUMBERS }),
  temperature: z.number().positive(),
  training: TRAINING,
  /** On clusters that nothing was fitted on. */
  heldOut: MEASURES,
  gazetteer: z.array(z.object({ name: z.string(), type: z.string(), also: z.array(z.string()) })),
});

const WEIGHTS = CONTENT.extend({ sha256: z.string() });

/** A trained head with what it comes from, without its hash. */
export type HeadContent = z.infer<typeof CONTENT>;

/** Weights of version 2: a head that `deno task train` made. */
export type HeadWeights = z.infer<typeof WEIGHTS>;

/** What was measured on held-out data. */
export type HeadMeasures = z.infer<typeof MEASURES>;

/** Adds the SHA-256 of everything else. */
export function sealedHead(content: HeadContent): HeadWeights {
  return { ...content, sha256: contentHash(content) };
}

/**
 * Reads and checks weights of version 2.
 * @throws {SyntaxError} naming the file, where it is none, its hash is another, or the numbers do not
 * fit each other or the features that there are now.
 */
export function parseHeadWeights(value: unknown, path: string): HeadWeights {
  const { data: weights, error } = WEIGHTS.safeParse(value);
  const problem = weights === undefined
    ? "is no weights file of version 2. Restore it, or train again"
    : problemOf(weights);
  if (weights !== undefined && problem === undefined) return weights;
  throw new SyntaxError(
    `Cannot load the trained verifier: ${path} ${problem} with "deno task train".`,
    { cause: error },
  );
}

function problemOf(weights: HeadWeights): string | undefined {
  if (contentHash(weights) !== weights.sha256) {
    return "was changed: its SHA-256 is not the one it names. Restore it, or train again";
  }
  if (weights.features !== "embeddings" && weights.featureNames.join() !== FEATURE_NAMES.join()) {
    return "was trained on other features. Train again";
  }
  return isEven(weights) ? undefined : "has rows of the wrong length. Train again";
}

function isEven(
  { features, encoder, means, scales, hidden, output, labels }: HeadWeights,
): boolean {
  const width = inputWidth(features, encoder.dimensions);
  const units = hidden?.weights.length ?? width;
  const classes = SCHEME_LABELS[labels].length;
  const ofWidth = [means, scales, ...hidden?.weights ?? []];
  return ofWidth.every((row) => row.length === width) &&
    (hidden === null || hidden.biases.length === units) &&
    output.coefficients.length === classes && output.intercepts.length === classes &&
    output.coefficients.every((row) => row.length === units);
}

/** What a verdict is made with. */
export type HeadPart =
  | "labels"
  | "rest"
  | "features"
  | "means"
  | "scales"
  | "hidden"
  | "output"
  | "temperature";

/** What the head says of a vector: the readable features and, where it reads them, the encoder's. */
export function headVerdict(
  vector: readonly number[],
  weights: Pick<HeadContent, HeadPart>,
): VerdictProbabilities {
  const { features, labels, rest, hidden } = weights;
  const head = { ...weights, hidden: hidden ?? undefined };
  return verdictShares(headProbabilities(headInput(vector, features), head), labels, rest);
}

/** zod gives the keys in the order above, whatever their order in the file. */
function contentHash(content: HeadContent): string {
  return sha256Hex(JSON.stringify(CONTENT.parse(content)));
}
