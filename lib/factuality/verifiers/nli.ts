import { z } from "zod";
import { shownPath } from "../../files/atomic.ts";
import {
  holdsFile,
  missingOnnxFiles,
  onnxHashes,
  openOnnxFolder,
} from "../../models/encoder/onnx_folder.ts";
import { logistic, softmax } from "../../stats/uncertainty.ts";
import {
  CLAIM_TIMEOUT,
  IDENTIFIER,
  NON_BLANK,
  PATH,
  QUANTISATION,
  verifierKind,
} from "../component.ts";
import {
  nestedProbabilities,
  scoredVerdict,
  unreadAnswer,
  unscoredWithoutEvidence,
} from "../decision.ts";
import {
  type Passage,
  type Provenance,
  type Verdict,
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
  type Verifier,
} from "../types.ts";
import { type ChunkAnswer, chunksOf, combineAnswers, MAX_CLAIM_SHARE } from "./chunks.ts";

/** Configuration of an NLI model in a local folder. */
const ENTRY = z.strictObject({
  kind: z.literal("onnx-nli"),
  id: IDENTIFIER,
  /** Folder with config.json, tokenizer.json and onnx/model.onnx; the hash is of the network. */
  ...PATH,
  quantisation: QUANTISATION.optional(),
  /**
   * Meanings of the outputs by their names (or numbers) in config.json. By default these names
   * decide.
   */
  labels: z.record(z.string(), z.enum(VERDICT_LABELS)).optional(),
  licence: NON_BLANK,
  ...CLAIM_TIMEOUT,
});

export const onnxNli = verifierKind(
  ENTRY,
  async (entry, { quantisation, threads, resources }) => {
    const wanted = { ...entry, quantisation: entry.quantisation ?? quantisation };
    return resources.use(await openOnnxNliVerifier(wanted, threads));
  },
);

type OnnxNliEntry =
  & Omit<z.infer<typeof ENTRY>, "kind" | "timeoutSeconds" | "quantisation">
  & { readonly quantisation: "none" | "8-bit" };

/** Network files by precision, as exporters name them. */
const NETWORKS = {
  fp32: "onnx/model.onnx",
  int8: "onnx/model_int8.onnx",
  q8: "onnx/model_quantized.onnx",
} as const;
type NliPrecision = keyof typeof NETWORKS;

/**
 * Opens a text-pair classifier in ONNX from a local folder as a verifier.
 *
 * Chunks of the source are the premise, the claim is the hypothesis. NLI models give three
 * verdicts. Models like MiniCheck or HHEM give supported or not supported, by two outputs or one.
 * `await using` frees it. @throws {Deno.errors.NotFound} with the remedy. @throws {TypeError} for
 * another kind of model, or one that fails the checks.
 */
export async function openOnnxNliVerifier(
  entry: OnnxNliEntry,
  threads: number,
): Promise<Verifier & AsyncDisposable> {
  const { id, path, licence, sha256 } = entry;
  const wanted: NliPrecision[] = entry.quantisation === "8-bit" ? ["int8", "q8"] : ["fp32"];
  const precision = wanted.find((name) => holdsFile(path, NETWORKS[name]));
  const missing = missingOnnxFiles(path, wanted.map((name) => NETWORKS[name]));
  if (precision === undefined || missing.length > 0) {
    const why = `${shownPath(path)} has no ${
      missing.join(", no ")
    }; put them there, or correct its path`;
    throw new Deno.errors.NotFound(`Cannot open the NLI model ${id}: ${why}`);
  }
  const file = NETWORKS[precision];
  const hashes = onnxHashes(path, file);
  const { fileSha256: modelSha256 } = hashes;
  if (sha256 !== undefined && sha256 !== modelSha256) {
    const named = `the configuration names ${sha256}; restore the file, or correct sha256`;
    const why = `the SHA-256 of ${file} is ${modelSha256}, and ${named}`;
    throw new TypeError(`Cannot open the NLI model ${id}: ${why}`);
  }
  const opening = openChecked(path, { precision, labels: entry.labels, threads });
  const { network, settings } = await opening.catch((cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot open the NLI model ${id}: ${why}`, { cause });
  });
  const provenance = { producedBy: id, modelSha256, promptSha256: undefined };
  return {
    name: id,
    settings: { ...hashes, ...settings, licence },
    async verify(claims, passages, { signal } = {}) {
      const verdicts = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        verdicts.push(await readClaim(network, claim, passages, { provenance, signal }));
      }
      return verdicts;
    },
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/** Opens and checks a network. An 8-bit one is compared with its float32 version, if present. */
async function openChecked(
  path: string,
  { precision, labels, threads }: Pick<OnnxNliEntry, "labels"> & {
    readonly precision: NliPrecision;
    readonly threads: number;
  },
) {
  const open = (precision: NliPrecision) =>
    openNliNetwork(path, { file: NETWORKS[precision], threads, labels });
  await using opened = new AsyncDisposableStack();
  const network = opened.use(await open(precision));
  await checkNliNetwork(network);
  const settings: Record<string, string | number | boolean> = {
    engine: network.engine,
    precision,
    threads,
    outputs: network.labels.join(", "),
    tells: VERDICT_LABELS.filter((label) =>
      network.labels.includes(label) || label !== "refuted" && network.labels.length === 1
    ).join(" and "),
  };
  if (precision !== "fp32") {
    settings["comparedWithFloat32"] = holdsFile(path, NETWORKS.fp32);
    if (settings["comparedWithFloat32"]) {
      await using float32 = await open("fp32");
      settings["int8Difference"] = await checkInt8(network, float32);
    }
  }
  opened.move();
  return { network, settings };
}

/**
 * Reads a claim against each chunk. Unscored without text, without space for a source, or without
 * an answer.
 */
export async function readClaim(
  network: NliNetwork,
  claim: string,
  passages: readonly Passage[],
  { provenance, signal }: { readonly provenance: Provenance; readonly signal?: AbortSignal },
): Promise<Verdict> {
  const room = network.longest - network.frame - network.countTokens(claim);
  if (room < network.longest * (1 - MAX_CLAIM_SHARE)) {
    const words = `The claim leaves ${Math.max(0, room)} of ${network.longest} tokens to a source.`;
    return { ...unreadAnswer("too long", words), provenance };
  }
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, room, network.countTokens));
  const answers: ChunkAnswer[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    try {
      const logits = await network.logits(chunk.premise, claim);
      answers.push({ chunk, probabilities: nliProbabilities(logits, network.labels) });
    } catch (error) {
      const words = error instanceof Error ? error.message : `${error}`;
      return { ...unreadAnswer("failure", words), provenance };
    }
  }
  if (answers.length === 0) return unscoredWithoutEvidence(provenance);
  return scoredVerdict({ ...combineAnswers(answers), provenance });
}

/** Beginnings of published models' labels, without case and punctuation. The first match counts. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(not?n?|un)(entail|support)|^(halluc|inconsist|unfaithful|notconsist)/, "not supported"],
  [/^(entail|support|consist|faithful)/, "supported"],
  [/^(neutral|notenough|nei$|unknown)/, "not enough info"],
  [/^(contradict|refut)/, "refuted"],
];

/**
 * Returns the verdict of each output, from `id2label`.
 *
 * Labels are entailment, neutral and contradiction in any order and case; or supported and not
 * supported; or supported alone. "Not supported" does not mean contradicted. @param given The
 * user's meanings by name or number, which override the names. @throws {TypeError} for other
 * labels: `LABEL_0` has no meaning, and a guess could swap verdicts.
 */
export function nliLabels(
  id2label: Readonly<Record<string, string>> | undefined,
  given?: Readonly<Record<string, VerdictLabel>>,
): readonly VerdictLabel[] {
  const entries = Object.entries(id2label ?? {});
  const labels: (string | undefined)[] = [];
  for (const [id, label] of entries) {
    const plain = label.toLowerCase().replace(/[^a-z]/g, "");
    labels[Number(id)] = given
      ? given[label] ?? given[id]
      : SPELLINGS.find(([spelling]) => spelling.test(plain))?.[1];
  }
  const knownLabels = labels.toSorted().join();
  const names = entries.map(([id, label]) => `${id}: ${label}`).join(", ") || "none";
  if (given !== undefined) {
    const supported = labels.filter((label) => label === "supported").length;
    const all = labels.length === entries.length && labels.every((label) => label !== undefined);
    if (all && supported === 1) return labels as VerdictLabel[];
    const why = "labels must name each of them, and one of them supported";
    throw new TypeError(`its config.json has the labels ${names}; ${why}`);
  }
  if (["supported", VERDICT_LABELS.toSorted().join()].includes(knownLabels)) {
    return labels as VerdictLabel[];
  }
  if (knownLabels === "not supported,supported") {
    return labels.map((label) => label === "supported" ? label : "not enough info");
  }
  const known = "entailment, neutral and contradiction, nor supported and unsupported";
  const remedy = "say in the configuration what they mean: labels: { NAME: supported, … }";
  throw new TypeError(`the labels of its config.json (${names}) are not ${known}; ${remedy}`);
}

/** Converts logits to verdict probabilities. @throws {TypeError} for infinite or missing logits. */
export function nliProbabilities(
  logits: readonly number[],
  labels: readonly VerdictLabel[],
): VerdictProbabilities {
  if (logits.length !== labels.length || !logits.every(Number.isFinite)) {
    const wanted = `${labels.length} finite numbers`;
    throw new TypeError(`Cannot read the model's output: [${logits.join(", ")}] are not ${wanted}`);
  }
  if (logits.length === 1) {
    return nestedProbabilities(logistic(logits[0]!), 0);
  }
  const shares = { supported: 0, refuted: 0, "not enough info": 0 };
  for (const [at, share] of softmax(logits).entries()) shares[labels[at]!] += share;
  return shares;
}

/** A text-pair network in memory with its tokeniser. */
export interface NliNetwork extends AsyncDisposable {
  /** Labels in the order of the logits. */
  readonly labels: readonly VerdictLabel[];
  /** Maximum number of tokens of a pair with special ones, and the number of special ones. */
  readonly longest: number;
  readonly frame: number;
  countTokens(this: void, text: string): number;
  /** Returns one logit per label. */
  logits(premise: string, hypothesis: string): Promise<readonly number[]>;
}

/** Opens network and tokeniser of a local folder. @throws {TypeError} for other labels. */
async function openNliNetwork(
  path: string,
  { file, threads, labels }: Pick<OnnxNliEntry, "labels"> & {
    readonly file: string;
    readonly threads: number;
  },
): Promise<NliNetwork & { readonly engine: string }> {
  await using opened = new AsyncDisposableStack();
  const network = opened.use(await openOnnxFolder(path, { file, threads }));
  const { tokeniser, config, engine } = network;
  // A BERT reads 512 by default.
  const longest = network.longest ?? 512;
  const reader = {
    engine,
    labels: nliLabels(config.id2label, labels),
    longest,
    frame: tokeniser.encode("", { text_pair: "" }).ids.length,
    countTokens: (text: string) => tokeniser.encode(text, { add_special_tokens: false }).ids.length,
    async logits(premise: string, hypothesis: string) {
      const pair = { text_pair: hypothesis, return_token_type_ids: true } as const;
      let read = tokeniser.encode(premise, pair);
      // A pair may have one token more than its texts: the premise loses its last words, never the
      // claim.
      for (let text = premise; read.ids.length > longest; read = tokeniser.encode(text, pair)) {
        const length = read.ids.length;
        if (text === "") throw new RangeError(`The claim has ${length} of ${longest} tokens.`);
        text = text.slice(0, Math.max(0, text.lastIndexOf(" ")));
      }
      const { ids, token_type_ids: types } = read;
      return [...(await network.logits([ids], [types])).values];
    },
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
  opened.move();
  return reader;
}

/** Probe pairs of premise and hypothesis: repeated, paraphrased, unrelated, and longer ones. */
const PROBE_PAIRS: readonly (readonly [string, string])[] = [
  ["The library opened in 1911.", "The library opened in 1911."],
  ["The library opened in 1911.", "The library opened in 1953."],
  ["The library opened in 1911.", "The library is closed on Mondays."],
  ["Lake Tarn is 12 km long and lies in the north of the county.", "Lake Tarn is in the south."],
  ["A man plays the guitar on a stage.", "Somebody is making music."],
];

/** Maximum difference between two networks' probabilities for fixed pairs, 0–1. */
async function largestDifference(one: NliNetwork, other: NliNetwork): Promise<number> {
  let largest = 0;
  for (const pair of PROBE_PAIRS) {
    const answer = nliProbabilities(await one.logits(...pair), one.labels);
    const again = nliProbabilities(await other.logits(...pair), other.labels);
    const differences = VERDICT_LABELS.map((label) => Math.abs(answer[label] - again[label]));
    largest = Math.max(largest, ...differences);
  }
  return largest;
}

/**
 * Probes a network with fixed pairs twice. @throws {TypeError} for a non-finite or unstable answer.
 */
export async function checkNliNetwork(network: NliNetwork): Promise<void> {
  const difference = await largestDifference(network, network);
  // Sums of float32 values may differ in their last digits.
  if (difference <= 1e-5) return;
  const much = difference.toPrecision(2);
  throw new TypeError(
    `its probabilities for the same texts differ by ${much} from one time to another`,
  );
}

/**
 * Maximum difference in probability between an int8 network and its float32 version, 0–1. @throws
 * {TypeError} above 0.15: without the processor's instructions an int8 network returns noise.
 */
export async function checkInt8(int8: NliNetwork, float32: NliNetwork): Promise<number> {
  const difference = await largestDifference(int8, float32);
  if (difference <= 0.15) return difference;
  const much = `${difference.toFixed(2)} of a probability on this processor`;
  throw new TypeError(`its int8 file differs from float32 by ${much}; write quantisation: none`);
}
