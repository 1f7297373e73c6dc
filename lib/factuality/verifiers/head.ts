import { fileURLToPath } from "node:url";
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import { encoderSettings, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { CaseLabel } from "../datasets/labelled_case.ts";
import { scoredVerdict, withoutEvidence } from "../decision.ts";
import { sourceReader } from "../features/families.ts";
import { FEATURE_NAMES, FEATURES_VERSION } from "../features/features.ts";
import type { ClaimFeatures, SourceReader } from "../features/features.ts";
import type { WordNet } from "../features/wordnet.ts";
import { gazetteerOf } from "../features/words.ts";
import { VERDICT_LABELS } from "../types.ts";
import type { Passage, Verdict, VerdictLabel, VerdictProbabilities, Verifier } from "../types.ts";

/** What brings each feature to mean 0 and standard deviation 1. */
interface Standardisation {
  readonly means: readonly number[];
  /** Standard deviations (n in the divisor); 1 for a feature that never varies. */
  readonly scales: readonly number[];
}

/** Weights of a multinomial logistic regression. */
interface LogisticWeights {
  /** One row of coefficients a class, one coefficient a feature. */
  readonly coefficients: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
}

/** Everything between a vector and the probabilities of classes: logistic, or with a hidden layer. */
export interface NetworkHead extends Standardisation {
  /** One row and bias a unit, each of which is max(0, w·x + b); undefined for a logistic head. */
  readonly hidden: {
    readonly weights: readonly (readonly number[])[];
    readonly biases: readonly number[];
  } | undefined;
  /** Over the hidden units, or over the vector itself where there are none. */
  readonly output: LogisticWeights;
  /** What logits are divided by, > 0. */
  readonly temperature: number;
}

/** The classes' logits, before the temperature, in order. */
export function headLogits(
  input: readonly number[],
  { hidden, output, ...scaling }: Omit<NetworkHead, "temperature">,
): readonly number[] {
  const scaled = standardise(input, scaling);
  const rowTimes = (row: readonly number[], x: readonly number[], bias: number) =>
    row.reduce((sum, weight, i) => sum + weight * x[i]!, bias);
  const values = hidden === undefined
    ? scaled
    : hidden.weights.map((row, unit) => Math.max(0, rowTimes(row, scaled, hidden.biases[unit]!)));
  return output.coefficients.map((row, k) => rowTimes(row, values, output.intercepts[k]!));
}

/** The probability of each class, in order; together 1: the softmax, none of whose powers overflows. */
export function headProbabilities(input: readonly number[], head: NetworkHead): readonly number[] {
  const logits = headLogits(input, head).map((logit) => logit / head.temperature);
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/**
 * Means and scales of the columns.
 * @throws {RangeError} without a row, or for rows of different lengths.
 */
export function standardisationOf(rows: readonly (readonly number[])[]): Standardisation {
  const width = rows[0]?.length;
  if (width === undefined || rows.some((row) => row.length !== width)) {
    const lengths = [...new Set(rows.map((row) => row.length))].join(", ") || "none";
    throw new RangeError(`Cannot standardise rows: they are not of one length, but of ${lengths}.`);
  }
  const mean = (of: (row: readonly number[]) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const means = Array.from({ length: width }, (_, i) => mean((row) => row[i]!));
  const scales = means.map((middle, i) => {
    const deviation = Math.sqrt(mean((row) => (row[i]! - middle) ** 2));
    // Rounding alone leaves a hair of variation in a column of equal numbers.
    return deviation > 1e-9 ? deviation : 1;
  });
  return { means, scales };
}

/** A row in standard units. */
export function standardise(row: readonly number[], { means, scales }: Standardisation): number[] {
  return row.map((value, i) => (value - means[i]!) / scales[i]!);
}

/** Whether a head tells refuted from not enough info, or supported from the rest. */
export const LABEL_SCHEMES = ["binary", "three-way"] as const;
export type LabelScheme = (typeof LABEL_SCHEMES)[number];

/** The classes of a head, in the order of its numbers. */
export const SCHEME_LABELS = {
  binary: ["supported", "not supported"],
  "three-way": VERDICT_LABELS,
} as const satisfies Record<LabelScheme, readonly CaseLabel[]>;

/** A label's class; undefined for `not supported` in a scheme of three. */
export function classOf(label: CaseLabel, scheme: LabelScheme): number | undefined {
  if (scheme === "binary") return label === "supported" ? 0 : 1;
  return label === "not supported" ? undefined : VERDICT_LABELS.indexOf(label);
}

/** What a binary head calls the rest: a verdict has three labels. */
type RestLabel = Exclude<VerdictLabel, "supported">;

/**
 * What a binary head trained on these labels calls what it does not find supported: `refuted` where
 * most of the rest it learnt from was, else `not enough info`, which claims less.
 */
export function restLabel(labels: readonly CaseLabel[]): RestLabel {
  const count = (wanted: CaseLabel) => labels.filter((label) => label === wanted).length;
  return count("refuted") > count("not enough info") + count("not supported")
    ? "refuted"
    : "not enough info";
}

/** What a head is shown: the readable features, sentence vectors of the frozen encoder, or both. */
export const FEATURE_SETS = ["readable", "embeddings", "both"] as const;
export type FeatureSet = (typeof FEATURE_SETS)[number];

/**
 * The readable features, then the frozen encoder's vectors of the claim and of its best evidence, as
 * it is kept on disk; undefined without evidence.
 */
export async function pairVector(
  claim: string,
  { values, evidence: [best] }: Pick<ClaimFeatures, "values" | "evidence">,
  encoder: SentenceEncoder,
): Promise<readonly number[] | undefined> {
  if (best === undefined) return undefined;
  const encoded = await encoder.encode([claim, best.text]);
  const rounded = encoded.flatMap(({ sentence }) =>
    // Hundred-thousandths of a unit vector are far below what the encoder's own precision moves.
    Array.from(sentence, (value) => Number(value.toFixed(5)))
  );
  return [...values, ...rounded];
}

/**
 * What a head reads of a {@link pairVector}: of two sentence vectors u and v the numbers u, v, |u−v|
 * and u·v, each component by component (Conneau et al. 2017, arXiv 1705.02364, §3.1). Of the readable
 * features alone a vector without sentence vectors will do.
 */
export function headInput(vector: readonly number[], features: FeatureSet): readonly number[] {
  const readable = vector.slice(0, FEATURE_NAMES.length);
  if (features === "readable") return readable;
  const both = vector.slice(FEATURE_NAMES.length);
  const [u, v] = [both.slice(0, both.length / 2), both.slice(both.length / 2)];
  return [
    ...(features === "both" ? readable : []),
    ...both,
    ...u.map((value, i) => Math.abs(value - v[i]!)),
    ...u.map((value, i) => value * v[i]!),
  ];
}

/** What a verdict is made with: a network, what it reads, and what its classes stand for. */
export interface Head extends NetworkHead {
  readonly labels: LabelScheme;
  /** What a binary head calls what it does not find supported. */
  readonly rest: RestLabel;
  readonly features: FeatureSet;
}

/** What the head says of a vector: the readable features and, where it reads them, the encoder's. */
export function headVerdict(vector: readonly number[], head: Head): VerdictProbabilities {
  const { features, labels, rest } = head;
  const shares = headProbabilities(headInput(vector, features), head);
  const [supported, second, third] = shares as [number, number, number];
  if (labels === "three-way") return { supported, refuted: second, "not enough info": third };
  return { supported, refuted: 0, "not enough info": 0, [rest]: second };
}

const NUMBERS = z.array(z.number());
const ROWS = z.array(NUMBERS);
const POSITIVE = z.number().positive();
const COUNTS = z.object({ train: z.number(), development: z.number(), test: z.number() });
/** Names and words for people by which a country is known: the features were made with them. */
const GAZETTEER = z.array(
  z.object({ name: z.string(), type: z.string(), also: z.array(z.string()) }),
);

/** Version 1: the verifier that ships, three classes over the readable features. */
const SHIPPED = z.object({
  version: z.literal(1),
  /** In the order of the numbers below. */
  features: z.array(z.string()),
  labels: z.array(z.string()),
  means: NUMBERS,
  scales: z.array(POSITIVE),
  /** One row a label, one number a feature; 0 for a feature that was left out. */
  coefficients: ROWS,
  intercepts: NUMBERS,
  /** Fitted on the development split. */
  temperature: POSITIVE,
  training: z.object({
    seed: z.number(),
    l2: z.number(),
    groups: z.array(z.string()),
    cases: COUNTS,
    /** SHA-256 of the claims, sources and labels. */
    dataSha256: z.string(),
    encoder: z.string(),
    development: z.object({
      accuracy: z.number(),
      balancedAccuracy: z.number(),
      calibrationError: z.number(),
    }),
  }),
  gazetteer: GAZETTEER,
});

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

/** What was measured on held-out data. */
export type HeadMeasures = z.infer<typeof MEASURES>;

/** Version 2: a head of `deno task train head`. */
const OWN = z.object({
  version: z.literal(2),
  labels: z.enum(LABEL_SCHEMES),
  rest: z.enum(["refuted", "not enough info"]),
  features: z.enum(FEATURE_SETS),
  /** The readable features, in order. */
  featureNames: z.array(z.string()),
  encoder: z.object({ name: z.string(), dimensions: z.number() }),
  means: NUMBERS,
  scales: z.array(POSITIVE),
  /** Null for a logistic head. */
  hidden: z.object({ weights: ROWS, biases: NUMBERS }).nullable(),
  output: z.object({ coefficients: ROWS, intercepts: NUMBERS }),
  temperature: POSITIVE,
  training: z.object({
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
    cases: COUNTS,
    /** What was trained on, in words. */
    data: z.string(),
    /** SHA-256 of claims, sources, labels and splits. */
    dataSha256: z.string(),
  }),
  /** On clusters that nothing was fitted on. */
  heldOut: MEASURES,
  gazetteer: GAZETTEER,
});

const CONTENT = z.discriminatedUnion("version", [SHIPPED, OWN]);
const FILE = z.intersection(CONTENT, z.object({ sha256: z.string() }));

export type ShippedContent = z.infer<typeof SHIPPED>;
export type OwnContent = z.infer<typeof OWN>;
type WeightsContent = z.infer<typeof CONTENT>;

/** A weights file with the SHA-256 of everything else in it. */
export type Sealed<Content extends WeightsContent> = Content & { readonly sha256: string };

/** Adds the SHA-256 of everything else. */
export function sealed<Content extends WeightsContent>(content: Content): Sealed<Content> {
  // zod gives the keys in the order above, whatever their order in the file.
  return { ...content, sha256: sha256Hex(JSON.stringify(CONTENT.parse(content))) };
}

/** Weights of either version: a head, by what it is known and what else it was trained with. */
export interface TrainedWeights extends Head {
  /** `trained verifier`, or `frozen MiniLM with trained head (logistic)`, and the like. */
  readonly name: string;
  readonly sha256: string;
  /** Whose sentence vectors it reads; undefined where it reads none. */
  readonly encoder: { readonly name: string; readonly dimensions: number } | undefined;
  readonly gazetteer: z.infer<typeof GAZETTEER>;
  readonly training: Pick<ShippedContent["training"], "seed" | "l2" | "cases">;
}

const SHIPPED_PATH = fileURLToPath(
  new URL("../../../data/factuality/verifier_weights.json", import.meta.url),
);

/**
 * The weights of a verifier: of the one that ships, unless told. @throws {Deno.errors.NotFound}
 * without it. @throws {SyntaxError} where it is damaged or changed, or does not fit the features that
 * there are now.
 */
export function readTrainedWeights(path: string = SHIPPED_PATH): TrainedWeights {
  return parseTrainedWeights(Deno.readTextFileSync(path), path);
}

/** Reads and checks the text of a weights file. Throws as {@link readTrainedWeights} does. */
export function parseTrainedWeights(text: string, path: string): TrainedWeights {
  const refuse = (problem: string, cause?: unknown) => {
    const remedy = 'Restore it, or train again with "deno task train".';
    const words = `Cannot load the trained verifier: ${path} ${problem}. ${remedy}`;
    return new SyntaxError(words, { cause });
  };
  let file: z.infer<typeof FILE>;
  try {
    file = FILE.parse(JSON.parse(text));
  } catch (cause) {
    throw refuse("is no weights file", cause);
  }
  if (sealed(file).sha256 !== file.sha256) {
    throw refuse("was changed: its SHA-256 is not the one it names");
  }
  const weights = weightsOf(file);
  const [names, labels] = file.version === 1
    ? [file.features, file.labels]
    : [file.featureNames, SCHEME_LABELS[file.labels]];
  if (weights.features !== "embeddings" && names.join() !== FEATURE_NAMES.join()) {
    throw refuse("was trained on other features");
  }
  if (labels.join() !== SCHEME_LABELS[weights.labels].join()) throw refuse("has other labels");
  const { features, encoder, means, scales, hidden, output } = weights;
  const { coefficients, intercepts } = output;
  // What `headInput` gives with sentence vectors of so many dimensions.
  const width = (features === "embeddings" ? 0 : FEATURE_NAMES.length) +
    (features === "readable" ? 0 : 4 * (encoder?.dimensions ?? 0));
  const units = hidden?.weights.length ?? width;
  const isEven = [means, scales, ...hidden?.weights ?? []].every((row) => row.length === width) &&
    (hidden?.biases.length ?? units) === units &&
    coefficients.length === labels.length && intercepts.length === labels.length &&
    coefficients.every((row) => row.length === units);
  if (!isEven) throw refuse("has rows of the wrong length");
  return weights;
}

/** What is read of the content of a file. */
export function weightsOf(content: Sealed<WeightsContent>): TrainedWeights {
  const { sha256, gazetteer, training, means, scales, temperature } = content;
  const common = { sha256, gazetteer, training, means, scales, temperature };
  if (content.version === 1) {
    const { coefficients, intercepts } = content;
    return {
      ...common,
      name: "trained verifier",
      labels: "three-way",
      rest: "not enough info",
      features: "readable",
      encoder: undefined,
      hidden: undefined,
      output: { coefficients, intercepts },
    };
  }
  const { labels, rest, features, encoder, output } = content;
  const hidden = content.hidden ?? undefined;
  const reads = {
    readable: "readable features",
    embeddings: "frozen MiniLM",
    both: "readable features and frozen MiniLM",
  }[features];
  const kind = hidden === undefined ? "logistic" : `MLP ${hidden.biases.length}`;
  return {
    ...common,
    name: `${reads} with trained head (${kind})`,
    labels,
    rest,
    features,
    hidden,
    output,
    encoder: features === "readable" ? undefined : encoder,
  };
}

/** Models and word lists that are loaded elsewhere. */
export interface LoadedTools {
  readonly encoder: SentenceEncoder;
  readonly wordnet: WordNet;
}

/**
 * The trained verifier with the features it was trained on, gazetteer included: the one that ships, or
 * one of `deno task train`.
 * @throws {RangeError} where a head reads sentence vectors of another encoder than the one loaded.
 */
export function openTrainedVerifier(weights: TrainedWeights, loaded: LoadedTools): Verifier {
  return trainedVerifier(weights, verifierTools(weights.gazetteer, loaded));
}

/** What the trained verifier reads sources with. */
export interface VerifierTools {
  readonly encoder: SentenceEncoder;
  /** Reads passages for any number of claims; see `sourceReader`. */
  readonly read: (passages: readonly Passage[]) => SourceReader;
  /** Of the encoder and whatever else could change a feature. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/** Reads sources with the given names of things. */
export function verifierTools(
  gazetteer: TrainedWeights["gazetteer"],
  { encoder, wordnet }: LoadedTools,
): VerifierTools {
  const tools = { encoder, wordnet, gazetteer: gazetteerOf(gazetteer) };
  const read = (passages: readonly Passage[]) => sourceReader(passages, tools);
  return { encoder, read, settings: encoderSettings(encoder) };
}

/**
 * Features of claim and evidence, standardised, into the head, its logits divided by the fitted
 * temperature. The head is trained; the encoder that some features come from is not.
 * @throws {RangeError} where it was trained on vectors of another encoder.
 */
export function trainedVerifier(weights: TrainedWeights, tools: VerifierTools): Verifier {
  const { name, sha256, encoder: wanted } = weights;
  const { name: loaded, dimensions } = tools.encoder;
  if (wanted && (wanted.name !== loaded || wanted.dimensions !== dimensions)) {
    const why = `it reads sentence vectors of ${wanted.name} (${wanted.dimensions} numbers)`;
    const other = `${loaded} (${dimensions}) is loaded. Train it again`;
    throw new RangeError(`Cannot load the trained verifier: ${why}, and ${other}.`);
  }
  const provenance = { producedBy: name, modelSha256: sha256, promptSha256: undefined };
  return {
    name,
    settings: { ...tools.settings, featuresVersion: FEATURES_VERSION, weightsSha256: sha256 },
    async verify(claims, passages, { signal } = {}) {
      if (passages.length === 0) return claims.map(() => withoutEvidence(provenance));
      const reader = tools.read(passages);
      const verdicts: Verdict[] = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        const { values, evidence, findings } = await reader.features(claim);
        const vector = weights.features === "readable"
          ? values
          : await pairVector(claim, { values, evidence }, tools.encoder);
        if (vector === undefined || evidence.length === 0) {
          verdicts.push(withoutEvidence(provenance));
          continue;
        }
        const probabilities = headVerdict(vector, weights);
        verdicts.push(scoredVerdict({ probabilities, evidence, findings, provenance }));
      }
      return verdicts;
    },
  };
}
