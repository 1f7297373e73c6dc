import type { CrossEncoder } from "../../../models/encoder/cross_encoder.ts";
import type { SentenceEncoder } from "../../../models/encoder/network_encoder.ts";
import { type Graph, onnxFile } from "../../../models/encoder/bert_network.ts";
import { wordPieceModel } from "../../../models/encoder/word_pieces.ts";
import { VERDICT_LABELS } from "../../types.ts";

/**
 * An NLI network small enough to compute by hand. Each word of the premise adds its row to the
 * logits; words of the hypothesis add nothing. `tells` supports and `denies` contradicts.
 */
const PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tells", "denies", "."] as const;

/** Logits of each word: contradiction, entailment, neutral. */
const ROWS: Readonly<Record<string, readonly number[]>> = { tells: [0, 2, 0], denies: [3, 0, 0] };
const LABELS = { 0: "CONTRADICTION", 1: "entailment", 2: "Neutral" };

/** Maximum number of tokens of a pair: 3 special ones, and 9 words and stops. */
const MAX_TOKENS = 12;

function rows(labels: number, factor: number): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    PIECES.flatMap((piece) => Array.from({ length: labels }, (_, at) => ROWS[piece]?.[at] ?? 0)),
    (value) => value * factor,
  );
}

const SUM = { type: "ReduceSum", attributes: { keepdims: 0 } };

/** Graph of logits = Σ row(word) · attention · (1 − segment). */
function graphOf(labels: number, factor: number): Graph {
  const places = ["batch", "length"];
  const input = (name: string) => ({ name, type: "int64", dimensions: places }) as const;
  return {
    operations: [
      { type: "Gather", inputs: ["rows", "input_ids"], output: "row" },
      { type: "Sub", inputs: ["attention_mask", "token_type_ids"], output: "premise" },
      { type: "Cast", inputs: ["premise"], output: "weight", attributes: { to: 1 } },
      { type: "Unsqueeze", inputs: ["weight", "last"], output: "weights" },
      { type: "Mul", inputs: ["row", "weights"], output: "seen" },
      { ...SUM, inputs: ["seen", "length_axis"], output: "logits" },
    ],
    constants: [
      { name: "rows", dimensions: [PIECES.length, labels], values: rows(labels, factor) },
      { name: "last", dimensions: [1], values: BigInt64Array.of(2n) },
      { name: "length_axis", dimensions: [1], values: BigInt64Array.of(1n) },
    ],
    inputs: [input("input_ids"), input("attention_mask"), input("token_type_ids")],
    output: { name: "logits", type: "float", dimensions: ["batch", labels] },
  };
}

const AS_IT_IS = { single_word: false, lstrip: false, rstrip: false, normalized: false };

function tokeniserFile() {
  const special = (piece: string, type: number) => ({ SpecialToken: { id: piece, type_id: type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  const named = ["[CLS]", "[SEP]"].map((piece) => {
    const id = PIECES.indexOf(piece as typeof PIECES[number]);
    return [piece, { id: piece, ids: [id], tokens: [piece] }] as const;
  });
  const single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)];
  const added = PIECES.slice(0, 4).map((content, id) => ({ id, content, special: true }));
  return {
    version: "1.0",
    added_tokens: added.map((token) => ({ ...token, ...AS_IT_IS })),
    normalizer: null,
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: [...single, sequence("B", 1), special("[SEP]", 1)],
      special_tokens: Object.fromEntries(named),
    },
    decoder: null,
    model: wordPieceModel(PIECES),
  };
}

/** Files of an NLI model's folder, by path. */
export function tinyNliFiles(
  labels: Readonly<Record<string, string>> = LABELS,
): ReadonlyMap<string, Uint8Array> {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const count = Object.keys(labels).length;
  const tokens = ["pad", "unk", "cls", "sep"].map((kind, at) => [`${kind}_token`, PIECES[at]]);
  const named = { tokenizer_class: "BertTokenizer", ...Object.fromEntries(tokens) };
  const settings = { ...named, model_max_length: MAX_TOKENS };
  return new Map([
    ["config.json", json({ model_type: "bert", vocab_size: PIECES.length, id2label: labels })],
    ["tokenizer.json", json(tokeniserFile())],
    ["tokenizer_config.json", json(settings)],
    ["onnx/model.onnx", onnxFile(graphOf(count, 1))],
    ["onnx/model_quantized.onnx", onnxFile(graphOf(count, 1.01))],
  ]);
}

/** A scripted encoder of two-dimensional sentence vectors. */
export function fakeEncoder(
  vectorOf: (text: string) => readonly [number, number],
  name = "animals",
): SentenceEncoder {
  return {
    name,
    settings: {},
    dimensions: 2,
    encode: (texts) => Promise.resolve(texts.map((text) => Float32Array.from(vectorOf(text)))),
    clear: () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Token ids of a text: the letter count of each word. */
export const lengthsOf = (text: string): readonly number[] =>
  text.split(/\s+/u).filter((word) => word !== "").map(({ length }) => length);

/**
 * A scripted cross-encoder with a limit of 50 tokens that records its inputs. Tokens are {@link
 * lengthsOf}.
 */
export function scriptedNetwork(
  logitsOf: (ids: readonly number[]) => readonly number[],
  { labels = VERDICT_LABELS }: { readonly labels?: readonly string[] } = {},
) {
  const seen: (readonly number[])[] = [];
  const network: CrossEncoder = {
    labels,
    temperature: 2,
    first: 101,
    separator: 102,
    longest: 50,
    settings: { weightsSha256: "ab" },
    tokenise: lengthsOf,
    logits(ids) {
      seen.push(ids);
      return Promise.resolve(logitsOf(ids));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { network, seen };
}
