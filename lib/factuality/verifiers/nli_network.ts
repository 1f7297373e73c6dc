import { resolve } from "node:path";
import type {
  Tensor,
  Transformers,
  TransformersTokeniser,
} from "../../models/masked/transformers_package.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { VERDICT_LABELS, type VerdictProbabilities } from "../types.ts";

/** Places of the labels in a network's logits; two labels only: what is not entailed has no reason. */
type NliLabels =
  | {
    readonly kind: "three labels";
    readonly entailment: number;
    readonly neutral: number;
    readonly contradiction: number;
  }
  | { readonly kind: "two labels"; readonly entailment: number; readonly notEntailment: number };

type Meaning = "entailment" | "neutral" | "contradiction" | "notEntailment";

/** How the labels of published models begin, once case and punctuation are gone; the first that fits. */
const SPELLINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^(not?n?|un)(entail|support)/, "notEntailment"],
  [/^(entail|support)/, "entailment"],
  [/^(neutral|notenough|nei$|unknown)/, "neutral"],
  [/^(contradict|refut)/, "contradiction"],
];

function meaningOf(label: string): Meaning | undefined {
  const plain = label.toLowerCase().replace(/[^a-z]/g, "");
  return SPELLINGS.find(([spelling]) => spelling.test(plain))?.[1];
}

/**
 * Which logit means what, from the `id2label` of a model's config.json: entailment, neutral and
 * contradiction, or entailment and not_entailment, in any order and case.
 *
 * @throws {TypeError} where the labels are others; `LABEL_0` tells nothing, and a guess would turn
 * verdicts round.
 */
export function nliLabels(id2label: Readonly<Record<string, string>> | undefined): NliLabels {
  const entries = Object.entries(id2label ?? {});
  const place = new Map(entries.map(([id, label]) => [meaningOf(label), Number(id)]));
  const [entailment, neutral] = [place.get("entailment"), place.get("neutral")];
  const [contradiction, not] = [place.get("contradiction"), place.get("notEntailment")];
  if (entailment !== undefined && neutral !== undefined && contradiction !== undefined) {
    if (entries.length === 3) return { kind: "three labels", entailment, neutral, contradiction };
  }
  if (entailment !== undefined && not !== undefined && entries.length === 2) {
    return { kind: "two labels", entailment, notEntailment: not };
  }
  const found = entries.map(([id, label]) => `${id}: ${label}`).join(", ") || "none";
  throw new TypeError(
    `the labels of its config.json (${found}) are not entailment, neutral and contradiction, nor ` +
      "entailment and not_entailment; write them under id2label in the order of its outputs",
  );
}

/** Number of logits that a network with these labels gives. */
function labelCount({ kind }: NliLabels): number {
  return kind === "three labels" ? 3 : 2;
}

/**
 * Entailment, contradiction and neutral as supported, refuted and not enough info. With two labels
 * all that is not entailed is not enough info: such a model does not say that a source contradicts.
 *
 * @throws {TypeError} where a logit is not finite, or there are not as many as labels.
 */
export function nliProbabilities(
  logits: readonly number[],
  labels: NliLabels,
): VerdictProbabilities {
  if (logits.length !== labelCount(labels) || !logits.every(Number.isFinite)) {
    throw new TypeError(
      `Cannot read the model's output: [${logits.join(", ")}] are not ${labelCount(labels)} ` +
        "finite numbers",
    );
  }
  const probabilities = softmax(logits);
  const at = (place: number) => probabilities[place]!;
  return labels.kind === "three labels"
    ? {
      supported: at(labels.entailment),
      refuted: at(labels.contradiction),
      "not enough info": at(labels.neutral),
    }
    : { supported: at(labels.entailment), refuted: 0, "not enough info": at(labels.notEntailment) };
}

/** A network that reads two texts at once, with its tokeniser, in memory. */
export interface NliNetwork {
  readonly labels: NliLabels;
  /** Most tokens of both texts together with special ones. */
  readonly longest: number;
  /** Special tokens of a pair. */
  readonly frame: number;
  countTokens(text: string): number;
  /** One number a label. */
  logits(premise: string, hypothesis: string): Promise<readonly number[]>;
  dispose(): Promise<unknown>;
}

/** The precisions of a folder's network, as transformers.js names them. */
export type NliPrecision = "fp32" | "q8" | "int8";
type Inputs = Readonly<Record<string, Tensor>>;

interface PairTokeniser extends Omit<TransformersTokeniser, "encode"> {
  (text: string, options: {
    readonly text_pair: string;
    readonly truncation: true;
    readonly max_length: number;
  }): Inputs;
  encode(text: string, options: {
    readonly add_special_tokens: boolean;
    readonly text_pair?: string;
  }): readonly number[];
}

interface ClassifyingModel {
  (inputs: Inputs): Promise<{ readonly logits?: Tensor }>;
  readonly config: {
    readonly id2label?: Readonly<Record<string, string>>;
    readonly max_position_embeddings?: number;
  };
  dispose(): Promise<unknown>;
}

/** What is used of `@huggingface/transformers` 4 beyond what masked models need of it. */
export interface NliTransformers extends Omit<Transformers, "AutoTokenizer"> {
  readonly AutoTokenizer: {
    from_pretrained(
      folder: string,
      options: { readonly local_files_only: true },
    ): Promise<PairTokeniser>;
  };
  readonly AutoModelForSequenceClassification: {
    from_pretrained(folder: string, options: {
      readonly local_files_only: true;
      readonly dtype: NliPrecision;
      readonly device: "cpu";
      readonly session_options: { readonly intraOpNumThreads: number };
    }): Promise<ClassifyingModel>;
  };
}

/** What a BERT reads where nobody says. */
const USUAL_LENGTH = 512;

function longestOf(tokeniser: PairTokeniser, { config }: ClassifyingModel): number {
  const { model_max_length: bound } = tokeniser;
  // A tokeniser without a bound says so by a huge number.
  if (typeof bound === "number" && bound < 1e6) return bound;
  return config.max_position_embeddings ?? USUAL_LENGTH;
}

async function logitsOf(model: ClassifyingModel, inputs: Inputs): Promise<readonly number[]> {
  const { logits } = await model(inputs);
  if (!(logits?.data instanceof Float32Array)) {
    throw new TypeError("Cannot read the model's output: it has no float32 logits");
  }
  return [...logits.data];
}

/**
 * The network and the tokeniser of a local folder, on the processor.
 *
 * @throws {TypeError} for labels that are not those of inference; what transformers.js throws for
 * files that it cannot read.
 */
export async function openNliNetwork(transformers: NliTransformers, path: string, options: {
  readonly precision: NliPrecision;
  readonly threads: number;
}): Promise<NliNetwork> {
  // A relative path would be taken for the name of a model on a host.
  const folder = resolve(path);
  const local = { local_files_only: true } as const;
  const tokeniser = await transformers.AutoTokenizer.from_pretrained(folder, local);
  const model = await transformers.AutoModelForSequenceClassification.from_pretrained(folder, {
    ...local,
    dtype: options.precision,
    device: "cpu",
    session_options: { intraOpNumThreads: options.threads },
  });
  const own = { add_special_tokens: false };
  const longest = longestOf(tokeniser, model);
  return {
    labels: nliLabels(model.config.id2label),
    longest,
    frame: tokeniser.encode("", { add_special_tokens: true, text_pair: "" }).length,
    countTokens: (text) => tokeniser.encode(text, own).length,
    logits: (premise, hypothesis) =>
      logitsOf(
        model,
        tokeniser(premise, { text_pair: hypothesis, truncation: true, max_length: longest }),
      ),
    dispose: () => model.dispose(),
  };
}

/** Premise and hypothesis: said again, said otherwise, not said, and longer ones. */
const PROBE_PAIRS: readonly (readonly [string, string])[] = [
  ["The library opened in 1911.", "The library opened in 1911."],
  ["The library opened in 1911.", "The library opened in 1953."],
  ["The library opened in 1911.", "The library is closed on Mondays."],
  ["Lake Tarn is 12 km long and lies in the north of the county.", "Lake Tarn is in the south."],
  ["A man plays the guitar on a stage.", "Somebody is making music."],
];

/** The same input must give the same output; float32 sums may differ in their last digits. */
const SAME_WITHIN = 1e-5;

/** A difference of this much would turn verdicts; int8 without the right instructions gives noise. */
const MOST_INT8_DIFFERENCE = 0.15;

async function probe(network: NliNetwork): Promise<readonly VerdictProbabilities[]> {
  const answers: VerdictProbabilities[] = [];
  for (const [premise, hypothesis] of PROBE_PAIRS) {
    answers.push(
      nliProbabilities(await network.logits(premise, hypothesis), network.labels),
    );
  }
  return answers;
}

function largestDifference(
  one: readonly VerdictProbabilities[],
  other: readonly VerdictProbabilities[],
): number {
  return Math.max(
    ...one.flatMap((answer, at) =>
      VERDICT_LABELS.map((label) => Math.abs(answer[label] - other[at]![label]))
    ),
  );
}

/**
 * Asks a network about fixed pairs twice.
 *
 * @throws {TypeError} where an answer is not finite, or not the same the second time.
 */
export async function checkNliNetwork(network: NliNetwork): Promise<void> {
  const difference = largestDifference(await probe(network), await probe(network));
  if (difference <= SAME_WITHIN) return;
  throw new TypeError(
    `its probabilities for the same texts differ by ${
      difference.toPrecision(2)
    } from one time to ` +
      "the next",
  );
}

/**
 * The largest difference of probabilities between an int8 network and the same in float32, 0–1.
 *
 * @throws {TypeError} over 0.15: on processors without the instructions that its arithmetic needs an
 * int8 network gives noise, and says nothing of it.
 */
export async function checkInt8(int8: NliNetwork, float32: NliNetwork): Promise<number> {
  const difference = largestDifference(await probe(int8), await probe(float32));
  if (difference <= MOST_INT8_DIFFERENCE) return difference;
  throw new TypeError(
    `its int8 file differs from its float32 file by ${difference.toFixed(2)} of a probability on ` +
      "this processor; write quantisation: none",
  );
}
