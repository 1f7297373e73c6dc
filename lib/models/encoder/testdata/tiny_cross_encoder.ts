import { ggufBytes, type GgufTensor, type GgufValue } from "../../llama/weights.ts";
import { crossEncoderMetadata } from "../cross_encoder.ts";

/**
 * Tokens of a cross-encoder small enough to be computed by hand.
 *
 * One block: its attention weighs all tokens equally and adds their mean, its feed-forward part
 * adds nothing, and its head reads how far `[CLS]` was drawn towards `tells` and `denies`. Vectors
 * are four numbers repeated.
 */
const PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tells", "denies", "claim", "."] as const;
const WIDTH = 32;
const LONGEST = 40;

/** Components of mean 0 and variance 1, which the first normalisation leaves unchanged. */
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

const identity = Array.from({ length: WIDTH ** 2 }, (_, at) => at % (WIDTH + 1) === 0 ? 1 : 0);
const zeros = (size: number) => Array<number>(size).fill(0);
const wide = (four: readonly number[]) => Array.from({ length: WIDTH }, (_, at) => four[at % 4]!);
const only = (place: number) => Array.from({ length: WIDTH }, (_, at) => Number(at === place));

function tensor(name: string, shape: readonly number[], values: readonly number[]): GgufTensor {
  return { name, type: "F32", shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

const layer = (name: string, values: readonly number[]) => [
  tensor(`${name}.weight`, values.length === WIDTH ? [WIDTH] : [WIDTH, WIDTH], values),
  tensor(`${name}.bias`, [WIDTH], zeros(WIDTH)),
];

function tensors(labels: number): readonly GgufTensor[] {
  const [none, ones] = [zeros(WIDTH * WIDTH), Array<number>(WIDTH).fill(1)];
  // Third component: tells; fourth: denies.
  const output = [...only(2), ...only(3), ...zeros(WIDTH * labels)];
  const vectors = PIECES.flatMap((piece) => wide(VECTORS[piece] ?? NEUTRAL));
  const block = (values: readonly number[], ...names: readonly string[]) =>
    names.flatMap((name) => layer(`blk.0.${name}`, values));
  return [
    tensor("token_embd.weight", [PIECES.length, WIDTH], vectors),
    tensor("position_embd.weight", [LONGEST, WIDTH], zeros(LONGEST * WIDTH)),
    tensor("token_types.weight", [2, WIDTH], zeros(2 * WIDTH)),
    ...layer("token_embd_norm", ones),
    ...block(none, "attn_q", "attn_k", "ffn_up", "ffn_down"),
    ...block(identity, "attn_v", "attn_output"),
    ...block(ones, "attn_output_norm", "layer_output_norm"),
    ...layer("cls", identity),
    tensor("cls.output.weight", [labels, WIDTH], output.slice(0, labels * WIDTH)),
    tensor("cls.output.bias", [labels], zeros(labels)),
  ];
}

/** Contents of the tiny network's file. */
export function tinyNetwork(labels: readonly string[]) {
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const metadata: Readonly<Record<string, GgufValue>> = {
    ...crossEncoderMetadata(PIECES, { name: "tiny", labels, longest: LONGEST, temperature: 0.5 }),
    "bert.context_length": u32(LONGEST),
    "bert.embedding_length": u32(WIDTH),
    "bert.feed_forward_length": u32(WIDTH),
    "bert.block_count": u32(1),
    "bert.attention.head_count": u32(1),
  };
  return { metadata, tensors: tensors(labels.length) };
}

export function tinyCrossEncoder(
  labels: readonly string[],
  without: readonly string[] = [],
): Uint8Array {
  const { metadata, tensors } = tinyNetwork(labels);
  const kept = Object.entries(metadata).filter(([key]) => !without.includes(key));
  const pieces = [...ggufBytes(Object.fromEntries(kept), tensors)];
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}
