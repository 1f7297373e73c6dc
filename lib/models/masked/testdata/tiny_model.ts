import { type Graph, onnxFile } from "./onnx_file.ts";
import { TINY_SPECIAL, type TinyTokeniser, tokeniserFiles } from "./tiny_tokeniser.ts";

export const TINY_SIZE = 9;
const [A, B, JOINED_B] = [5, 6, 8];

/** By how much a token to the left (any number of places away) makes another more probable. */
const LEFT: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  // The start forbids special tokens: e^-100 of a chance is none.
  [TINY_SPECIAL.start]: Object.fromEntries([0, 1, 2, 3, 4].map((id) => [id, Math.exp(-100)])),
  [A]: { [JOINED_B]: 3 },
  [B]: { [A]: 2 },
  [JOINED_B]: { [B]: 2 },
};

/** The same of a token to the right. */
const RIGHT: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  [TINY_SPECIAL.end]: { [B]: 2 },
  [B]: { [A]: 4 },
  [JOINED_B]: { [A]: 5 },
};

/**
 * The model by hand: P(x) is proportional to the product of the factors of all tokens seen. `ab b`
 * is a, ##b, b between start and end. With one token masked at a time:
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

/** Rows of log-factors, one a token seen, as wide as the vocabulary. */
function logFactors(factors: typeof LEFT): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    { length: TINY_SIZE * TINY_SIZE },
    (_, at) => Math.log(factors[Math.floor(at / TINY_SIZE)]?.[at % TINY_SIZE] ?? 1),
  );
}

/** Sums of the rows of all unpadded tokens on one side of each place. */
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

/** @param output its name; a network that predicts tokens calls it `logits`. */
const graphOf = (output: string): Graph => ({
  operations: [
    { type: "Cast", inputs: ["attention_mask"], output: "mask", attributes: { to: 1 } },
    { type: "Unsqueeze", inputs: ["mask", "last"], output: "seen" },
    ...sumsOfSide("left"),
    ...sumsOfSide("right"),
    { type: "Add", inputs: ["left_sums", "right_sums"], output },
  ],
  constants: [
    { name: "left", dimensions: TABLE, values: logFactors(LEFT) },
    { name: "right", dimensions: TABLE, values: logFactors(RIGHT) },
    { name: "axis", dimensions: [], values: BigInt64Array.of(1n) },
    { name: "last", dimensions: [1], values: BigInt64Array.of(2n) },
  ],
  inputs: [
    { name: "input_ids", type: "int64", dimensions: PLACES },
    { name: "attention_mask", type: "int64", dimensions: PLACES },
  ],
  output: { name: output, type: "float", dimensions: [...PLACES, TINY_SIZE] },
});

export function tinyLogits(rows: readonly (readonly number[])[]): Float32Array {
  const [left, right] = [logFactors(LEFT), logFactors(RIGHT)];
  const logit = (row: readonly number[], at: number, token: number) =>
    row.reduce((sum, seen, place) => {
      if (place === at) return sum;
      return sum + (place < at ? left : right)[seen * TINY_SIZE + token]!;
    }, 0);
  const tokens = Array.from({ length: TINY_SIZE }, (_, token) => token);
  return Float32Array.from(
    rows.flatMap((row) => row.flatMap((_, at) => tokens.map((token) => logit(row, at, token)))),
  );
}

/** The files of a model's folder, by path, that transformers.js opens as a BERT. */
export function tinyModelFiles(
  tokeniser: TinyTokeniser,
  output = "logits",
): ReadonlyMap<string, Uint8Array> {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const { vocabulary, settings } = tokeniserFiles(tokeniser);
  return new Map([
    ["config.json", json({ model_type: "bert", vocab_size: TINY_SIZE })],
    ["tokenizer.json", json(vocabulary)],
    ["tokenizer_config.json", json(settings)],
    ["onnx/model.onnx", onnxFile(graphOf(output))],
  ]);
}
