/**
 * Trained verifier, the default or fitted by a user. A logistic head combines a fine-tuned
 * network's outputs with features of numbers, dates, names and negation.
 */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { sha256Hex, shownPath } from "../../files/atomic.ts";
import { parseJson } from "../../files/json.ts";
import { type CrossEncoder, openCrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { joinNetwork } from "../../models/encoder/shipped_network.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { assertSha256, CLAIM_TIMEOUT, FILE_SHA256, NON_BLANK, verifierKind } from "../component.ts";
import { decide, nestedProbabilities } from "../decision.ts";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "../features/features.ts";
import { gazetteerOf } from "../features/words.ts";
import { logOdds } from "../judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { termsOf } from "../retrieval/index.ts";
import { type Passage, SHA256, SOURCE_TEXT, TRUST_BANDS, type VerdictFinding } from "../types.ts";
import { VERDICT_LABELS } from "../types.ts";
import type { Evidence, VerdictProbabilities, Verifier } from "../types.ts";
import { type ReadClaim, readingVerifier } from "./chunks.ts";
import { networkReader, WINDOWS_VERSION } from "./cross_encoder.ts";

/** Inputs of the head from the network and the whole source, in order, with their meanings. */
const READINGS = {
  "network.supported": "log-odds of supported against the rest, of the window nearest to the claim",
  "network.refuted": "log-odds of refuted against not enough info, of the same",
  "network.contradicted": "log-odds of refuted against the rest, of the same",
  "sentences.two_supported": "log-odds of supported, of the two sentences nearest to the claim",
  "sentences.supported": "the greatest log-odds of supported of any sentence read alone",
  "sentences.contradicted": "the greatest log-odds of refuted of any sentence read alone",
  "source.length": "natural logarithm of the source's tokens",
} as const;

/** Inputs of the head: readings, whose log-odds are within ±8, and features. */
export const HEAD_INPUTS: readonly string[] = [...Object.keys(READINGS), ...FEATURE_NAMES];

/** Number of sentences read alone; five take about 25 ms. */
const SENTENCES_ALONE = 5;

/** Maximum absolute log-odds of the network. Larger ones would dominate the other inputs. */
const MAX_LOG_ODDS = 8;
const clipped = (value: number) => Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, value));

const SUPPORTED = VERDICT_LABELS.indexOf("supported");
const REFUTED = VERDICT_LABELS.indexOf("refuted");
const OPEN = VERDICT_LABELS.indexOf("not enough info");

/** Log-odds of one label against the rest. */
function oddsOf(logits: readonly number[], label: number): number {
  const others = logits.filter((_, at) => at !== label);
  const top = Math.max(...others);
  return clipped(
    logits[label]! - top - Math.log(others.reduce((sum, one) => sum + Math.exp(one - top), 0)),
  );
}

/** Inputs of the head for a claim, with the details of a report. */
export interface HeadInput {
  /** Values in the order of {@link HEAD_INPUTS}; all finite. */
  readonly inputs: readonly number[];
  /** Sentences of the window, nearest to the claim first. */
  readonly evidence: readonly Evidence[];
  readonly findings: readonly VerdictFinding[];
}

/** Makes a reader that analyses passages once for all claims. Undefined without a sentence. */
export function claimReader(
  network: CrossEncoder,
  names: Gazetteer,
): (passages: readonly Passage[]) => ReadClaim<HeadInput> {
  const reader = networkReader(network, SENTENCES_ALONE);
  const gazetteer = gazetteerOf(names);
  return (passages) => {
    const read = reader(passages);
    const readable = sourceReader(passages, gazetteer);
    return async (claim) => {
      const reading = await read(claim);
      if (reading === undefined || "kind" in reading) return reading;
      const { logits, two, alone, evidence, length } = reading;
      const greatest = (label: number) => Math.max(...alone.map((one) => oddsOf(one, label)));
      const networkInputs: Readonly<Record<keyof typeof READINGS, number>> = {
        "network.supported": oddsOf(logits, SUPPORTED),
        "network.refuted": clipped(logits[REFUTED]! - logits[OPEN]!),
        "network.contradicted": oddsOf(logits, REFUTED),
        "sentences.two_supported": oddsOf(two, SUPPORTED),
        "sentences.supported": greatest(SUPPORTED),
        "sentences.contradicted": greatest(REFUTED),
        "source.length": Math.log(1 + length),
      };
      const { values, findings } = readable.features(claim);
      return { inputs: [...Object.values(networkInputs), ...values], evidence, findings };
    };
  };
}

/** Decisions of the head in order: a row of coefficients and an intercept each. */
export const HEAD_QUESTIONS = ["supported or not", "refuted or not enough info, if not supported"];

/**
 * Two logistic regressions on the same standardised inputs ({@link HEAD_QUESTIONS}). Data on
 * refuted claims alone do not affect which claims are supported (nested dichotomies; Fox 2016,
 * Applied Regression Analysis, §14.2.2).
 */
export interface LogisticHead {
  /** Mean of each input over the rows of the fit. */
  readonly means: readonly number[];
  /** Standard deviations; 1 for a constant input. */
  readonly scales: readonly number[];
  /** Coefficients: one row per question, one number per input. */
  readonly coefficients: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
}

/** Returns the head's probabilities for inputs: each 0–1, together 1. */
export function headProbabilities(
  inputs: readonly number[],
  { means, scales, coefficients, intercepts }: LogisticHead,
): VerdictProbabilities {
  const [supported, refuted] = coefficients.map((row, k) =>
    logistic(row.reduce(
      (sum, weight, i) => sum + weight * (inputs[i]! - means[i]!) / scales[i]!,
      intercepts[k]!,
    ))
  );
  return nestedProbabilities(supported!, refuted!);
}

const NUMBERS = z.array(z.number());
/** Schema of country names and demonyms used by the features. */
const GAZETTEER = z.array(
  z.object({ name: z.string(), type: z.string(), also: z.array(z.string()) }),
);
export type Gazetteer = Readonly<z.infer<typeof GAZETTEER>>;

const CONTENT = z.object({
  version: z.literal(5),
  network: z.object({
    /** Path of the network's layers and head, relative to this file. */
    path: z.string(),
    /** SHA-256 of the network joined with the published word embeddings. */
    sha256: SHA256,
  }),
  featuresVersion: z.number(),
  inputs: z.array(z.string()),
  questions: z.array(z.string()),
  means: NUMBERS,
  scales: z.array(z.number().positive()),
  coefficients: z.array(NUMBERS),
  intercepts: NUMBERS,
  training: z.object({
    /** Strength of the penalty, see `fitLogisticRegression()`. */
    l2: z.number(),
    /** Number of rows in the fit, by set. */
    cases: z.record(z.string(), z.number()),
    /** SHA-256 of their claims, sources and labels. */
    dataSha256: SHA256,
  }),
  trust: TRUST_BANDS,
  gazetteer: GAZETTEER,
});
const FILE = CONTENT.extend({ sha256: SHA256 });

/** Content of a weights file, without its hash. */
export type WeightsContent = z.infer<typeof CONTENT>;
export type TrainedWeights = Readonly<z.infer<typeof FILE>>;

/** Adds the SHA-256 of the content. */
export function withHash(content: WeightsContent): TrainedWeights {
  // zod fixes the order of keys, whatever it is in the file.
  return { ...content, sha256: sha256Hex(JSON.stringify(CONTENT.parse(content))) };
}

/**
 * Reads the weights of a head, by default the project's. @throws {SyntaxError} for an invalid file.
 */
export function readTrainedWeights(
  path: string = FACTUALITY_PATHS.verifierWeights,
): TrainedWeights {
  return parseTrainedWeights(Deno.readTextFileSync(path), path);
}

/** Parses and validates a weights file. Throws as {@link readTrainedWeights} does. */
export function parseTrainedWeights(text: string, path: string): TrainedWeights {
  const words = (problem: string) =>
    `Cannot load the trained verifier: ${
      shownPath(path)
    } ${problem}. Restore it, or fit it again ` +
    'with "deno task factcheck train verifier".';
  const refuse = (problem: string) => new SyntaxError(words(problem));
  const file = parseJson(text, FILE, () => words("is no weights file of this version"));
  const { sha256, ...content } = file;
  if (withHash(content).sha256 !== sha256) {
    throw refuse("was changed: its SHA-256 is not the one it names");
  }
  if (file.inputs.join() !== HEAD_INPUTS.join() || file.featuresVersion !== FEATURES_VERSION) {
    throw refuse("was fitted on other features");
  }
  if (file.questions.join() !== HEAD_QUESTIONS.join()) throw refuse("answers other questions");
  const { length } = HEAD_INPUTS;
  const rows = [file.means, file.scales, ...file.coefficients];
  const isEven = rows.every((row) => row.length === length) &&
    file.coefficients.length === HEAD_QUESTIONS.length &&
    file.intercepts.length === HEAD_QUESTIONS.length;
  if (!isEven) throw refuse("has rows of the wrong length");
  return file;
}

/** The trained verifier as a component. */
export const trained = verifierKind(
  z.strictObject({
    kind: z.literal("trained"),
    path: NON_BLANK.default(FACTUALITY_PATHS.verifierWeights),
    sha256: FILE_SHA256.optional(),
    ...CLAIM_TIMEOUT,
  }),
  async ({ path, sha256 }, { cacheDirectory, threads, resources }) => {
    assertSha256(path, sha256);
    return resources.use(await openTrainedVerifier({ path, cacheDirectory, threads }));
  },
  { keepsPrecision: true },
);

/** Context in which a network is opened. */
interface OpeningNetwork {
  /** Git-ignored folder for packages and joined networks. */
  readonly cacheDirectory: string;
  readonly threads: number;
}

/**
 * Opens the network named by a weights file. @throws {Error} where a file is missing or different.
 */
export async function openWeightsNetwork(
  { network: { path: networkPath, sha256 } }: Pick<TrainedWeights, "network">,
  path: string,
  { cacheDirectory, threads }: OpeningNetwork,
): Promise<CrossEncoder> {
  const layers = resolve(dirname(path), networkPath);
  const joined = await joinNetwork(layers, { cacheDirectory, sha256 });
  return await openCrossEncoder(joined.path, { threads });
}

/** A verifier that holds a network in memory. */
type OpenVerifier = Verifier & AsyncDisposable;

/** Opens the default verifier, or a user's. Throws as reading its files does. */
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

/** Makes the verifier from network, features and head. The caller disposes of the network. */
function trainedVerifier(weights: TrainedWeights, network: CrossEncoder): Verifier {
  const { sha256: modelSha256, gazetteer, trust } = weights;
  const versions = { featuresVersion: FEATURES_VERSION, windowsVersion: WINDOWS_VERSION };
  const settings = { ...network.settings, ...versions, headSha256: modelSha256 };
  const made = { name: "trained verifier", modelSha256, settings };
  const reader = claimReader(network, gazetteer);
  const readEach = (passages: readonly Passage[]): ReadClaim<VerdictReading> => {
    const together = reader(passages);
    const each = readAlone(passages).map((passage) => ({ passage, read: reader([passage]) }));
    return async (claim) => {
      const all = await together(claim);
      if (all === undefined || "kind" in all) return all;
      const passageVerdicts: (PassageVerdict & Pick<HeadInput, "evidence">)[] = [];
      for (const { passage, read } of each) {
        const reading = await read(claim);
        if (reading === undefined || "kind" in reading) continue;
        const { inputs, evidence } = reading;
        passageVerdicts.push({
          ...passageVerdict(claim, passage, headProbabilities(inputs, weights)),
          evidence,
        });
      }
      const probabilities = combinedProbabilities(
        headProbabilities(all.inputs, weights),
        passageVerdicts,
      );
      return {
        probabilities,
        evidence: withDecisiveEvidenceFirst(probabilities, all, passageVerdicts),
        findings: all.findings,
      };
    };
  };
  return { ...readingVerifier(made, readEach, (reading) => reading), trust };
}

interface VerdictReading extends Omit<HeadInput, "inputs"> {
  readonly probabilities: VerdictProbabilities;
}

/** Orders evidence, with that of the passage most probable for the verdict's label first. */
function withDecisiveEvidenceFirst(
  probabilities: VerdictProbabilities,
  { evidence }: Pick<HeadInput, "evidence">,
  passageVerdicts: readonly (PassageVerdict & Pick<HeadInput, "evidence">)[],
): readonly Evidence[] {
  const label = decide(probabilities);
  if (passageVerdicts.length < 2 || label === "not enough info") return evidence;
  const { evidence: first } = passageVerdicts.reduce((best, one) =>
    one.probabilities[label] > best.probabilities[label] ? one : best
  );
  const keyOf = ({ passageId, collection, span }: Evidence) =>
    JSON.stringify([collection, passageId, span]);
  const placed = new Set(first.map(keyOf));
  return [...first, ...evidence.filter((one) => !placed.has(keyOf(one)))];
}

/** Maximum number of retrieved passages read alone. Later ones are seldom relevant. */
const MAX_ALONE = 8;

/** Returns the non-empty passages that are also read alone; none for a single passage. */
export const readAlone = (passages: readonly Passage[]): readonly Passage[] =>
  passages.length < 2 ? [] : passages.filter(({ text }) => /\S/.test(text)).slice(0, MAX_ALONE);

/** Verdict of one of several passages on its own. */
export interface PassageVerdict {
  readonly probabilities: VerdictProbabilities;
  /** True for the text that a candidate was written from. */
  readonly isSource: boolean;
  /** True if the claim names the passage's attribute, for example "capital" or "climate". */
  readonly tellsAttribute: boolean;
}

export function passageVerdict(
  claim: string,
  { collection, section }: Passage,
  probabilities: VerdictProbabilities,
): PassageVerdict {
  const named = new Set(termsOf(section));
  const tellsAttribute = named.size > 0 && named.isSubsetOf(new Set(termsOf(claim)));
  return { probabilities, isSource: collection === SOURCE_TEXT, tellsAttribute };
}

/** Factor on a passage's probabilities per rank after the first. */
const RANK_DISCOUNT = 0.97;

/**
 * Combines verdicts on several passages, read together and alone.
 *
 * The log-odds are averaged: half from all passages together, half from the most supporting (or
 * most refuting) passage, discounted by rank. An exception is a first passage about the claim's
 * attribute that refutes it: no other retrieved passage outvotes it. The exception does not apply
 * where a source text is among the passages.
 */
export function combinedProbabilities(
  together: VerdictProbabilities,
  passageVerdicts: readonly PassageVerdict[],
): VerdictProbabilities {
  if (passageVerdicts.length < 2) return together;
  const ranked = passageVerdicts.map(({ probabilities }, rank) => (
    { probabilities, discount: RANK_DISCOUNT ** rank }
  ));
  const strongest = (label: "supported" | "refuted") =>
    ranked.reduce((best, one) =>
      one.discount * one.probabilities[label] > best.discount * best.probabilities[label]
        ? one
        : best
    );
  const { probabilities: { supported }, discount } = strongest("supported");
  const between = (one: number, other: number) => logistic((logOdds(one) + logOdds(other)) / 2);
  const shareOf = (probabilities: VerdictProbabilities) => {
    const rest = probabilities.refuted + probabilities["not enough info"];
    return rest === 0 ? 0 : probabilities.refuted / rest;
  };
  const all = nestedProbabilities(
    between(together.supported, discount * supported),
    between(shareOf(together), shareOf(strongest("refuted").probabilities)),
  );
  const [first] = passageVerdicts;
  const isDecided = first!.tellsAttribute && !passageVerdicts.some(({ isSource }) => isSource) &&
    decide(first!.probabilities) === "refuted";
  return isDecided && first!.probabilities.supported < all.supported ? first!.probabilities : all;
}
