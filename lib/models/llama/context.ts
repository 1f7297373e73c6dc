import process from "node:process";
import type { SpareCores } from "./engine.ts";
import type { GgufModel } from "./gguf_model.ts";
import { CONTEXT_PARAMS, type LlamaLibrary, writeField } from "./library.ts";

interface ContextBounds {
  readonly contextTokens: number;
  readonly batchTokens: number;
  readonly sequences: number;
  readonly outputs: number;
  readonly threads: number;
}

/** Fields of `llama_context_params`, by their names in the layout. */
export type ContextFields = Readonly<Partial<Record<keyof typeof CONTEXT_PARAMS.fields, number>>>;

/**
 * Opens a context on the CPU without flash attention. `own` overrides its parameters.
 * @throws {RangeError} if llama.cpp refuses it.
 */
export function openContext(
  { library: { symbols }, handle: model, path }: GgufModel,
  { outputs, ...bounds }: ContextBounds,
  own: ContextFields,
): Deno.PointerObject {
  const { contextTokens, batchTokens, sequences, threads } = bounds;
  const asked: ContextFields = {
    contextTokens,
    batchTokens,
    microBatchTokens: batchTokens,
    sequences,
    outputsMax: outputs,
    outputsMaxPerSequence: 0,
    threads,
    threadsBatch: threads,
    flashAttention: 0,
    offloadKqv: 0,
    opOffload: 0,
    ...own,
  };
  const params = Uint8Array.from(symbols.llama_context_default_params());
  for (const [name, value] of Object.entries(asked)) {
    writeField(params, CONTEXT_PARAMS.fields[name as keyof ContextFields], value);
  }
  const handle = symbols.llama_init_from_model(model, params);
  if (handle === null) {
    throw new RangeError(
      `Cannot make a context of ${contextTokens} tokens for ${path}: llama.cpp refused it; ` +
        "is there enough memory?",
    );
  }
  assertArrived(symbols, handle, asked);
  return handle;
}

/**
 * Checks that the library read the parameters as written.
 * @throws {TypeError} naming a field that it read otherwise: its memory layout differs.
 */
export function assertArrived(
  symbols: LlamaLibrary["symbols"],
  context: Deno.PointerObject,
  asked: ContextFields,
): void {
  const held = symbols.llama_n_ctx(context);
  const arrived: ContextFields = {
    batchTokens: symbols.llama_n_batch(context),
    microBatchTokens: symbols.llama_n_ubatch(context),
    sequences: symbols.llama_n_seq_max(context),
    threads: symbols.llama_n_threads(context),
    threadsBatch: symbols.llama_n_threads_batch(context),
    pooling: symbols.llama_pooling_type(context),
    ...(asked.sequences !== 1 && { kvUnified: Number(symbols.llama_n_ctx_seq(context) === held) }),
    ...(held < (asked.contextTokens ?? 0) && { contextTokens: held }),
  };
  for (const [name, value] of Object.entries(arrived)) {
    const wanted = asked[name as keyof ContextFields];
    if (wanted === undefined || wanted === value) continue;
    throw new TypeError(
      `Cannot use llama.cpp through FFI: a context asked for with ${name} = ${wanted} has ${value}: ` +
        "the library does not keep the field where version v0.4.0 does",
    );
  }
}

interface BatchToken {
  readonly token: number;
  readonly position: number;
  readonly sequences: readonly number[];
  readonly output: boolean;
}

export class BatchMemory {
  // Made as an ArrayBuffer, the memory lies outside the garbage-collected heap and never moves.
  readonly #tokens: Int32Array<ArrayBuffer>;
  readonly #positions: Int32Array<ArrayBuffer>;
  readonly #counts: Int32Array<ArrayBuffer>;
  readonly #sequences: Int32Array<ArrayBuffer>;
  readonly #outputs: Int8Array<ArrayBuffer>;
  readonly #pointers: BigUint64Array<ArrayBuffer>;
  readonly #struct = new DataView(new ArrayBuffer(56));
  readonly #width: number;

  constructor(capacity: number, width: number) {
    const integers = (count: number) => new Int32Array(new ArrayBuffer(count * 4));
    this.#width = width;
    this.#tokens = integers(capacity);
    this.#positions = integers(capacity);
    this.#counts = integers(capacity);
    this.#sequences = integers(capacity * width);
    this.#outputs = new Int8Array(new ArrayBuffer(capacity));
    this.#pointers = new BigUint64Array(new ArrayBuffer(capacity * 8));
    const address = (array: ArrayBufferView<ArrayBuffer>) =>
      BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(array)));
    const base = address(this.#sequences);
    for (let i = 0; i < capacity; i++) this.#pointers[i] = base + BigInt(i * width * 4);
    [this.#tokens, null, this.#positions, this.#counts, this.#pointers, this.#outputs]
      .forEach((array, field) =>
        this.#struct.setBigUint64(8 + field * 8, array === null ? 0n : address(array), true)
      );
  }

  fill(batch: readonly BatchToken[]): Uint8Array<ArrayBuffer> {
    batch.forEach(({ token, position, sequences, output }, index) => {
      this.#tokens[index] = token;
      this.#positions[index] = position;
      this.#counts[index] = sequences.length;
      this.#sequences.set(sequences, index * this.#width);
      this.#outputs[index] = output ? 1 : 0;
    });
    this.#struct.setInt32(0, batch.length, true);
    return new Uint8Array(this.#struct.buffer);
  }
}

/**
 * Sizes fixed when the context is made. Floating-point sums depend on them, so that every result
 * records them.
 */
interface ContextShape extends Omit<ContextBounds, "outputs"> {
  /** Positions at which logits can be requested. They determine the memory allocated. */
  readonly rows: "all" | "last";
}

/** Logits of the requested positions, row by row in batch order. Valid until the next decode. */
export interface Logits {
  readonly values: Float32Array;
  readonly width: number;
}

const F32 = 0;

/** A llama.cpp context: the evaluated tokens (KV cache) and the logits of the last decode. */
export class EvaluationContext {
  readonly #model: GgufModel;
  readonly shape: ContextShape;
  readonly #handle: Deno.PointerObject;
  readonly #memory: Deno.PointerValue;
  readonly #batch: BatchMemory;
  #threads: number;

  /** @param cores Chooses the number of threads of each decode; that of the shape by default. */
  constructor(
    model: GgufModel,
    shape: ContextShape,
    private readonly cores?: SpareCores,
  ) {
    const outputs = shape.rows === "all" ? shape.batchTokens : 1;
    // Half-precision keys and values would move a sentence by hundredths of a nat, as fusing would.
    const own = { typeK: F32, typeV: F32, kvUnified: 1 };
    this.#model = model;
    this.shape = shape;
    this.#threads = shape.threads;
    this.#handle = openContext(model, { ...shape, outputs }, own);
    this.#memory = model.library.symbols.llama_get_memory(this.#handle);
    this.#batch = new BatchMemory(shape.batchTokens, shape.sequences);
  }

  /**
   * Evaluates tokens after those in the cache.
   * @throws {RangeError} for too many tokens, none, or a full context.
   */
  async decode(batch: readonly BatchToken[]): Promise<Logits> {
    if (batch.length === 0 || batch.length > this.shape.batchTokens) {
      throw new RangeError(
        `Cannot evaluate ${batch.length} tokens: a batch holds 1 to ${this.shape.batchTokens}`,
      );
    }
    const { library: { symbols }, vocabularySize: width } = this.#model;
    const threads = this.cores?.threads() ?? this.#threads;
    if (threads !== this.#threads) symbols.llama_set_n_threads(this.#handle, threads, threads);
    this.#threads = threads;
    const [begun, before] = [performance.now(), process.cpuUsage()];
    const status = await symbols.llama_decode(this.#handle, this.#batch.fill(batch));
    const { user, system } = process.cpuUsage(before);
    this.cores?.note(threads, (user + system) / 1000, performance.now() - begun);
    if (status !== 0) {
      throw new RangeError(
        `Cannot evaluate ${batch.length} tokens: llama.cpp answered ${status} ` +
          `(1 means that the context of ${this.shape.contextTokens} tokens is full)`,
      );
    }
    const rows = batch.filter((token) => token.output).length;
    const pointer = symbols.llama_get_logits(this.#handle);
    if (pointer === null || rows === 0) return { values: new Float32Array(0), width };
    const bytes = Deno.UnsafePointerView.getArrayBuffer(pointer, rows * width * 4);
    return { values: new Float32Array(bytes), width };
  }

  clear(): void {
    this.#model.library.symbols.llama_memory_clear(this.#memory, false);
  }

  /**
   * Removes sequence 0 from `position` on. Returns false where the model cannot, for example a
   * recurrent one.
   */
  forgetFrom(position: number): boolean {
    return this.#model.library.symbols.llama_memory_seq_rm(this.#memory, 0, position, -1);
  }

  close(): void {
    this.#model.library.symbols.llama_free(this.#handle);
  }
}
