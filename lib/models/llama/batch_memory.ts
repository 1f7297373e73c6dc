/** One token to evaluate. */
export interface BatchToken {
  readonly token: number;
  readonly position: number;
  /** The sequences it belongs to. */
  readonly sequences: readonly number[];
  /** Whether the logits after it are wanted. */
  readonly output: boolean;
}

function off(bytes: number): ArrayBuffer {
  // Made as an ArrayBuffer, the memory lies outside the garbage-collected heap and never moves.
  return new ArrayBuffer(bytes);
}

/** The C arrays that a `llama_batch` points to, allocated once at full size. */
export class BatchMemory {
  readonly #tokens: Int32Array<ArrayBuffer>;
  readonly #positions: Int32Array<ArrayBuffer>;
  readonly #counts: Int32Array<ArrayBuffer>;
  readonly #sequences: Int32Array<ArrayBuffer>;
  readonly #pointers: BigUint64Array<ArrayBuffer>;
  readonly #outputs: Int8Array<ArrayBuffer>;
  readonly #struct = new DataView(off(56));
  readonly #width: number;

  constructor(capacity: number, width: number) {
    this.#width = width;
    this.#tokens = new Int32Array(off(capacity * 4));
    this.#positions = new Int32Array(off(capacity * 4));
    this.#counts = new Int32Array(off(capacity * 4));
    this.#sequences = new Int32Array(off(capacity * width * 4));
    this.#pointers = new BigUint64Array(off(capacity * 8));
    this.#outputs = new Int8Array(off(capacity));
    const base = BatchMemory.#address(this.#sequences);
    for (let i = 0; i < capacity; i++) this.#pointers[i] = base + BigInt(i * width * 4);
    [this.#tokens, null, this.#positions, this.#counts, this.#pointers, this.#outputs]
      .forEach((array, field) => {
        const address = array === null ? 0n : BatchMemory.#address(array);
        this.#struct.setBigUint64(8 + field * 8, address, true);
      });
  }

  static #address(array: ArrayBufferView<ArrayBuffer>): bigint {
    return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(array)));
  }

  /** Fills the arrays and returns the struct, which stays this memory's own. */
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
