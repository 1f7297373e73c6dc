import { ggufBytes, type GgufTensor, type GgufValue } from "../../llama/weights.ts";
import { crossEncoderFields } from "../cross_encoder.ts";

/**
 * A cross-encoder small enough to be worked out by hand: one block of width 4 whose attention looks at
 * all tokens alike and adds their mean, whose feed-forward part adds nothing, and whose head reads how
 * far `[CLS]` was drawn towards `tells` and `denies`.
 */
const PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tells", "denies", "claim", "."] as const;
const WIDTH = 4;
const LONGEST = 40;

/** Mean 0 and variance 1, so that the first normalisation leaves them as they are. */
const NEUTRAL = [1, 1, -1, -1];
const VECTORS: Readonly<Record<string, readonly number[]>> = {
  tells: [1, -1, 1, -1],
  denies: [1, -1, -1, 1],
};

/** `[CLS]` after the block, before its normalisation: itself and the mean of all tokens. */
export function tinyFirstVector(pieces: readonly string[]): readonly number[] {
  const rows = pieces.map((piece) => VECTORS[piece] ?? NEUTRAL);
  return NEUTRAL.map((value, at) =>
    value + rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length
  );
}

const identity = (size: number) =>
  Array.from({ length: size * size }, (_, at) => at % (size + 1) === 0 ? 1 : 0);
const zeros = (size: number) => Array<number>(size).fill(0);
const ones = (size: number) => Array<number>(size).fill(1);

function tensor(name: string, shape: readonly number[], values: readonly number[]): GgufTensor {
  return { name, shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

const square = (name: string, values: readonly number[]) => [
  tensor(`${name}.weight`, [WIDTH, WIDTH], values),
  tensor(`${name}.bias`, [WIDTH], zeros(WIDTH)),
];
const norm = (name: string) => [
  tensor(`${name}.weight`, [WIDTH], ones(WIDTH)),
  tensor(`${name}.bias`, [WIDTH], zeros(WIDTH)),
];

function tensors(labels: number): readonly GgufTensor[] {
  const none = zeros(WIDTH * WIDTH);
  // Third component: tells; fourth: denies.
  const output = [...[0, 0, 1, 0], ...[0, 0, 0, 1], ...zeros(WIDTH * labels)];
  return [
    tensor(
      "token_embd.weight",
      [PIECES.length, WIDTH],
      PIECES.flatMap((piece) => VECTORS[piece] ?? NEUTRAL),
    ),
    tensor("position_embd.weight", [LONGEST, WIDTH], zeros(LONGEST * WIDTH)),
    tensor("token_types.weight", [2, WIDTH], zeros(2 * WIDTH)),
    ...norm("token_embd_norm"),
    ...["attn_q", "attn_k"].flatMap((name) => square(`blk.0.${name}`, none)),
    ...["attn_v", "attn_output"].flatMap((name) => square(`blk.0.${name}`, identity(WIDTH))),
    ...["ffn_up", "ffn_down"].flatMap((name) => square(`blk.0.${name}`, none)),
    ...["attn_output_norm", "layer_output_norm"].flatMap((name) => norm(`blk.0.${name}`)),
    ...square("cls", identity(WIDTH)),
    tensor("cls.output.weight", [labels, WIDTH], output.slice(0, labels * WIDTH)),
    tensor("cls.output.bias", [labels], zeros(labels)),
  ];
}

function metadata(labels: readonly string[]): Readonly<Record<string, GgufValue>> {
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const begin = (piece: string) => /^\[.*\]$/.test(piece) ? piece : `▁${piece}`;
  return {
    "general.architecture": { type: "text", value: "bert" },
    "general.name": { type: "text", value: "tiny" },
    "bert.context_length": u32(LONGEST),
    "bert.embedding_length": u32(WIDTH),
    "bert.feed_forward_length": u32(WIDTH),
    "bert.block_count": u32(1),
    "bert.attention.head_count": u32(1),
    "bert.attention.layer_norm_epsilon": { type: "f32", value: 1e-12 },
    "bert.attention.causal": { type: "bool", value: false },
    "tokenizer.ggml.model": { type: "text", value: "bert" },
    "tokenizer.ggml.token_type_count": u32(2),
    "tokenizer.ggml.tokens": { type: "texts", value: PIECES.map(begin) },
    ...crossEncoderFields(PIECES, { labels, longest: LONGEST, temperature: 0.5 }),
  };
}

/** The file's bytes. @param without Keys of the metadata that are left out. */
export function tinyCrossEncoder(
  labels: readonly string[],
  without: readonly string[] = [],
): Uint8Array {
  const kept = Object.entries(metadata(labels)).filter(([key]) => !without.includes(key));
  const pieces = [...ggufBytes(Object.fromEntries(kept), tensors(labels.length))];
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}
