import type { EncodedText } from "./sentence_encoder.ts";

/** Estimate of what an entry takes besides its vectors and its text, in bytes. */
const ENTRY_BYTES = 400;
const TOKEN_BYTES = 150;

function sizeOf(text: string, { sentence, tokens }: EncodedText): number {
  const vectors = (tokens.length + 1) * sentence.byteLength;
  return ENTRY_BYTES + 2 * text.length + vectors + TOKEN_BYTES * tokens.length;
}

/** Encoded texts by their text; those that were not asked for the longest go first. */
export class EncodedTextCache {
  /** In the order of their last use. */
  readonly #entries = new Map<string, EncodedText>();
  readonly #limit: number;
  #bytes = 0;

  /** @param limit In bytes, ≥ 0; what is bigger on its own is not kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that the kept texts take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  get(text: string): EncodedText | undefined {
    const found = this.#entries.get(text);
    if (found === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, found);
    return found;
  }

  set(text: string, encoded: EncodedText): void {
    this.#remove(text);
    this.#entries.set(text, encoded);
    this.#bytes += sizeOf(text, encoded);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #remove(text: string): void {
    const found = this.#entries.get(text);
    if (found === undefined) return;
    this.#entries.delete(text);
    this.#bytes -= sizeOf(text, found);
  }
}
