import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { sentencesOf } from "../claims/sentences.ts";
import type { Passage } from "./passage.ts";

/** Passages whose vectors are kept: 1.5 kB a sentence of 384 components. */
const KEPT_PASSAGES = 20_000;

/** The vectors of passages' sentences, each encoded once and kept while it is being asked for. */
export class SentenceVectors {
  readonly #encoder: SentenceEncoder;
  readonly #kept = new Map<string, readonly Float32Array[]>();

  constructor(encoder: SentenceEncoder) {
    this.#encoder = encoder;
  }

  /** One list a passage, one vector a sentence; every sentence is read under the passage's title. */
  async of(passages: readonly Passage[]): Promise<readonly (readonly Float32Array[])[]> {
    const unknown = passages.filter(({ id, collection }) => !this.#kept.has(keyOf(collection, id)));
    const texts = unknown.map(titledSentences);
    const encoded = await this.#encoder.encode(texts.flat());
    let position = 0;
    for (const [index, { id, collection }] of unknown.entries()) {
      const own = encoded.slice(position, position += texts[index]!.length);
      this.#kept.set(keyOf(collection, id), own.map(({ sentence }) => sentence));
    }
    const found = passages.map(({ id, collection }) => this.#kept.get(keyOf(collection, id)) ?? []);
    this.#forget();
    return found;
  }

  /** The oldest go first. */
  #forget(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_PASSAGES) return;
      this.#kept.delete(key);
    }
  }
}

const keyOf = (collection: string, id: string) => `${collection}\n${id}`;

/** "France: Capital. name: Paris": the sentence alone does not say whose capital. */
function titledSentences({ title, text }: Passage): readonly string[] {
  const sentences = sentencesOf(text).map((sentence) => sentence.text);
  return sentences.map((sentence) => title === "" ? sentence : `${title}: ${sentence}`);
}
