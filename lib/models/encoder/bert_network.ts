/**
 * A BERT's weights, read from GGUF, under onnxruntime in 32-bit floats: three to four times as quick as
 * under llama.cpp, whose kernels are made for single tokens of large models.
 * @module
 */
import { Tensor } from "onnxruntime-node";
import { floatsOf, type readGguf } from "../llama/weights.ts";
import { type Constant, type Graph, ONNX_ENGINE, onnxFile, openOnnx } from "./onnx_file.ts";
import type { Operation } from "./onnx_file.ts";

/** What a GGUF file holds, and how to say what it lacks. */
type BertFile = ReturnType<typeof readGguf> & { readonly lacks: (what: string) => Error };

interface BertOptions {
  readonly threads: number;
  /** By the error function, as BERT was published, or by tanh. */
  readonly gelu: "Gelu" | "FastGelu";
  /** Linear layers over the first token, with tanh between them. */
  readonly head?: readonly [string, string];
}

/** A number over 0 of a file's metadata. @throws what `lacks` makes of one that is missing. */
export function positiveIn(
  { metadata, lacks }: Pick<BertFile, "metadata" | "lacks">,
  key: string,
): number {
  const value = Number(metadata[key]?.value);
  if (Number.isFinite(value) && value > 0) return value;
  throw lacks(`its ${key} is missing or not over 0`);
}

/** A network of which token types are all 0. */
interface BertNetwork extends AsyncDisposable {
  readonly engine: string;
  readonly dimensions: number;
  /** Sequences that do not see one another: token vectors by row, or the outputs of one. */
  run(sequences: readonly (readonly number[])[]): Promise<Float32Array>;
}

/** Opens the network. @throws what `lacks` makes, where a tensor or setting is missing. */
export async function openBert(file: BertFile, options: BertOptions): Promise<BertNetwork> {
  const positive = (key: string) => positiveIn(file, `bert.${key}`);
  const graph = bertGraph(file, options, {
    blocks: positive("block_count"),
    heads: positive("attention.head_count"),
    epsilon: positive("attention.layer_norm_epsilon"),
  });
  const session = await openOnnx(onnxFile(graph), options.threads);
  return {
    engine: ONNX_ENGINE,
    dimensions: positive("embedding_length"),
    async run(sequences) {
      const ids = sequences.flat();
      const places = sequences.flatMap((sequence) => [...sequence.keys()]);
      const row = (values: readonly number[]) =>
        new Tensor("int64", BigInt64Array.from(values, BigInt), [ids.length]);
      const seen = new Tensor("float32", seenBy(sequences), [1, 1, ids.length, ids.length]);
      const { rows } = await session.run({ ids: row(ids), places: row(places), seen });
      return rows!.data as Float32Array;
    },
    [Symbol.asyncDispose]: () => session.release(),
  };
}

/** For each token and each other 0 in the same sequence, else what leaves it no weight. */
function seenBy(sequences: readonly (readonly number[])[]): Float32Array {
  const NOTHING = -1e9;
  const count = sequences.reduce((sum, { length }) => sum + length, 0);
  const seen = new Float32Array(count ** 2).fill(sequences.length > 1 ? NOTHING : 0);
  let begin = 0;
  for (const { length } of sequences) {
    for (let row = begin; row < begin + length; row++) {
      seen.fill(0, row * count + begin, row * count + begin + length);
    }
    begin += length;
  }
  return seen;
}

/** BERT (Devlin et al. 2018): `ids`, `places` [T], `seen` [1, 1, T, T] to `rows` or the outputs. */
function bertGraph(
  { tensors, lacks }: BertFile,
  { gelu, head }: BertOptions,
  { blocks, heads, epsilon }: Readonly<Record<"blocks" | "heads" | "epsilon", number>>,
): Graph {
  const operations: Operation[] = [];
  // The runtime complains of one that nothing uses.
  const constants: Constant[] = (head ? ["zero", "one", "two"] : ["zero"]).map((name, at) => (
    { name, dimensions: [1], values: BigInt64Array.of(BigInt(at)) }
  ));
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
    // A head reads the first token alone: the last block makes no other.
    const first = (of: string, axis: string) =>
      head && block === blocks - 1 ? compute("Slice", [of, "zero", "one", axis]) : of;
    const asking = first(rows, "zero");
    const parts = ([[asking, "attn_q"], [rows, "attn_k"], [rows, "attn_v"]] as const)
      .map(([from, name]) => compute("Unsqueeze", [linear(from, layer(name)), "zero"]));
    // Between them are a bias and a mask, which are not used.
    const attended = compute("MultiHeadAttention", [...parts, "", "", first("seen", "two")], {
      attributes: { num_heads: heads },
      isFused: true,
    });
    const drawn = linear(compute("Squeeze", [attended, "zero"]), layer("attn_output"));
    rows = normalised(compute("Add", [asking, drawn]), layer("attn_output_norm"));
    const raised = compute(gelu, [linear(rows, layer("ffn_up"))], { isFused: true });
    const fed = compute("Add", [rows, linear(raised, layer("ffn_down"))]);
    rows = normalised(fed, layer("layer_output_norm"));
  }
  if (head) rows = linear(compute("Tanh", [linear(rows, head[0])]), head[1]);
  operations.push({ type: "Identity", inputs: [rows], output: "rows" });
  const row = (name: string) => ({ name, type: "int64", dimensions: ["tokens"] }) as const;
  return {
    operations,
    constants,
    inputs: [
      row("ids"),
      row("places"),
      { name: "seen", type: "float", dimensions: [1, 1, "tokens", "tokens"] },
    ],
    output: { name: "rows", type: "float", dimensions: ["rows", "width"] },
  };
}
