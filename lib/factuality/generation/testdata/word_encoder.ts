import type { SentenceEncoder } from "../../../models/encoder/network_encoder.ts";

const DIMENSIONS = 64;
/** Words of one kind have so much in common, in square of the cosine's root. */
const KIND_SHARE = 0.8;

/**
 * Stands in for MiniLM without a model: equal words have equal vectors, words of one kind (a capital
 * letter, a digit, neither) have cosine 0.64 and more, others hardly any.
 */
export const wordEncoder: SentenceEncoder = {
  name: "words",
  settings: {},
  dimensions: DIMENSIONS,
  encode: (texts) => Promise.resolve(texts.map(encoded)),
  clear() {},
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function encoded(text: string): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const [word] of text.matchAll(/[\p{L}\d]+/gu)) {
    vectorOf(word).forEach((value, index) => sum[index]! += value);
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

function vectorOf(word: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const kind = /\d/.test(word) ? 0 : /^\p{Lu}/u.test(word) ? 1 : 2;
  vector[kind] = KIND_SHARE;
  vector[3 + hashOf(word.toLowerCase()) % (DIMENSIONS - 3)] = Math.sqrt(1 - KIND_SHARE ** 2);
  return vector;
}

const hashOf = (word: string) =>
  [...word].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 1_000_003, 7);
