import { sha256OfFile } from "../../files/checksum.ts";
import { BatchMemory } from "../llama/batch_memory.ts";
import { type GgufModel, loadGgufModel } from "../llama/gguf_model.ts";
import { cString } from "../llama/library.ts";
import { openContext } from "../llama/open_context.ts";
import { modelVocabulary } from "../llama/vocabulary.ts";
import { CROSS_ENCODER_KEYS } from "./cross_encoder_gguf.ts";

/** A network that reads two texts at once and says how their labels stand, in one file. */
export interface CrossEncoder extends AsyncDisposable {
  /** In the order of the logits. */
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
  /**
   * A logit a label, before the temperature.
   * @throws {RangeError} for more tokens than `longest`.
   */
  logits(ids: readonly number[]): Promise<readonly number[]>;
}

/** llama.cpp's number for the classification head over the first token. */
const CLASSIFICATION = 4;

/** A metadata value as text; undefined where the file has none of that key. */
function metadataText({ library, handle }: GgufModel, key: string): string | undefined {
  const bytes = new Uint8Array(256);
  const length = library.symbols.llama_model_meta_val_str(
    handle,
    cString(key),
    bytes,
    BigInt(bytes.length),
  );
  return length < 0 ? undefined : new TextDecoder().decode(bytes.subarray(0, length));
}

function positiveNumber(model: GgufModel, key: string): number {
  const value = Number(metadataText(model, key));
  if (Number.isFinite(value) && value > 0) return value;
  throw new SyntaxError(
    `Cannot open the cross-encoder ${model.path}: its ${key} is missing or not over 0. Make it ` +
      "with deno task finetune",
  );
}

function labelsOf({ library: { symbols }, handle, path }: GgufModel): readonly string[] {
  const count = symbols.llama_model_n_cls_out(handle);
  return Array.from({ length: count }, (_, index) => {
    const pointer = symbols.llama_model_cls_label(handle, index);
    if (pointer !== null) return Deno.UnsafePointerView.getCString(pointer);
    throw new SyntaxError(`Cannot open the cross-encoder ${path}: its labels have no names`);
  });
}

/** Evaluates one pair; the head's output is the library's own memory and is copied. */
async function evaluate(
  { library: { symbols }, path }: GgufModel,
  context: Deno.PointerObject,
  memory: BatchMemory,
  ids: readonly number[],
  labels: number,
): Promise<readonly number[]> {
  const batch = ids.map((token, position) => ({ token, position, sequences: [0], output: true }));
  const status = await symbols.llama_encode(context, memory.fill(batch));
  const pointer = status === 0 ? symbols.llama_get_embeddings_seq(context, 0) : null;
  if (pointer === null) {
    throw new RangeError(
      `Cannot classify ${ids.length} tokens with ${path}: llama.cpp answered ${status}`,
    );
  }
  const bytes = labels * Float32Array.BYTES_PER_ELEMENT;
  return [...new Float32Array(Deno.UnsafePointerView.getArrayBuffer(pointer, bytes))];
}

/** One evaluation after the other: a context reads one thing at a time. */
function inTurn<Input, Output>(
  work: (input: Input) => Promise<Output>,
): { run(input: Input): Promise<Output>; idle(): Promise<unknown> } {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    run(input) {
      const result = turn.then(() => work(input));
      turn = result.catch(() => undefined);
      return result;
    },
    idle: () => turn,
  };
}

/**
 * Opens a cross-encoder's GGUF file under llama.cpp, through FFI: network, head, labels, vocabulary
 * and temperature are all in it. Needs `--allow-ffi` and `--allow-read`.
 *
 * @throws What `loadGgufModel` throws; {SyntaxError} where the file has no head or no settings.
 */
export async function openCrossEncoder(
  path: string,
  { threads }: { readonly threads: number },
): Promise<CrossEncoder> {
  using opened = new DisposableStack();
  const model = opened.use(await loadGgufModel(path));
  const { symbols, version } = model.library;
  const [longest, temperature] = [
    positiveNumber(model, CROSS_ENCODER_KEYS.longest),
    positiveNumber(model, CROSS_ENCODER_KEYS.temperature),
  ];
  const labels = labelsOf(model);
  const context = openContext(
    model,
    { contextTokens: longest, batchTokens: longest, outputs: longest, sequences: 1, threads },
    { pooling: CLASSIFICATION, embeddings: 1 },
  );
  const memory = new BatchMemory(longest, 1);
  const vocabulary = modelVocabulary(model);
  const { run, idle } = inTurn((ids: readonly number[]) =>
    evaluate(model, context, memory, ids, labels.length)
  );
  const kept = opened.move();
  return {
    ...{ labels, temperature, longest },
    first: symbols.llama_vocab_bos(model.vocabulary),
    separator: symbols.llama_vocab_sep(model.vocabulary),
    settings: { engine: version, threads, longest, temperature, weightsSha256: sha256OfFile(path) },
    tokenise: (text) => vocabulary.tokenise(text),
    logits(ids) {
      if (ids.length <= longest) return run(ids);
      const words = `Cannot classify ${ids.length} tokens: ${path} reads at most ${longest}`;
      return Promise.reject(new RangeError(words));
    },
    async [Symbol.asyncDispose]() {
      await idle();
      symbols.llama_free(context);
      kept.dispose();
    },
  };
}
