import assert from "node:assert/strict";
import { encoderModel, type MaskedEncoder, wordIndexes } from "./encoder_model.ts";
import { pseudoLikelihoodModel } from "./pseudo_likelihood.ts";
import {
  TINY_BY_HAND,
  TINY_SIZE,
  TINY_SPECIAL,
  TINY_TEXT,
  tinyLogits,
} from "./testdata/tiny_model.ts";

const LETTERS = ["a", "b", "##a", "##b"];

function pieces(text: string): readonly string[] {
  return text.split(" ").flatMap((word) =>
    [...word].map((letter, at) => at === 0 ? letter : `##${letter}`)
  );
}

function encode(text: string): readonly number[] {
  return pieces(text).map((piece) => {
    const at = LETTERS.indexOf(piece);
    return at < 0 ? TINY_SPECIAL.unknown : TINY_SPECIAL.mask + 1 + at;
  });
}

function tinyEncoder(changes: Partial<MaskedEncoder> = {}): MaskedEncoder {
  return {
    maskId: TINY_SPECIAL.mask,
    unknownId: TINY_SPECIAL.unknown,
    vocabularySize: TINY_SIZE,
    longest: 16,
    encode,
    pieces,
    frame: (text) => [TINY_SPECIAL.start, ...encode(text), TINY_SPECIAL.end],
    run: (rows) =>
      Promise.resolve({
        dimensions: [rows.length, rows[0]!.length, TINY_SIZE],
        values: tinyLogits(rows),
      }),
    ...changes,
  };
}

function scored(variant: "original" | "within_word_l2r", changes?: Partial<MaskedEncoder>) {
  return pseudoLikelihoodModel(encoderModel("tiny", tinyEncoder(changes), {}), variant);
}

Deno.test("encoderModel() gives both pseudo-likelihoods worked out by hand", async () => {
  for (const variant of ["original", "within_word_l2r"] as const) {
    const [found] = await scored(variant).score([TINY_TEXT]);
    assert.ok(Math.abs(found!.logProbability - TINY_BY_HAND[variant]) < 1e-5, variant);
    assert.equal(found!.tokens, 3);
  }
});

Deno.test("encoderModel() refuses networks that predict no tokens, and texts too long, unknown or torn by special tokens", async () => {
  const run = () => Promise.resolve({ dimensions: [3, TINY_SIZE], values: new Float32Array(27) });
  const frame = (text: string) => encode(text).flatMap((id) => [id, TINY_SPECIAL.end]);
  const cases = [
    [{ run }, TINY_TEXT, /^TypeError: .*is not of 3 rows of 5 tokens/],
    [{ longest: 4 }, TINY_TEXT, /^RangeError: Cannot score a text of 5 tokens: the model takes 4$/],
    [{}, "ab c", /^RangeError: Cannot score "ab c": the model's vocabulary lacks a part of it/],
    [{ frame }, TINY_TEXT, /^RangeError: .*special tokens stand between its own/],
  ] as const;
  for (const [changes, text, problem] of cases) {
    await assert.rejects(scored("original", changes).score([text]), problem);
  }
});

/** Numbers of pieces, so that equal pieces are equal tokens. */
function encoding(split: (text: string) => readonly string[]) {
  const numbers = new Map<string, number>();
  return (text: string) =>
    split(text).map((piece) => {
      numbers.set(piece, numbers.get(piece) ?? numbers.size);
      return numbers.get(piece)!;
    });
}

Deno.test("wordIndexes() tells words by what a longer text adds, whatever sign joins their pieces", () => {
  const marked = encoding(pieces);
  assert.deepEqual(wordIndexes("ab b  abc", encoding((text) => pieces(text.replace(/ +/g, " ")))), [
    ...[0, 0, 1, 2, 2, 2],
  ]);
  assert.deepEqual(wordIndexes("a", marked), [0]);
  // Tokens for spaces: white space at the end is a word of its own.
  const spaced = encoding((text) => text.match(/\s*\S|\s+/g) ?? []);
  const found = ["ab b ", " ", ""].map((text) => wordIndexes(text, spaced));
  assert.deepEqual(found, [[0, 0, 1, 2], [0], []]);
  const reaching = encoding((text) => text.match(/b c|./g) ?? []);
  const problem =
    /^RangeError: Cannot tell the words of "ab cd": a token reaches over the end of ab$/;
  assert.throws(() => wordIndexes("ab cd", reaching), problem);
});
