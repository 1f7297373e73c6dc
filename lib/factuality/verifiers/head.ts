/**
 * The verifier that ships, and those that users fit: what a fine-tuned network says of a claim and what
 * can be read of numbers, dates, names and negation, under one logistic head.
 */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { sha256Hex, shownPath } from "../../files/atomic.ts";
import { parseJson } from "../../files/json.ts";
import { type CrossEncoder, openCrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { joinNetwork } from "../../models/encoder/shipped_network.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { asProbabilities, decide } from "../decision.ts";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "../features/features.ts";
import { gazetteerOf } from "../features/words.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type Finding, type Passage, SHA256, VERDICT_LABELS } from "../types.ts";
import type { Evidence, VerdictProbabilities, Verifier } from "../types.ts";
import { type ReadClaim, readingVerifier } from "./chunks.ts";
import { networkReader, WINDOWS_VERSION } from "./cross_encoder.ts";

/**
 * What the head reads, in order: of the window that bears the claim out best the network's log-odds of
 * supported against the rest and of refuted against not enough info, of the one that contradicts it most
 * those of refuted against the rest (each within ±8); the decimal logarithm of the words of the sources;
 * the first of these times the length; which share of the claim's names the window lacks, for it may bear
 * out the same of something else; and the features.
 */
export const HEAD_INPUTS: readonly string[] = [
  "network.supported",
  "network.refuted",
  "network.contradicted",
  "source.length",
  "network.supported_long",
  "name.absent_there",
  ...FEATURE_NAMES,
];

/** Beyond these log-odds a network knows no more; they would swamp the rest. */
const MOST_ODDS = 8;
const within = (value: number) => Math.max(-MOST_ODDS, Math.min(MOST_ODDS, value));

const SUPPORTED = VERDICT_LABELS.indexOf("supported");
const REFUTED = VERDICT_LABELS.indexOf("refuted");
const OPEN = VERDICT_LABELS.indexOf("not enough info");
const NAME_ABSENT = FEATURE_NAMES.indexOf("name.absent");

/** Log-odds of one label against the rest. */
function oddsOf(logits: readonly number[], label: number): number {
  const others = logits.filter((_, at) => at !== label);
  const top = Math.max(...others);
  return within(
    logits[label]! - top - Math.log(others.reduce((sum, one) => sum + Math.exp(one - top), 0)),
  );
}

/** A claim as the head reads it, with what a report tells of it. */
export interface ClaimReading {
  /** In the order of {@link HEAD_INPUTS}; all finite. */
  readonly inputs: readonly number[];
  /** What bears the claim out best, and what contradicts it most, the nearest first. */
  readonly supporting: readonly Evidence[];
  readonly contradicting: readonly Evidence[];
  readonly findings: readonly Finding[];
}

/** Reads passages once for any number of claims; undefined without a sentence in them. */
export function claimReader(
  network: CrossEncoder,
  names: Gazetteer,
): (passages: readonly Passage[]) => ReadClaim<ClaimReading> {
  const reader = networkReader(network);
  const gazetteer = gazetteerOf(names);
  return (passages) => {
    const read = reader(passages);
    const readable = sourceReader(passages, gazetteer);
    const words = passages.reduce((sum, { text }) => sum + text.trim().split(/\s+/u).length, 0);
    const length = Math.log10(Math.max(1, words));
    const known = new Map(passages.map((passage) => [passage.id, passage]));
    return async (claim) => {
      const reading = await read(claim);
      if (reading === undefined || "kind" in reading) return reading;
      const { supporting, contradicting } = reading;
      const borneOut = oddsOf(supporting.logits, SUPPORTED);
      const isRefuted = within(supporting.logits[REFUTED]! - supporting.logits[OPEN]!);
      const isContradicted = oddsOf(contradicting.logits, REFUTED);
      const window = supporting.evidence.map(({ passageId, text }) => (
        { ...known.get(passageId)!, text }
      ));
      const there = sourceReader(window, gazetteer).features(claim).values[NAME_ABSENT]!;
      const { values, findings } = readable.features(claim);
      const said = [borneOut, isRefuted, isContradicted, length, borneOut * length, there];
      return {
        inputs: [...said, ...values],
        supporting: supporting.evidence,
        contradicting: contradicting.evidence,
        findings,
      };
    };
  };
}

/** Multinomial logistic regression over standardised inputs. */
export interface LogisticHead {
  /** Of each input, over the rows that it was fitted on. */
  readonly means: readonly number[];
  /** Standard deviations; 1 for an input that never varies. */
  readonly scales: readonly number[];
  /** One row a label, one number an input. */
  readonly coefficients: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
}

/** What the head says of inputs: each 0–1, together 1. */
export function headProbabilities(
  inputs: readonly number[],
  { means, scales, coefficients, intercepts }: LogisticHead,
): VerdictProbabilities {
  const logits = coefficients.map((row, k) =>
    row.reduce(
      (sum, weight, i) => sum + weight * (inputs[i]! - means[i]!) / scales[i]!,
      intercepts[k]!,
    )
  );
  return asProbabilities(softmax(logits));
}

const NUMBERS = z.array(z.number());
/** Names and words for people by which a country is known: the features are read with them. */
const GAZETTEER = z.array(
  z.object({ name: z.string(), type: z.string(), also: z.array(z.string()) }),
);
export type Gazetteer = Readonly<z.infer<typeof GAZETTEER>>;

const CONTENT = z.object({
  version: z.literal(3),
  network: z.object({
    /** Layers and head of the network; relative to this file. */
    path: z.string(),
    /** Of the file that they give with the published word embeddings. */
    sha256: SHA256,
  }),
  featuresVersion: z.number(),
  inputs: z.array(z.string()),
  labels: z.array(z.string()),
  means: NUMBERS,
  scales: z.array(z.number().positive()),
  coefficients: z.array(NUMBERS),
  intercepts: NUMBERS,
  training: z.object({
    /** Strength of the penalty, see `fitLogistic()`. */
    l2: z.number(),
    /** Rows that the head was fitted on, by set. */
    cases: z.record(z.string(), z.number()),
    /** SHA-256 of their claims, sources and labels. */
    dataSha256: SHA256,
  }),
  gazetteer: GAZETTEER,
});
const FILE = CONTENT.extend({ sha256: SHA256 });

/** A weights file's content, without its own hash. */
export type WeightsContent = z.infer<typeof CONTENT>;
export type TrainedWeights = Readonly<z.infer<typeof FILE>>;

/** Adds the SHA-256 of everything else. */
export function sealed(content: WeightsContent): TrainedWeights {
  // zod gives the keys in the order above, whatever their order in the file.
  return { ...content, sha256: sha256Hex(JSON.stringify(CONTENT.parse(content))) };
}

/** The weights of a head, by default the one shipped. @throws {SyntaxError} if they do not fit. */
export function readTrainedWeights(
  path: string = FACTUALITY_PATHS.verifierWeights,
): TrainedWeights {
  return parseTrainedWeights(Deno.readTextFileSync(path), path);
}

/** Reads and checks the text of a weights file. Throws as {@link readTrainedWeights} does. */
export function parseTrainedWeights(text: string, path: string): TrainedWeights {
  const words = (problem: string) =>
    `Cannot load the trained verifier: ${
      shownPath(path)
    } ${problem}. Restore it, or fit it again ` +
    'with "deno task train verifier".';
  const refuse = (problem: string) => new SyntaxError(words(problem));
  const file = parseJson(text, FILE, () => words("is no weights file of this version"));
  const { sha256, ...content } = file;
  if (sealed(content).sha256 !== sha256) {
    throw refuse("was changed: its SHA-256 is not the one it names");
  }
  if (file.inputs.join() !== HEAD_INPUTS.join() || file.featuresVersion !== FEATURES_VERSION) {
    throw refuse("was fitted on other features");
  }
  if (file.labels.join() !== VERDICT_LABELS.join()) throw refuse("has other labels");
  const { length } = HEAD_INPUTS;
  const rows = [file.means, file.scales, ...file.coefficients];
  const isEven = rows.every((row) => row.length === length) &&
    file.coefficients.length === VERDICT_LABELS.length &&
    file.intercepts.length === VERDICT_LABELS.length;
  if (!isEven) throw refuse("has rows of the wrong length");
  return file;
}

/** What a network is opened with. */
interface OpeningNetwork {
  /** Git-ignored folder for packages and joined networks. */
  readonly cacheDirectory: string;
  readonly threads: number;
}

/** The network that a weights file names. @throws {Error} where a file is missing or another. */
export async function openWeightsNetwork(
  { network: { path: own, sha256 } }: Pick<TrainedWeights, "network">,
  path: string,
  { cacheDirectory, threads }: OpeningNetwork,
): Promise<CrossEncoder> {
  const layers = resolve(dirname(path), own);
  const joined = await joinNetwork(layers, { cacheDirectory, sha256 });
  return await openCrossEncoder(joined.path, { threads });
}

/** A verifier and the network that it holds in memory. */
type OpenVerifier = Verifier & AsyncDisposable;

/** The verifier that ships, or one that a user fitted. Throws as reading its files does. */
export async function openTrainedVerifier(
  { path = FACTUALITY_PATHS.verifierWeights, ...opening }: OpeningNetwork & {
    readonly path?: string;
  },
): Promise<OpenVerifier> {
  const weights = readTrainedWeights(path);
  const network = await openWeightsNetwork(weights, path, opening);
  return {
    ...trainedVerifier(weights, network),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/** Network and features, standardised, into the head. The network stays the caller's. */
export function trainedVerifier(weights: TrainedWeights, network: CrossEncoder): Verifier {
  const { sha256: modelSha256, gazetteer } = weights;
  const versions = { featuresVersion: FEATURES_VERSION, windowsVersion: WINDOWS_VERSION };
  const settings = { ...network.settings, ...versions, headSha256: modelSha256 };
  const made = { name: "trained verifier", modelSha256, settings };
  return readingVerifier(made, claimReader(network, gazetteer), (reading) => {
    const { inputs, supporting, contradicting, findings } = reading;
    const probabilities = headProbabilities(inputs, weights);
    const [shown, other] = decide(probabilities) === "refuted"
      ? [contradicting, supporting]
      : [supporting, contradicting];
    const isShown = ({ passageId, span }: Evidence) =>
      shown.some((one) => one.passageId === passageId && one.span.start === span.start);
    return {
      probabilities,
      evidence: [...shown, ...other.filter((one) => !isShown(one))],
      findings,
    };
  });
}
