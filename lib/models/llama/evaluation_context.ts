import { BatchMemory, type BatchToken } from "./batch_memory.ts";
import type { GgufModel } from "./gguf_model.ts";
import { openContext } from "./open_context.ts";

/**
 * The shape of an evaluation. Sums of floats depend on it in their last digits, so it is fixed when
 * the context is made and travels with every result.
 */
export interface ContextShape {
  /** Tokens that can be held at once, over all sequences. */
  readonly contextTokens: number;
  /** Most tokens of one decode; a longer text is evaluated in slices. */
  readonly batchTokens: number;
  /** Most texts that share one decode. */
  readonly sequences: number;
  readonly threads: number;
  /** Whether logits can be wanted at every position, or at one: it decides the memory set aside. */
  readonly rows: "all" | "last";
}

/** Logits of the wanted positions, row by row in batch order; valid until the next decode. */
export interface Logits {
  readonly values: Float32Array;
  readonly width: number;
}

/** Half-precision keys and values would move a sentence by hundredths of a nat, as fusing would. */
const F32 = 0;
const OWN_FIELDS = { typeK: F32, typeV: F32, kvUnified: 1 };

/** A model's working memory: what it has read, and the logits of its last decode. */
export class EvaluationContext {
  readonly model: GgufModel;
  readonly shape: ContextShape;
  readonly #handle: Deno.PointerObject;
  readonly #memory: Deno.PointerValue;
  readonly #batch: BatchMemory;
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws {RangeError} where llama.cpp refuses the shape, usually for want of memory. */
  constructor(model: GgufModel, shape: ContextShape) {
    const outputs = shape.rows === "all" ? shape.batchTokens : 1;
    const handle = openContext(model, { ...shape, outputs }, OWN_FIELDS);
    this.model = model;
    this.shape = shape;
    this.#handle = handle;
    this.#memory = model.library.symbols.llama_get_memory(handle);
    this.#batch = new BatchMemory(shape.batchTokens, shape.sequences);
  }

  /** Runs one task after all that came before it: a context can only read one thing at a time. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /**
   * Evaluates tokens after those already held, and returns the wanted logits.
   *
   * @throws {RangeError} for more tokens than a batch holds, or none, or a context that is full.
   */
  async decode(batch: readonly BatchToken[]): Promise<Logits> {
    if (batch.length === 0 || batch.length > this.shape.batchTokens) {
      throw new RangeError(
        `Cannot evaluate ${batch.length} tokens: a batch holds 1 to ${this.shape.batchTokens}`,
      );
    }
    const { symbols } = this.model.library;
    const status = await symbols.llama_decode(this.#handle, this.#batch.fill(batch));
    if (status !== 0) {
      throw new RangeError(
        `Cannot evaluate ${batch.length} tokens: llama.cpp answered ${status} ` +
          `(1 means that the context of ${this.shape.contextTokens} tokens is full)`,
      );
    }
    return this.#logits(batch.filter((token) => token.output).length);
  }

  #logits(rows: number): Logits {
    const width = this.model.vocabularySize;
    const pointer = this.model.library.symbols.llama_get_logits(this.#handle);
    if (pointer === null || rows === 0) return { values: new Float32Array(0), width };
    const bytes = Deno.UnsafePointerView.getArrayBuffer(pointer, rows * width * 4);
    return { values: new Float32Array(bytes), width };
  }

  /** Forgets everything read. */
  clear(): void {
    this.model.library.symbols.llama_memory_clear(this.#memory, false);
  }

  /**
   * Forgets what stands at `position` and after it in sequence 0. Returns whether it could: a
   * recurrent model cannot forget a part.
   */
  forgetFrom(position: number): boolean {
    return this.model.library.symbols.llama_memory_seq_rm(this.#memory, 0, position, -1);
  }

  /** Frees the memory once the tasks under way are done. The model must still be loaded. */
  async close(): Promise<void> {
    await this.#turn;
    this.model.library.symbols.llama_free(this.#handle);
  }
}
