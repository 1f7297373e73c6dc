import type { GgufTensor, GgufValue } from "./gguf_file.ts";
import { minilmMetadata, minilmTensors } from "./minilm_gguf.ts";
import type { Tensor } from "./safetensors.ts";

/** Keys of what a cross-encoder's file says besides what llama.cpp reads. */
export const CROSS_ENCODER_KEYS = {
  longest: "touchstone.cross_encoder.longest",
  temperature: "touchstone.cross_encoder.temperature",
} as const;

/** What is stated of a fine-tuned network. */
export interface CrossEncoderContent {
  readonly name: string;
  /** In the order of the head's rows. */
  readonly labels: readonly string[];
  /** Most tokens of a pair, special ones included. */
  readonly longest: number;
  /** What logits are divided by, > 0. */
  readonly temperature: number;
}

/** llama.cpp's number for its classification head. */
const CLASSIFICATION = 4;
const NETWORK = "bert.";

/** The head's layers in PyTorch and in llama.cpp: dense, tanh, output. */
const HEAD: Readonly<Record<string, string>> = {
  "dense.weight": "cls.weight",
  "dense.bias": "cls.bias",
  "output.weight": "cls.output.weight",
  "output.bias": "cls.output.bias",
};

/**
 * A fine-tuned MiniLM's tensors, head included, as llama.cpp knows them.
 *
 * @throws {SyntaxError} where one is missing or not of 32-bit floats.
 */
export function crossEncoderTensors(tensors: ReadonlyMap<string, Tensor>): readonly GgufTensor[] {
  const network = new Map(
    [...tensors].filter(([name]) => name.startsWith(NETWORK))
      .map(([name, tensor]) => [name.slice(NETWORK.length), tensor]),
  );
  const head = Object.entries(HEAD).map(([from, name]) => {
    const tensor = tensors.get(from);
    if (tensor?.type === "F32") return { name, shape: tensor.shape, bytes: tensor.bytes };
    throw new SyntaxError(`Cannot convert a cross-encoder: ${from} is missing or not of type F32`);
  });
  return [...minilmTensors(network), ...head];
}

/** Metadata of a fine-tuned MiniLM; tokens in the order of vocab.txt. */
export function crossEncoderMetadata(
  tokens: readonly string[],
  { name, labels, longest, temperature }: CrossEncoderContent,
): Readonly<Record<string, GgufValue>> {
  return {
    ...minilmMetadata(tokens),
    "general.name": { type: "text", value: name },
    ...crossEncoderFields(tokens, { labels, longest, temperature }),
  };
}

/** What sets a cross-encoder's file apart from a sentence encoder's. */
export function crossEncoderFields(
  tokens: readonly string[],
  { labels, longest, temperature }: Omit<CrossEncoderContent, "name">,
): Readonly<Record<string, GgufValue>> {
  const token = (text: string) => ({ type: "u32", value: tokens.indexOf(text) }) as const;
  return {
    "bert.pooling_type": { type: "u32", value: CLASSIFICATION },
    "bert.classifier.output_labels": { type: "texts", value: labels },
    "tokenizer.ggml.bos_token_id": token("[CLS]"),
    // Spelt so in the format.
    "tokenizer.ggml.seperator_token_id": token("[SEP]"),
    "tokenizer.ggml.unknown_token_id": token("[UNK]"),
    [CROSS_ENCODER_KEYS.longest]: { type: "u32", value: longest },
    // As text: llama.cpp gives floats with six decimals.
    [CROSS_ENCODER_KEYS.temperature]: { type: "text", value: String(temperature) },
  };
}
