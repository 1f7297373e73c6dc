import { ggufBytes, type GgufTensor, type GgufValue } from "../weights.ts";

const WIDTH = 32;
const VOCABULARY = 8;

/** Numbers without meaning, of which no two are alike. */
function tensor(name: string, shape: readonly number[]): GgufTensor {
  const size = shape.reduce((product, length) => product * length, 1);
  const values = Float32Array.from({ length: size }, (_, at) => Math.sin(at + name.length));
  return { name, type: "F32", shape, bytes: new Uint8Array(values.buffer) };
}

/** A model of one block that llama.cpp loads, without a tokeniser: for what contexts and files do. */
export function tinyLlama(): Uint8Array {
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const metadata: Readonly<Record<string, GgufValue>> = {
    "general.architecture": { type: "text", value: "llama" },
    "llama.context_length": u32(4096),
    "llama.embedding_length": u32(WIDTH),
    "llama.feed_forward_length": u32(WIDTH),
    "llama.block_count": u32(1),
    "llama.attention.head_count": u32(1),
    "llama.attention.layer_norm_rms_epsilon": { type: "f32", value: 1e-5 },
    "llama.vocab_size": u32(VOCABULARY),
    "tokenizer.ggml.model": { type: "text", value: "none" },
  };
  const squares = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"];
  const tensors = [
    tensor("token_embd.weight", [VOCABULARY, WIDTH]),
    tensor("output_norm.weight", [WIDTH]),
    tensor("output.weight", [VOCABULARY, WIDTH]),
    tensor("blk.0.attn_norm.weight", [WIDTH]),
    tensor("blk.0.ffn_norm.weight", [WIDTH]),
    ...squares.map((name) => tensor(`blk.0.${name}.weight`, [WIDTH, WIDTH])),
  ];
  return Uint8Array.from([...ggufBytes(metadata, tensors)].flatMap((piece) => [...piece]));
}
