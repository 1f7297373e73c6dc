import { sha256OfFile } from "../../files/atomic.ts";
import { BatchMemory, openContext } from "../llama/context.ts";
import { turns } from "../llama/engine.ts";
import { type GgufModel, loadGgufModel, modelVocabulary } from "../llama/gguf_model.ts";
import { cString } from "../llama/library.ts";
import type { GgufTensor, GgufValue, Tensor } from "../llama/weights.ts";
import { isOfEmbeddings, minilmMetadata, renamed, TENSOR_NAMES } from "./minilm.ts";

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

/** llama.cpp's number for the classification head over the first token. */
const CLASSIFICATION = 4;

/** Opens a cross-encoder's GGUF file. Throws as `loadGgufModel`; {SyntaxError} without a head. */
export async function openCrossEncoder(
  path: string,
  { threads }: { readonly threads: number },
): Promise<CrossEncoder> {
  using opened = new DisposableStack();
  const model = opened.use(await loadGgufModel(path));
  const { symbols, version } = model.library;
  const longest = positiveNumber(model, LONGEST);
  const temperature = positiveNumber(model, TEMPERATURE);
  const labels = labelsOf(model);
  const shape = { contextTokens: longest, batchTokens: longest, outputs: longest, sequences: 1 };
  // Pairs side by side, each on one thread: so little is to be computed of one that threads would wait
  // for each other.
  const lanes = Array.from({ length: threads }, () => {
    const own = { pooling: CLASSIFICATION, embeddings: 1 };
    const context = openContext(model, { ...shape, threads: 1 }, own);
    opened.defer(() => symbols.llama_free(context));
    return { context, memory: new BatchMemory(longest, 1), waiting: 0, ...turns() };
  });
  const vocabulary = modelVocabulary(model);
  const kept = opened.move();
  return {
    labels,
    temperature,
    longest,
    first: symbols.llama_vocab_bos(model.vocabulary),
    separator: symbols.llama_vocab_sep(model.vocabulary),
    settings: { engine: version, threads, longest, temperature, weightsSha256: sha256OfFile(path) },
    tokenise: (text) => vocabulary.tokenise(text),
    logits(ids) {
      const lane = lanes.reduce((least, one) => one.waiting < least.waiting ? one : least);
      lane.waiting += 1;
      return lane.take(async () => {
        const { context, memory } = lane;
        const cannot = `Cannot classify ${ids.length} tokens`;
        if (ids.length > longest) {
          throw new RangeError(`${cannot}: ${path} reads at most ${longest}`);
        }
        const batch = memory.fill(
          ids.map((token, position) => ({ token, position, sequences: [0], output: true })),
        );
        const status = await symbols.llama_encode(context, batch);
        const pointer = status === 0 ? symbols.llama_get_embeddings_seq(context, 0) : null;
        if (pointer === null) {
          throw new RangeError(`${cannot} with ${path}: llama.cpp answered ${status}`);
        }
        // The head's output is the library's own memory and is copied.
        const bytes = labels.length * Float32Array.BYTES_PER_ELEMENT;
        return [...new Float32Array(Deno.UnsafePointerView.getArrayBuffer(pointer, bytes))];
      }).finally(() => lane.waiting -= 1);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(lanes.map(({ idle }) => idle()));
      kept.dispose();
    },
  };
}

function positiveNumber({ library: { symbols }, handle, path }: GgufModel, key: string): number {
  const bytes = new Uint8Array(256);
  const length = symbols.llama_model_meta_val_str(handle, cString(key), bytes, 256n);
  const value = Number(new TextDecoder().decode(bytes.subarray(0, Math.max(0, length))));
  if (Number.isFinite(value) && value > 0) return value;
  throw new SyntaxError(
    `Cannot open the cross-encoder ${path}: its ${key} is missing or not over 0. Make it ` +
      "with deno task train network",
  );
}

function labelsOf({ library: { symbols }, handle, path }: GgufModel): readonly string[] {
  return Array.from({ length: symbols.llama_model_n_cls_out(handle) }, (_, index) => {
    const pointer = symbols.llama_model_cls_label(handle, index);
    if (pointer !== null) return Deno.UnsafePointerView.getCString(pointer);
    throw new SyntaxError(`Cannot open the cross-encoder ${path}: its labels have no names`);
  });
}

/** Keys of what a cross-encoder's file says besides what llama.cpp reads. */
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
    "bert.classifier.output_labels": { type: "texts", value: labels },
    "tokenizer.ggml.bos_token_id": token("[CLS]"),
    // Spelt so in the format.
    "tokenizer.ggml.seperator_token_id": token("[SEP]"),
    "tokenizer.ggml.unknown_token_id": token("[UNK]"),
    [LONGEST]: { type: "u32", value: longest },
    // As text: llama.cpp gives floats with six decimals.
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

/** A fine-tuned MiniLM's tensors, head included, for llama.cpp. @throws {SyntaxError} */
export const crossEncoderTensors = (tensors: ReadonlyMap<string, Tensor>): readonly GgufTensor[] =>
  TRAINED_NAMES.map(([from, to]) => renamed(tensors, from, to));

/**
 * The other way about: what a network was trained to, as a training goes on from it. Its embeddings
 * stay out: they are the published ones. @throws {SyntaxError} for another network's tensors.
 */
export function trainedTensors(
  shown: string,
  tensors: ReadonlyMap<string, GgufTensor>,
): readonly Tensor[] {
  return TRAINED_NAMES.filter(([, name]) => !isOfEmbeddings({ name })).map(([to, from]) => {
    const tensor = tensors.get(from);
    if (tensor !== undefined) return { ...tensor, name: to };
    throw new SyntaxError(`Cannot train on from ${shown}: it has no tensor ${from}`);
  });
}
