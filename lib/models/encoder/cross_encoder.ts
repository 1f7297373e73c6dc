import { env, InferenceSession, Tensor } from "onnxruntime-node";
import { sha256Hex, shownPath } from "../../files/atomic.ts";
import { type GgufTensor, type GgufValue, readGguf } from "../llama/weights.ts";
import type { Tensor as TrainedTensor } from "../llama/weights.ts";
import { isOfEmbeddings, minilmMetadata, renamed, TENSOR_NAMES } from "./minilm.ts";
import { type Constant, type Graph, onnxFile, type Operation } from "./onnx_file.ts";
import { readVocabulary, wordPieces } from "./word_pieces.ts";

/** A network that reads two texts at once and says how their labels stand, in one file. */
export interface CrossEncoder extends AsyncDisposable {
  readonly labels: readonly string[];
  /** What logits are divided by, > 0. */
  readonly temperature: number;
  /** `[CLS]` and `[SEP]`. */
  readonly first: number;
  readonly separator: number;
  /** Most tokens of a pair, special ones included. */
  readonly longest: number;
  /** File hash, engine, threads: whatever could change a logit. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  tokenise(text: string): readonly number[];
  /** A logit a label, before the temperature. @throws {RangeError} for more tokens than `longest`. */
  logits(ids: readonly number[]): Promise<readonly number[]>;
}

/** GGUF's number for a head over the first token. */
const CLASSIFICATION = 4;

const TOKENS = "tokenizer.ggml.tokens";
const LABELS = "bert.classifier.output_labels";

/**
 * Opens a cross-encoder's GGUF file. onnxruntime computes it, in 32-bit floats: three to four times
 * as quick as llama.cpp, whose kernels are made for single tokens.
 * @throws {Deno.errors.NotFound} without the file; {SyntaxError} where it is torn or lacks a setting.
 */
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
      `Cannot open the cross-encoder ${shown}: ${what}. Make it with deno task train network`,
    );
  const positive = (key: string) => {
    const value = Number(metadata[key]?.value);
    if (Number.isFinite(value) && value > 0) return value;
    throw lacks(`its ${key} is missing or not over 0`);
  };
  const texts = (key: string) => {
    const entry = metadata[key];
    if (entry?.type === "texts") return entry.value;
    throw lacks(`its ${key} is missing`);
  };
  const longest = positive(LONGEST);
  const temperature = positive(TEMPERATURE);
  const labels = texts(LABELS);
  const vocabulary = readVocabulary(texts(TOKENS).map(asWordPiece).join("\n"));
  const graph = crossEncoderGraph(tensors, {
    blocks: positive("bert.block_count"),
    heads: positive("bert.attention.head_count"),
    epsilon: positive("bert.attention.layer_norm_epsilon"),
    lacks,
  });
  const session = await InferenceSession.create(onnxFile(graph), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads that spin while they wait take the processor from whatever else runs.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  const engine = `onnxruntime ${env.versions.node}`;
  return {
    labels,
    temperature,
    longest,
    first: vocabulary.first,
    separator: vocabulary.last,
    settings: { engine, threads, longest, temperature, weightsSha256: sha256Hex(bytes) },
    tokenise: (text) => wordPieces(text, vocabulary).map(({ id }) => id),
    async logits(ids) {
      if (ids.length > longest) {
        throw new RangeError(
          `Cannot classify ${ids.length} tokens: ${shown} reads at most ${longest}`,
        );
      }
      const row = (values: readonly number[]) =>
        new Tensor("int64", BigInt64Array.from(values, BigInt), [ids.length]);
      const { logits } = await session.run({ ids: row(ids), places: row([...ids.keys()]) });
      return [...(logits!.data as Float32Array)];
    },
    [Symbol.asyncDispose]: () => session.release(),
  };
}

/** GGUF marks the beginnings of words where WordPiece marks what continues one. */
const asWordPiece = (token: string) =>
  /^\[.*\]$/.test(token) ? token : token.startsWith("▁") ? token.slice(1) : `##${token}`;

/**
 * BERT (Devlin et al. 2018) on one row of tokens, all of type 0, with a head over the first: `ids` and
 * `places` [T] to `logits` [labels].
 */
function crossEncoderGraph(
  tensors: ReadonlyMap<string, GgufTensor>,
  { blocks, heads, epsilon, lacks }: {
    readonly blocks: number;
    readonly heads: number;
    readonly epsilon: number;
    readonly lacks: (what: string) => Error;
  },
): Graph {
  const operations: Operation[] = [];
  const constants: Constant[] = [
    { name: "zero", dimensions: [1], values: BigInt64Array.of(0n) },
    { name: "one", dimensions: [1], values: BigInt64Array.of(1n) },
  ];
  const compute = (
    type: string,
    inputs: readonly string[],
    options: Pick<Operation, "attributes" | "isFused"> = {},
  ) => {
    const output = `${type} ${operations.length}`;
    operations.push({ type, inputs, output, ...options });
    return output;
  };
  const weights = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw lacks(`it has no tensor ${name}`);
    constants.push({ name, dimensions: tensor.shape, values: floatsOf(tensor) });
    return name;
  };
  const both = (layer: string) => [weights(`${layer}.weight`), weights(`${layer}.bias`)];
  const linear = (input: string, layer: string) =>
    compute("Gemm", [input, ...both(layer)], { attributes: { transB: 1 } });
  const normalised = (input: string, layer: string) =>
    compute("LayerNormalization", [input, ...both(layer)], { attributes: { axis: 1, epsilon } });
  const looked = (table: string, places: string) =>
    compute("Gather", [weights(`${table}.weight`), places]);

  const embedded = [
    looked("token_embd", "ids"),
    looked("position_embd", "places"),
    looked("token_types", "zero"),
  ].reduce((sum, each) => compute("Add", [sum, each]));
  let rows = normalised(embedded, "token_embd_norm");
  for (let block = 0; block < blocks; block++) {
    const layer = (name: string) => `blk.${block}.${name}`;
    const parts = ["attn_q", "attn_k", "attn_v"]
      .map((name) => compute("Unsqueeze", [linear(rows, layer(name)), "zero"]));
    const attended = compute("MultiHeadAttention", parts, {
      attributes: { num_heads: heads },
      isFused: true,
    });
    const drawn = linear(compute("Squeeze", [attended, "zero"]), layer("attn_output"));
    rows = normalised(compute("Add", [rows, drawn]), layer("attn_output_norm"));
    // GELU by tanh, as the network was trained with.
    const raised = compute("FastGelu", [linear(rows, layer("ffn_up"))], { isFused: true });
    const fed = compute("Add", [rows, linear(raised, layer("ffn_down"))]);
    rows = normalised(fed, layer("layer_output_norm"));
  }
  const first = compute("Slice", [rows, "zero", "one", "zero"]);
  const logits = linear(compute("Tanh", [linear(first, "cls")]), "cls.output");
  operations.push({ type: "Squeeze", inputs: [logits, "zero"], output: "logits" });
  const row = (name: string) => ({ name, type: "int64", dimensions: ["length"] }) as const;
  return {
    operations,
    constants,
    inputs: [row("ids"), row("places")],
    output: { name: "logits", type: "float", dimensions: ["labels"] },
  };
}

function floatsOf({ name, type, bytes }: GgufTensor): Float32Array {
  const { buffer } = bytes.slice();
  if (type === "F32") return new Float32Array(buffer);
  if (type === "F16") return new Float32Array(new Float16Array(buffer));
  throw new SyntaxError(`Cannot open a cross-encoder with the tensor ${name} in ${type}`);
}

/** Keys of what a cross-encoder's file says besides what GGUF names. */
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
): readonly GgufTensor[] => TRAINED_NAMES.map(([from, to]) => renamed(tensors, from, to));

/**
 * The other way about: what a network was trained to, as a training goes on from it. Its embeddings
 * stay out: they are the published ones. @throws {SyntaxError} for another network's tensors.
 */
export function trainedTensors(
  shown: string,
  tensors: ReadonlyMap<string, GgufTensor>,
): readonly TrainedTensor[] {
  return TRAINED_NAMES.filter(([, name]) => !isOfEmbeddings({ name })).map(([to, from]) => {
    const tensor = tensors.get(from);
    if (tensor !== undefined) return { ...tensor, name: to };
    throw new SyntaxError(`Cannot train on from ${shown}: it has no tensor ${from}`);
  });
}
