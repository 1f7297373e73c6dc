import { inverseFrequency, type Postings } from "./postings.ts";

/** BM25's constants. */
export interface Bm25Constants {
  /** How soon more of one term counts no more, ≥ 0. */
  readonly k: number;
  /** How far long passages are held down, 0–1. */
  readonly b: number;
}

/** Lucene's and most others' choice. */
export const BM25_CONSTANTS: Bm25Constants = { k: 1.2, b: 0.75 };

/** Takes the terms of passages one by one, so that no text need be kept. */
export class PostingsBuilder {
  readonly #terms = new Map<string, number[]>();
  readonly #lengths: number[] = [];

  /** The next passage. */
  add(terms: readonly string[]): void {
    const number = this.#lengths.push(terms.length) - 1;
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = this.#terms.get(term);
      // Number and count in turn: arrays of small integers are packed.
      if (list === undefined) this.#terms.set(term, [number, count]);
      else list.push(number, count);
    }
  }

  /** The postings of all that was added. */
  finish({ k, b }: Bm25Constants = BM25_CONSTANTS): Postings {
    const lists = [...this.#terms.values()];
    const size = lists.reduce((sum, list) => sum + list.length / 2, 0);
    const offsets = new Uint32Array(lists.length + 1);
    const passages = new Uint32Array(size);
    const shares = new Float32Array(size);
    const damping = dampings(this.#lengths, { k, b });
    let position = 0;
    for (const [index, list] of lists.entries()) {
      const idf = inverseFrequency(list.length / 2, this.#lengths.length);
      for (let at = 0; at < list.length; at += 2, position++) {
        const [number, count] = [list[at]!, list[at + 1]!];
        passages[position] = number;
        shares[position] = idf * count / (count + damping[number]!);
      }
      offsets[index + 1] = position;
    }
    const terms = new Map([...this.#terms.keys()].map((term, index) => [term, index]));
    return { count: this.#lengths.length, terms, offsets, passages, shares };
  }
}

function dampings(lengths: readonly number[], { k, b }: Bm25Constants): readonly number[] {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length || 1;
  return lengths.map((length) => k * (1 - b + b * length / mean));
}
