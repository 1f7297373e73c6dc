import type { MaskedToken } from "./masked_model.ts";

const START = "\u0002";
const END = "\u0003";

/** The composed text's characters (code points) between a start and an end. */
export function symbolsOf(text: string): readonly string[] {
  return [START, ...text.normalize("NFC"), END];
}

/** Every character with its word; a space is a word of its own and gives no word away. */
export function characterTokens(text: string): readonly MaskedToken[] {
  let word = -1;
  let before = " ";
  return [...text.normalize("NFC")].map((piece) => {
    if (/\s/u.test(piece) || /\s/u.test(before)) word++;
    before = piece;
    return { piece, word };
  });
}

const NOTHING_HIDDEN: ReadonlySet<number> = new Set();

/** The contexts on one side of `at`, nearest character first, up to the first hidden one. */
export function contextsBeside(
  symbols: readonly string[],
  at: number,
  step: -1 | 1,
  longest: number,
  hidden: ReadonlySet<number> = NOTHING_HIDDEN,
): readonly string[] {
  const contexts = [""];
  for (let next = at + step; contexts.length <= longest && !hidden.has(next); next += step) {
    const symbol = symbols[next];
    if (symbol === undefined) break;
    contexts.push(contexts.at(-1)! + symbol);
  }
  return contexts;
}
