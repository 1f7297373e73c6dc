import { writeGguf } from "../weights.ts";

const [WIDTH, INNER, VALUES, BLOCKS] = [32, 64, 16, 2];

/**
 * Tokens: printable ASCII (the space as in GPT-2) and two merges; no other bytes and no start
 * token.
 */
const WORDS = [
  "<|endoftext|>",
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)),
  ..."Ġ th the".split(" "),
];

/** Tokens in SentencePiece's form, which adds a space before every text. */
const PIECES = ["<unk>", "<s>", "</s>", ...WORDS.slice(1, 95), "▁", "▁a", "▁b"];
/**
 * Byte tokens, without which llama.cpp would end the process at a letter outside the vocabulary.
 */
const BYTES = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);

/** Arbitrary numbers, the same as in `tiny_qwen2.py`. */
function numbers(tensor: number, size: number, around: number): Uint8Array {
  const values = Float32Array.from({ length: size }, (_, at) => {
    let x = Math.imul(at + 1 + 7919 * tensor, 2654435761) >>> 0;
    x = Math.imul(x ^ (x >>> 15), 2246822519) >>> 0;
    return around + (((x ^ (x >>> 13)) >>> 0) / 2 ** 32 - 0.5) * 0.6;
  });
  return new Uint8Array(values.buffer);
}

/** Writes a Qwen2 model of 98 kB for llama.cpp, optionally with a chat template. */
export function writeTinyQwen2(
  path: string,
  { pieces = false, bytes = true, template, architecture = "qwen2" }: {
    readonly pieces?: boolean;
    /** True to include one token per byte. */
    readonly bytes?: boolean;
    readonly template?: string;
    readonly architecture?: string;
  } = {},
): void {
  const words = pieces ? [...PIECES, ...bytes ? BYTES : []] : WORDS;
  const block = (n: number) =>
    [
      ["attn_norm.weight", [WIDTH]],
      ["attn_q.weight", [WIDTH, WIDTH]],
      ["attn_q.bias", [WIDTH]],
      ["attn_k.weight", [VALUES, WIDTH]],
      ["attn_k.bias", [VALUES]],
      ["attn_v.weight", [VALUES, WIDTH]],
      ["attn_v.bias", [VALUES]],
      ["attn_output.weight", [WIDTH, WIDTH]],
      ["ffn_norm.weight", [WIDTH]],
      ["ffn_gate.weight", [INNER, WIDTH]],
      ["ffn_up.weight", [INNER, WIDTH]],
      ["ffn_down.weight", [WIDTH, INNER]],
    ].map(([name, shape]) => [`blk.${n}.${name}`, shape] as [string, number[]]);
  const shapes: [string, number[]][] = [
    ["token_embd.weight", [words.length, WIDTH]],
    ["output_norm.weight", [WIDTH]],
    ["output.weight", [words.length, WIDTH]],
    ...Array.from({ length: BLOCKS }, (_, n) => block(n)).flat(),
  ];
  const tensors = shapes.map(([name, shape], at) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const bytes = numbers(at, size, name.includes("norm") ? 1 : 0);
    return { name, type: "F32" as const, shape, bytes };
  });
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const text = (value: string) => ({ type: "text", value }) as const;
  const own = Object.entries({
    context_length: u32(512),
    embedding_length: u32(WIDTH),
    feed_forward_length: u32(INNER),
    block_count: u32(BLOCKS),
    "attention.head_count": u32(4),
    "attention.head_count_kv": u32(2),
    "attention.layer_norm_rms_epsilon": { type: "f32", value: 1e-6 } as const,
    "rope.freq_base": { type: "f32", value: 10_000 } as const,
  });
  writeGguf(path, {
    "general.architecture": text(architecture),
    ...Object.fromEntries(own.map(([name, value]) => [`${architecture}.${name}`, value])),
    "tokenizer.ggml.model": text(pieces ? "llama" : "gpt2"),
    ...pieces ? {} : { "tokenizer.ggml.pre": text("qwen2") },
    "tokenizer.ggml.tokens": { type: "texts", value: words },
    "tokenizer.ggml.merges": { type: "texts", value: ["t h", "th e"] },
    ...pieces ? { "tokenizer.ggml.unknown_token_id": u32(0) } : {},
    "tokenizer.ggml.eos_token_id": u32(pieces ? 2 : 0),
    "tokenizer.ggml.add_bos_token": { type: "bool", value: false },
    ...template === undefined ? {} : { "tokenizer.chat_template": text(template) },
  }, tensors);
}
