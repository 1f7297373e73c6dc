import { resolve } from "node:path";
import {
  type Tensor,
  type Transformers,
  type TransformersTokeniser,
} from "../../models/masked/transformers_package.ts";
import { type NliLabels, nliLabels } from "./onnx_nli_labels.ts";

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
