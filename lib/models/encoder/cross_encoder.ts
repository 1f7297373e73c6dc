import { sha256Hex, shownPath } from "../../files/atomic.ts";
import {
  type GgufTensor,
  type GgufValue,
  readGguf,
  type Tensor as TrainedTensor,
} from "../llama/weights.ts";
import { openBert, positiveMetadata } from "./bert_network.ts";
import { isEmbeddingTensor, minilmMetadata, renameTensor, TENSOR_NAMES } from "./minilm.ts";
import { readVocabulary } from "./word_pieces.ts";

/** Cross-encoder: a network that reads two texts together and gives one logit per label. */
export interface CrossEncoder extends AsyncDisposable {
  readonly labels: readonly string[];
  /** Temperature that logits are divided by, > 0. */
  readonly temperature: number;
  /** Token ids of `[CLS]` and `[SEP]`. */
  readonly first: number;
  readonly separator: number;
  /** Maximum number of tokens of a pair, including special tokens. */
  readonly longest: number;
  /** Settings that could change a logit: file hash, engine, threads. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  tokenise(text: string): readonly number[];
  /**
   * Returns one logit per label, before division by the temperature.
   * @throws {RangeError} for more tokens than `longest`.
   */
  logits(ids: readonly number[]): Promise<readonly number[]>;
}

/** GGUF's pooling type for a classification head on the first token. */
const CLASSIFICATION = 4;

const TOKENS = "tokenizer.ggml.tokens";
const LABELS = "bert.classifier.output_labels";

/**
 * Opens a cross-encoder's GGUF file. @throws NotFound without it; {SyntaxError} if it is damaged.
 */
export async function openCrossEncoder(
  path: string,
  { threads }: { readonly threads: number },
): Promise<CrossEncoder> {
  const shown = shownPath(path);
  const bytes = await Deno.readFile(path).catch((cause) => {
    throw new Deno.errors.NotFound(`Cannot open the cross-encoder ${shown}: it cannot be read`, {
      cause,
    });
  });
  const { metadata, tensors } = readGguf(shown, bytes);
  const lacks = (what: string) =>
    new SyntaxError(
      `Cannot open the cross-encoder ${shown}: ${what}. Make it with deno task factcheck train network`,
    );
  const texts = (key: string) => {
    const entry = metadata[key];
    if (entry?.type === "texts") return entry.value;
    throw lacks(`its ${key} is missing`);
  };
  const longest = positiveMetadata({ metadata, lacks }, LONGEST);
  const temperature = positiveMetadata({ metadata, lacks }, TEMPERATURE);
  const labels = texts(LABELS);
  const vocabulary = readVocabulary(texts(TOKENS).map(asWordPiece).join("\n"));
  const network = await openBert({ metadata, tensors, lacks }, {
    threads,
    // As the network was trained with.
    gelu: "FastGelu",
    head: ["cls", "cls.output"],
  });
  return {
    labels,
    temperature,
    longest,
    first: vocabulary.first,
    separator: vocabulary.last,
    settings: {
      engine: network.engine,
      threads,
      longest,
      temperature,
      weightsSha256: sha256Hex(bytes),
    },
    tokenise: vocabulary.tokenise,
    async logits(ids) {
      if (ids.length > longest) {
        throw new RangeError(
          `Cannot classify ${ids.length} tokens: ${shown} reads at most ${longest}`,
        );
      }
      return [...await network.run([ids])];
    },
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/**
 * Converts a GGUF token to WordPiece. GGUF marks tokens that begin a word, WordPiece those that
 * continue one.
 */
const asWordPiece = (token: string) =>
  /^\[.*\]$/.test(token) ? token : token.startsWith("▁") ? token.slice(1) : `##${token}`;

/** Metadata keys of a cross-encoder that GGUF does not define. */
const LONGEST = "touchstone.cross_encoder.longest";
const TEMPERATURE = "touchstone.cross_encoder.temperature";

/** Returns the GGUF metadata of a fine-tuned MiniLM. Tokens are in the order of vocab.txt. */
export function crossEncoderMetadata(
  tokens: readonly string[],
  { name, labels, longest, temperature }:
    & Pick<CrossEncoder, "labels" | "longest" | "temperature">
    & {
      readonly name: string;
    },
): Readonly<Record<string, GgufValue>> {
  const token = (text: string) => ({ type: "u32", value: tokens.indexOf(text) }) as const;
  return {
    ...minilmMetadata(tokens),
    "general.name": { type: "text", value: name },
    "bert.pooling_type": { type: "u32", value: CLASSIFICATION },
    [LABELS]: { type: "texts", value: labels },
    "tokenizer.ggml.bos_token_id": token("[CLS]"),
    // Spelt so in the format.
    "tokenizer.ggml.seperator_token_id": token("[SEP]"),
    "tokenizer.ggml.unknown_token_id": token("[UNK]"),
    [LONGEST]: { type: "u32", value: longest },
    // As text: in 32 bits it would be another number.
    [TEMPERATURE]: { type: "text", value: String(temperature) },
  };
}

const HEAD = {
  "dense.weight": "cls.weight",
  "dense.bias": "cls.bias",
  "output.weight": "cls.output.weight",
  "output.bias": "cls.output.bias",
};

/** Pairs of names of each tensor: in training and in GGUF. */
const TRAINED_NAMES = [
  ...TENSOR_NAMES.map(([from, to]) => [`bert.${from}`, to] as const),
  ...Object.entries(HEAD),
];

/**
 * Renames a fine-tuned MiniLM's tensors, with the head, as in GGUF.
 * @throws {SyntaxError} if a tensor is missing.
 */
export const crossEncoderTensors = (
  tensors: ReadonlyMap<string, TrainedTensor>,
): readonly GgufTensor[] => TRAINED_NAMES.map(([from, to]) => renameTensor(tensors, from, to));

/**
 * Renames a GGUF file's tensors as in training, so that training can continue. Embeddings are left
 * out, because they are the published ones.
 * @throws {SyntaxError} if a tensor is missing.
 */
export function trainedTensors(
  shown: string,
  tensors: ReadonlyMap<string, GgufTensor>,
): readonly TrainedTensor[] {
  return TRAINED_NAMES.filter(([, name]) => !isEmbeddingTensor({ name })).map(([to, from]) => {
    const tensor = tensors.get(from);
    if (tensor !== undefined) return { ...tensor, name: to };
    throw new SyntaxError(`Cannot train on from ${shown}: it has no tensor ${from}`);
  });
}
