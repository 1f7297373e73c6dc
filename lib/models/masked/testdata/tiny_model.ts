import { type Graph, onnxFile } from "../../encoder/bert_network.ts";
import { wordPieceModel } from "../../encoder/word_pieces.ts";

/** Vocabularies: special tokens, then letters that begin a word, then letters that continue one. */
const VOCABULARIES = {
  wordpiece: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b"],
  sentencepiece: ["<pad>", "<unk>", "<s>", "</s>", "<mask>", "▁a", "▁b", "a", "b"],
};
const TINY_SPECIAL = { pad: 0, unknown: 1, start: 2, end: 3, mask: 4 } as const;
const TINY_SIZE = 9;
const [A, B, JOINED_B] = [5, 6, 8];

/** Factor on a token's probability for each token to its left, at any distance. */
const LEFT: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  // The start forbids special tokens: e^-100 of a chance is none.
  [TINY_SPECIAL.start]: Object.fromEntries([0, 1, 2, 3, 4].map((id) => [id, Math.exp(-100)])),
  [A]: { [JOINED_B]: 3 },
  [B]: { [A]: 2 },
  [JOINED_B]: { [B]: 2 },
};

/** Factor on a token's probability for each token to its right, at any distance. */
const RIGHT: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  [TINY_SPECIAL.end]: { [B]: 2 },
  [B]: { [A]: 4 },
  [JOINED_B]: { [A]: 5 },
};

/**
 * Expected scores of `ab b`, computed by hand. The tokens are a, ##b, b between start and end. P(x)
 * is proportional to the product of the factors of all visible tokens. With one token masked at a
 * time:
 *
 * - a: 5 (##b) · 4 (b) = 20, b: 2 (end), ##a: 1, ##b: 1, so 20/24;
 * - ##b: 3 (a), a: 4 (b), b: 2 (end), ##a: 1, so 3/10;
 * - b: 2 (##b) · 2 (end) = 4, a: 1, ##a: 1, ##b: 3 (a), so 4/9.
 *
 * With ##b masked too, a is 4 (b) of 4 + 2 + 1 + 1, which is 1/2.
 */
export const TINY_TEXT = "ab b";
export const TINY_BY_HAND = {
  original: Math.log(20 / 24 * 3 / 10 * 4 / 9),
  within_word_l2r: Math.log(1 / 2 * 3 / 10 * 4 / 9),
} as const;

/** Log-factors as a matrix: one row per visible token, one column per token of the vocabulary. */
function logFactors(factors: typeof LEFT): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    { length: TINY_SIZE * TINY_SIZE },
    (_, at) => Math.log(factors[Math.floor(at / TINY_SIZE)]?.[at % TINY_SIZE] ?? 1),
  );
}

/** Sums the rows of all unpadded tokens on one side of each position. */
function sumsOfSide(side: "left" | "right") {
  return [
    { type: "Gather", inputs: [side, "input_ids"], output: `${side}_rows` },
    { type: "Mul", inputs: [`${side}_rows`, "seen"], output: `${side}_seen` },
    {
      type: "CumSum",
      inputs: [`${side}_seen`, "axis"],
      output: `${side}_sums`,
      attributes: { exclusive: 1, reverse: side === "left" ? 0 : 1 },
    },
  ];
}

const TABLE = [TINY_SIZE, TINY_SIZE];
const PLACES = ["batch", "length"];

const GRAPH: Graph = {
  operations: [
    { type: "Cast", inputs: ["attention_mask"], output: "mask", attributes: { to: 1 } },
    { type: "Unsqueeze", inputs: ["mask", "last"], output: "seen" },
    ...sumsOfSide("left"),
    ...sumsOfSide("right"),
    { type: "Add", inputs: ["left_sums", "right_sums"], output: "logits" },
  ],
  constants: [
    { name: "left", dimensions: TABLE, values: logFactors(LEFT) },
    { name: "right", dimensions: TABLE, values: logFactors(RIGHT) },
    { name: "axis", dimensions: [], values: BigInt64Array.of(1n) },
    { name: "last", dimensions: [1], values: BigInt64Array.of(2n) },
  ],
  inputs: ["input_ids", "attention_mask"]
    .map((name) => ({ name, type: "int64", dimensions: PLACES }) as const),
  output: { name: "logits", type: "float", dimensions: [...PLACES, TINY_SIZE] },
};

function tokeniserOf(kind: keyof typeof VOCABULARIES, pieces: readonly string[]) {
  const special = (id: number) => ({ SpecialToken: { id: pieces[id], type_id: 0 } });
  const named = (id: number) => ({ id: pieces[id], ids: [id], tokens: [pieces[id]] });
  const { start, end, mask, unknown } = TINY_SPECIAL;
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const vocab = pieces.map((piece, id) => [piece, id <= mask ? 0 : -1]);
  const metaspace = { replacement: "▁", prepend_scheme: "always", add_prefix_space: true };
  const isWordPiece = kind === "wordpiece";
  return {
    version: "1.0",
    added_tokens: Object.values(TINY_SPECIAL)
      .map((id) => ({ id, content: pieces[id], special: true, ...plain })),
    normalizer: null,
    pre_tokenizer: isWordPiece ? { type: "WhitespaceSplit" } : { type: "Metaspace", ...metaspace },
    post_processor: {
      type: "TemplateProcessing",
      single: [special(start), { Sequence: { id: "A", type_id: 0 } }, special(end)],
      pair: [],
      special_tokens: Object.fromEntries([start, end].map((id) => [pieces[id], named(id)])),
    },
    decoder: null,
    model: isWordPiece ? wordPieceModel(pieces) : { type: "Unigram", unk_id: unknown, vocab },
  };
}

/** Makes the files of a masked language model's folder, by path. */
export function tinyModelFiles(kind: keyof typeof VOCABULARIES): ReadonlyMap<string, Uint8Array> {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const pieces = VOCABULARIES[kind];
  const [pad_token, unk_token, , , mask_token] = pieces;
  const length = { tokenizer_class: "PreTrainedTokenizerFast", model_max_length: 16 };
  return new Map([
    ["config.json", json({ model_type: "bert", vocab_size: TINY_SIZE })],
    ["tokenizer.json", json(tokeniserOf(kind, pieces))],
    ["tokenizer_config.json", json({ ...length, unk_token, pad_token, mask_token })],
    ["onnx/model.onnx", onnxFile(GRAPH)],
  ]);
}
