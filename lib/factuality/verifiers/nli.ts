import { shownPath } from "../../files/atomic.ts";
import {
  holdsFile,
  loadTransformers,
  ONNX_DESCRIPTIONS,
  type OnnxHashes,
  onnxHashes,
} from "../../models/masked/transformers_package.ts";
import { decide, scoredVerdict, withoutEvidence } from "../decision.ts";
import type {
  Evidence,
  Passage,
  Provenance,
  Unscored,
  Verdict,
  VerdictProbabilities,
  Verifier,
} from "../types.ts";
import { chunkEvidence, chunksOf, type SourceChunk } from "./chunks.ts";
import {
  checkInt8,
  checkNliNetwork,
  type NliNetwork,
  type NliPrecision,
  nliProbabilities,
  type NliTransformers,
  openNliNetwork,
} from "./nli_network.ts";

interface OnnxNliOptions {
  /** Git-ignored folder where `deno task bench masked --install` put transformers.js. */
  readonly cacheDirectory: string;
  readonly threads: number;
}

/** The checks of a network that is to be used; what they found, for the settings. */
async function checked(
  network: NliNetwork,
  used: NetworkFile,
  openFloat32: () => Promise<NliNetwork> | undefined,
): Promise<Readonly<Record<string, number | boolean>>> {
  await checkNliNetwork(network);
  if (used.precision === "fp32") return {};
  const float32 = await openFloat32();
  if (float32 === undefined) return { comparedWithFloat32: false };
  try {
    return { comparedWithFloat32: true, int8Difference: await checkInt8(network, float32) };
  } finally {
    await float32.dispose();
  }
}

async function openChecked(entry: OnnxNliEntry, options: OnnxNliOptions, used: NetworkFile) {
  const transformers = loadTransformers(options.cacheDirectory) as unknown as NliTransformers;
  const open = (precision: NliPrecision) =>
    openNliNetwork(transformers, entry.path, { precision, threads: options.threads });
  const network = await open(used.precision);
  try {
    const openFloat32 = () => holdsFile(entry.path, FLOAT32.file) ? open("fp32") : undefined;
    const settings = {
      engine: `transformers.js ${transformers.env.version}`,
      precision: used.precision,
      threads: options.threads,
      labels: network.labels.kind,
      ...await checked(network, used, openFloat32),
    };
    return { network, settings };
  } catch (error) {
    await network.dispose();
    throw error;
  }
}

/**
 * Any model of natural-language inference in ONNX from a local folder through transformers.js: the
 * source is the premise, in stretches of whole sentences, the claim the hypothesis. Nothing comes from
 * a network. Its probabilities are as calibrated as the model's own. `await using` frees its memory.
 *
 * Needs `--allow-read`, `--allow-ffi`, `--allow-env` and `--allow-sys`.
 *
 * @throws {Deno.errors.NotFound} where a file or transformers.js is missing, with the remedy.
 * @throws {TypeError} where it is no such model, or fails its checks.
 */
export async function openOnnxNliVerifier(
  entry: OnnxNliEntry,
  options: OnnxNliOptions,
): Promise<Verifier & AsyncDisposable> {
  const used = networkFile(entry);
  const hashes = checkedHashes(entry, used);
  const { network, settings } = await openChecked(entry, options, used).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open the NLI model ${entry.id}: ${why}`, { cause });
  });
  const { fileSha256: modelSha256 } = hashes;
  const provenance = { producedBy: entry.id, modelSha256, promptSha256: undefined };
  return {
    name: entry.id,
    settings: { ...hashes, ...settings, licence: entry.licence },
    async verify(claims, passages, { signal } = {}) {
      const verdicts = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        verdicts.push(await readClaim(network, claim, passages, { provenance, signal }));
      }
      return verdicts;
    },
    [Symbol.asyncDispose]: async () => void await network.dispose(),
  };
}

/** What the network says of a claim beside one stretch of the source. */
interface ChunkAnswer {
  readonly chunk: SourceChunk;
  readonly probabilities: VerdictProbabilities;
}

function greatest(
  answers: readonly ChunkAnswer[],
  label: "supported" | "refuted",
): ChunkAnswer | undefined {
  return answers.reduce<ChunkAnswer | undefined>(
    (best, answer) =>
      best === undefined || answer.probabilities[label] > best.probabilities[label] ? answer : best,
    undefined,
  );
}

/**
 * The stretches taken together. A source bears a claim out where one stretch does: P(supported) is the
 * greatest. The rest is shared as the stretch does that contradicts most: a source that contradicts
 * in one place and is silent in others contradicts. For one stretch these are its own probabilities.
 */
export function combineAnswers(answers: readonly ChunkAnswer[]): {
  readonly probabilities: VerdictProbabilities;
  readonly evidence: readonly Evidence[];
} | undefined {
  const [best, worst] = [greatest(answers, "supported"), greatest(answers, "refuted")];
  if (best === undefined || worst === undefined) return undefined;
  const supported = best.probabilities.supported;
  const against = worst.probabilities;
  const others = against.refuted + against["not enough info"];
  const refuted = others === 0 ? 0 : (1 - supported) * against.refuted / others;
  const probabilities = { supported, refuted, "not enough info": 1 - supported - refuted };
  const [forIt, againstIt] = [
    chunkEvidence(best.chunk, supported),
    chunkEvidence(worst.chunk, against.refuted),
  ];
  const decided = decide(probabilities) === "refuted" ? [againstIt, forIt] : [forIt, againstIt];
  return { probabilities, evidence: best === worst ? decided.slice(0, 1) : decided };
}

function failure(provenance: Provenance, message: string): Unscored {
  return { kind: "unscored", reason: "failure", message, partialText: undefined, provenance };
}

function scored(answers: readonly ChunkAnswer[], provenance: Provenance): Verdict {
  const combined = combineAnswers(answers);
  if (combined === undefined) return withoutEvidence(provenance);
  return scoredVerdict({ ...combined, provenance });
}

/** Where a claim takes up more than this share of what the network can read, a source has no room. */
const MOST_OF_CLAIM = 0.75;

/**
 * A claim beside each stretch of the passages. Unscored without text, for a claim that leaves no room
 * for a source, and where the network's answer cannot be read.
 */
export async function readClaim(
  network: NliNetwork,
  claim: string,
  passages: readonly Passage[],
  { provenance, signal }: {
    readonly provenance: Provenance;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Verdict> {
  const room = network.longest - network.frame - network.countTokens(claim);
  if (room < network.longest * (1 - MOST_OF_CLAIM)) {
    const words = `The claim leaves ${Math.max(0, room)} of ${network.longest} tokens to a source.`;
    return failure(provenance, words);
  }
  const count = (text: string) => network.countTokens(text);
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, room, count));
  const answers: ChunkAnswer[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    try {
      const logits = await network.logits(chunk.premise, claim);
      answers.push({ chunk, probabilities: nliProbabilities(logits, network.labels) });
    } catch (error) {
      return failure(provenance, error instanceof Error ? error.message : `${error}`);
    }
  }
  return scored(answers, provenance);
}

/** A model of natural-language inference in a local folder. */
interface OnnxNliEntry {
  /** Names the verifier in every result. */
  readonly id: string;
  /** Holds config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. */
  readonly path: string;
  readonly licence: string;
  /** `8-bit` reads onnx/model_int8.onnx or onnx/model_quantized.onnx in place of onnx/model.onnx. */
  readonly quantisation: "none" | "8-bit";
  /** Of the file that is read; nothing is checked where it is left out. */
  readonly sha256?: string | undefined;
}

/** A network's file, and what it holds. */
interface NetworkFile {
  readonly precision: NliPrecision;
  /** From the model's folder on. */
  readonly file: string;
}

/** What every other precision is held against. */
const FLOAT32: NetworkFile = { precision: "fp32", file: "onnx/model.onnx" };

const EIGHT_BIT: readonly NetworkFile[] = [
  { precision: "int8", file: "onnx/model_int8.onnx" },
  { precision: "q8", file: "onnx/model_quantized.onnx" },
];

/**
 * The file that an entry asks for.
 * @throws {Deno.errors.NotFound} naming what its folder lacks.
 */
function networkFile({ id, path, quantisation }: OnnxNliEntry): NetworkFile {
  const wanted = quantisation === "8-bit" ? EIGHT_BIT : [FLOAT32];
  const found = wanted.find(({ file }) => holdsFile(path, file));
  const missing: string[] = ONNX_DESCRIPTIONS.filter((file) => !holdsFile(path, file));
  if (found === undefined) missing.push(wanted.map(({ file }) => file).join(" or "));
  if (found !== undefined && missing.length === 0) return found;
  throw new Deno.errors.NotFound(
    `Cannot open the NLI model ${id}: ${shownPath(path)} has no ${missing.join(", no ")}; ` +
      "put them there, or correct its path in the configuration",
  );
}

/**
 * The hashes of the file that is read, of its weights and its tokeniser.
 * @throws {TypeError} where the network is another file than the one named.
 */
function checkedHashes(
  { id, path, sha256 }: OnnxNliEntry,
  { file }: NetworkFile,
): OnnxHashes {
  const hashes = onnxHashes(path, file);
  const found = hashes.fileSha256;
  if (sha256 === undefined || sha256 === found) return hashes;
  throw new TypeError(
    `Cannot open the NLI model ${id}: the SHA-256 of ${file} is ${found}, and the configuration ` +
      `names ${sha256}; restore the file, or correct sha256`,
  );
}
