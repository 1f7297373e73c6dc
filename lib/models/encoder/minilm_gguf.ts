import type { GgufTensor, GgufValue } from "./gguf_file.ts";
import type { Tensor } from "./safetensors.ts";

/** The shape of all-MiniLM-L6-v2, as its package's config.json states it. */
const BLOCKS = 6;
const WIDTH = 384;
const FEED_FORWARD = 1536;
const HEADS = 12;
const POSITIONS = 512;
const TOKEN_TYPES = 2;
const NORM_EPSILON = 1e-12;
/** llama.cpp's number for the mean of the tokens. */
const MEAN_POOLING = 1;

/** Names in the original and in GGUF, without `.weight` and `.bias`. */
const EMBEDDINGS: Readonly<Record<string, string>> = {
  "embeddings.word_embeddings": "token_embd",
  "embeddings.position_embeddings": "position_embd",
  "embeddings.token_type_embeddings": "token_types",
};

/** As {@link EMBEDDINGS}, of one block. */
const BLOCK: Readonly<Record<string, string>> = {
  "attention.self.query": "attn_q",
  "attention.self.key": "attn_k",
  "attention.self.value": "attn_v",
  "attention.output.dense": "attn_output",
  "attention.output.LayerNorm": "attn_output_norm",
  "intermediate.dense": "ffn_up",
  "output.dense": "ffn_down",
  "output.LayerNorm": "layer_output_norm",
};

/** Every tensor's name in the original and in GGUF; the pooler has no part in sentence vectors. */
function tensorNames(): readonly (readonly [string, string])[] {
  const withBias = ([from, to]: readonly [string, string]) =>
    (["weight", "bias"] as const).map((part) => [`${from}.${part}`, `${to}.${part}`] as const);
  const blocks = Array.from(
    { length: BLOCKS },
    (_, block) =>
      Object.entries(BLOCK).flatMap(([from, to]) =>
        withBias([`encoder.layer.${block}.${from}`, `blk.${block}.${to}`])
      ),
  ).flat();
  return [
    ...Object.entries(EMBEDDINGS).map(([from, to]) => [`${from}.weight`, `${to}.weight`] as const),
    ...withBias(["embeddings.LayerNorm", "token_embd_norm"]),
    ...blocks,
  ];
}

/**
 * The model's tensors under the names that llama.cpp knows them by.
 *
 * @throws {SyntaxError} where one is missing or not of 32-bit floats.
 */
export function minilmTensors(tensors: ReadonlyMap<string, Tensor>): readonly GgufTensor[] {
  return tensorNames().map(([from, name]) => {
    const tensor = tensors.get(from);
    if (tensor === undefined || tensor.type !== "F32") {
      const what = tensor === undefined ? "missing" : `of type ${tensor.type}, not F32`;
      throw new SyntaxError(`Cannot convert all-MiniLM-L6-v2: its tensor ${from} is ${what}`);
    }
    return { name, shape: tensor.shape, bytes: tensor.bytes };
  });
}

/** llama.cpp marks the beginnings of words where WordPiece marks what continues one. */
function ggufToken(token: string): string {
  if (/^\[.*\]$/.test(token)) return token;
  return token.startsWith("##") ? token.slice(2) : `▁${token}`;
}

/** What llama.cpp must know besides the tensors; tokens in the order of vocab.txt. */
export function minilmMetadata(tokens: readonly string[]): Readonly<Record<string, GgufValue>> {
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  return {
    "general.architecture": { type: "text", value: "bert" },
    "general.name": { type: "text", value: "all-MiniLM-L6-v2" },
    "general.license": { type: "text", value: "apache-2.0" },
    "general.file_type": u32(0),
    "bert.context_length": u32(POSITIONS),
    "bert.embedding_length": u32(WIDTH),
    "bert.feed_forward_length": u32(FEED_FORWARD),
    "bert.block_count": u32(BLOCKS),
    "bert.attention.head_count": u32(HEADS),
    "bert.attention.layer_norm_epsilon": { type: "f32", value: NORM_EPSILON },
    "bert.attention.causal": { type: "bool", value: false },
    "bert.pooling_type": u32(MEAN_POOLING),
    "tokenizer.ggml.model": { type: "text", value: "bert" },
    "tokenizer.ggml.token_type_count": u32(TOKEN_TYPES),
    "tokenizer.ggml.tokens": { type: "texts", value: tokens.map(ggufToken) },
  };
}
