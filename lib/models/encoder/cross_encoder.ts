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

/** A network in one file that reads two texts together and gives a logit per label. */
export interface CrossEncoder extends AsyncDisposable {
  readonly labels: readonly string[];
  /** Temperature that logits are divided by, > 0. */
  readonly temperature: number;
  /** `[CLS]` and `[SEP]`. */
  readonly first: number;
  readonly separator: number;
  /** Most tokens of a pair, special ones included. */
  readonly longest: number;
  /** Settings that could change a logit: file hash, engine, threads. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  tokenise(text: string): readonly number[];
  /** A logit a label, before the temperature. @throws {RangeError} for more tokens than `longest`. */
  logits(ids: readonly number[]): Promise<readonly number[]>;
}

/** GGUF's number for a head over the first token. */
const CLASSIFICATION = 4;

const TOKENS = "tokenizer.ggml.tokens";
const LABELS = "bert.classifier.output_labels";

/** Opens a cross-encoder's GGUF file. @throws NotFound without it; {SyntaxError} where torn. */
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

/** GGUF marks the beginnings of words where WordPiece marks what continues one. */
const asWordPiece = (token: string) =>
  /^\[.*\]$/.test(token) ? token : token.startsWith("▁") ? token.slice(1) : `##${token}`;

/** Metadata keys of a cross-encoder's file besides GGUF's. */
const LONGEST = "touchstone.cross_encoder.longest";
const TEMPERATURE = "touchstone.cross_encoder.temperature";

/** Metadata of a fine-tuned MiniLM; tokens in the order of vocab.txt. */
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

/** Each tensor's name in training and in GGUF. */
const TRAINED_NAMES = [
  ...TENSOR_NAMES.map(([from, to]) => [`bert.${from}`, to] as const),
  ...Object.entries(HEAD),
];

/** A fine-tuned MiniLM's tensors, head included, under GGUF's names. @throws {SyntaxError} */
export const crossEncoderTensors = (
  tensors: ReadonlyMap<string, TrainedTensor>,
): readonly GgufTensor[] => TRAINED_NAMES.map(([from, to]) => renameTensor(tensors, from, to));

/**
 * The other way about: what a network was trained to, as a training goes on from it. Its embeddings
 * stay out: they are the published ones. @throws {SyntaxError} for another network's tensors.
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
