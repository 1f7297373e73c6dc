/**
 * Where words of a text end among its tokens, and how probable it is that one ends. Tokens of most
 * vocabularies carry the space before a word (`Ġ`, `▁`), so that the tokens of “grovel” also begin
 * “grovels”: the probability of a word is that of its tokens times the probability that the next token
 * does not continue it (Pimentel & Meister 2024, “How to Compute the Probability of a Word”).
 */
import { logSumExp } from "./log_softmax.ts";

const WORD = /[\p{L}\p{M}\p{N}\u200c\u200d]/u;
const REPLACED = 0xfffd;
/** First bytes of characters that are mostly punctuation, symbols and emoji; of others letters. */
const NO_LETTERS: ReadonlySet<number> = new Set([0xc2, 0xe2, 0xf0]);

/**
 * Whether a token that follows a word continues it: it has a letter, mark or digit before its first
 * white space, as in “ly”, “.com” and “'s”. A control token has no bytes and ends the word. Of a
 * token that begins with a part of a character its first byte decides.
 */
export function continuesWord(bytes: Uint8Array): boolean {
  const [glued = ""] = new TextDecoder().decode(bytes).split(/\s/u, 1);
  for (const character of glued) {
    if (WORD.test(character)) return true;
    if (character.codePointAt(0) !== REPLACED) continue;
    const sound = new TextEncoder().encode(glued.slice(0, glued.indexOf(character))).length;
    return !NO_LETTERS.has(bytes[sound]!);
  }
  return false;
}

/** log P(the next token continues no word) in nats, of one row of logits. */
export function wordEndLogProbability(
  logits: Float32Array,
  continues: (token: number) => boolean,
): number {
  const ending = logits.map((logit, token) => continues(token) ? -Infinity : logit);
  if (ending.every((logit) => logit === -Infinity)) return -Infinity;
  return Math.min(0, logSumExp(ending) - logSumExp(logits));
}

const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Bytes but spaces: vocabularies add, join and leave out spaces, and leave all else as it is. */
function letterBytes(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!SPACES.has(byte)) count++;
  return count;
}

/**
 * Index of the token with the last byte of a text's beginning, and whether the token ends there too;
 * where it does not, it holds the end of the word, whose probability is then in the token's.
 * @param pieces The bytes of each token of `text`.
 * @throws {RangeError} where the tokens do not spell the text.
 */
export function tokenAtEnd(text: string, beginning: string, pieces: readonly Uint8Array[]) {
  const letters = pieces.map(letterBytes);
  const all = letters.reduce((sum, count) => sum + count, 0);
  // Some vocabularies compose letters and their marks.
  const form = [text, text.normalize("NFC"), text.normalize("NFD")]
    .findIndex((read) => letterBytes(bytesOf(read)) === all);
  if (form === -1) {
    throw new RangeError(
      `Cannot find the end of a word in ${
        JSON.stringify(text)
      }: the model's tokens do not spell it`,
    );
  }
  const read = form === 0 ? beginning : beginning.normalize(form === 1 ? "NFC" : "NFD");
  const wanted = letterBytes(bytesOf(read));
  let passed = 0;
  const token = letters.findIndex((count) => (passed += count) >= wanted && count > 0);
  const last = pieces[token]?.at(-1);
  return { token, isExact: passed === wanted && last !== undefined && !SPACES.has(last) };
}
