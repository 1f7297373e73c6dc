import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";

/** Vectors kept: 1.5 kB each of 384 components, 30 MB together. */
const KEPT = 20_000;

/**
 * Sentence vectors of passages' parts, each encoded once and kept: claims of one text ask about the
 * same country or article, so about the same parts. The encoder's own cache holds token vectors too,
 * and so far fewer texts.
 */
export class SentenceVectors {
  readonly #encoder: SentenceEncoder;
  readonly #kept = new Map<string, Float32Array>();

  constructor(encoder: SentenceEncoder) {
    this.#encoder = encoder;
  }

  /** One vector a text, in order. Throws the signal's reason when it aborts. */
  async of(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.#kept.has(text));
    const encoded = unknown.length > 0
      ? await this.#encoder.encode(unknown, signal ? { signal } : {})
      : [];
    for (const [index, { sentence }] of encoded.entries()) {
      this.#kept.set(unknown[index]!, sentence.slice());
    }
    const vectors = texts.map((text) => this.#kept.get(text)!);
    this.#forget();
    return vectors;
  }

  /** The oldest go first. */
  #forget(): void {
    for (const text of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(text);
    }
  }
}
