import type { FoldedSentence } from "../baselines.ts";
import type { MaskedModel, MaskedToken } from "./pseudo_likelihood.ts";

/** Name of the model in every result, followed by the variant of pseudo-likelihood. */
export const BIDIRECTIONAL_CHARACTER = "bidirectional_character";

/**
 * A count-based masked character model: P(c | l, r) ∝ P(c | l) · P(c | r) / P(c).
 *
 * l and r are the characters to the left and right, up to the nearest masked one. Each factor is
 * smoothed (see `HeldOutDistributions`). The formula is Bayes' rule for sides that are independent
 * given the character. Joint counts of both sides are too sparse for a text of this length. A
 * half-verse of the Gita has a mean log-probability of −0.934 nats per character by the product,
 * and at most −1.15 by interpolated two-sided contexts. Its verse, and all verses that repeat one
 * of its pādas, are held out; each character is masked alone. The same measure, never accuracy on
 * pairs, selected six characters and the factor five; larger values gain less than 0.003 nats.
 *
 * Characters are code points of the composed text; words are separated by white space. The
 * distribution covers all characters of the sentences and one unknown. A sentence's start and end
 * are visible and never predicted.
 * @param heldOutOf Returns the folds that are held out for a text; a fold without sentences has no
 * effect. `tokenise` throws what it throws.
 * @param options `contextCharacters` per side, ≥ 1; `backOffWeight` > 0, see
 * `HeldOutDistributions`.
 */
export function bidirectionalCharacterModel(
  sentences: readonly FoldedSentence[],
  heldOutOf: (text: string) => readonly string[],
  { contextCharacters = 6, backOffWeight = 5 }: {
    readonly contextCharacters?: number;
    readonly backOffWeight?: number;
  } = {},
): MaskedModel {
  // Counting takes half a second: whoever opens a study and scores nothing does not wait for it.
  let counted: ReturnType<typeof countSides> | undefined;
  return {
    name: BIDIRECTIONAL_CHARACTER,
    settings: { contextCharacters, backOffWeight, sentences: sentences.length },
    tokenise(text) {
      const heldOut = heldOutOf(text);
      const symbols = symbolsOf(text);
      return {
        tokens: characterTokens(text),
        logProbabilities: (queries) =>
          Promise.try(() => {
            counted ??= countSides(sentences, contextCharacters, backOffWeight);
            const { numberOf } = counted;
            const givenBefore = counted.before.without(heldOut);
            const givenAfter = counted.after.without(heldOut);
            const alone = givenBefore([""]);
            return queries.map(({ position, masked }) => {
              const [at, hidden] = [position + 1, new Set(masked.map((each) => each + 1))];
              const neighbours = (step: -1 | 1) =>
                contextsBeside(symbols, at, step, contextCharacters, hidden);
              const [before, after] = [givenBefore(neighbours(-1)), givenAfter(neighbours(1))];
              let total = 0;
              for (let x = 0; x < alone.length; x++) total += before[x]! * after[x]! / alone[x]!;
              const asked = numberOf(symbols[at]!);
              return Math.log(before[asked]! * after[asked]! / alone[asked]! / total);
            });
          }),
      };
    },
  };
}

/** Returns every character with its word index. A space is a word of its own. */
function characterTokens(text: string): readonly MaskedToken[] {
  let word = -1;
  let before = " ";
  return [...text.normalize("NFC")].map((piece) => {
    if (/\s/u.test(piece) || /\s/u.test(before)) word++;
    before = piece;
    return { piece, word };
  });
}

function symbolsOf(text: string): readonly string[] {
  return ["\u0002", ...text.normalize("NFC"), "\u0003"];
}

function countSides(sentences: readonly FoldedSentence[], longest: number, backOffWeight: number) {
  const numbers = new Map<string, number>();
  const numberOf = (symbol: string) => numbers.get(symbol) ?? 0;
  for (const symbol of sentences.flatMap(({ text }) => symbolsOf(text).slice(1, -1))) {
    if (!numbers.has(symbol)) numbers.set(symbol, numbers.size + 1);
  }
  const before = new HeldOutDistributions(numbers.size + 1, backOffWeight);
  const after = new HeldOutDistributions(numbers.size + 1, backOffWeight);
  for (const { fold, text } of sentences) {
    const symbols = symbolsOf(text);
    for (let at = 1; at < symbols.length - 1; at++) {
      const number = numberOf(symbols[at]!);
      before.add(contextsBeside(symbols, at, -1, longest), number, fold);
      after.add(contextsBeside(symbols, at, 1, longest), number, fold);
    }
  }
  return { numberOf, before, after };
}

function contextsBeside(
  symbols: readonly string[],
  at: number,
  step: -1 | 1,
  longest: number,
  hidden?: ReadonlySet<number>,
): readonly string[] {
  const contexts = [""];
  for (let next = at + step; contexts.length <= longest && !hidden?.has(next); next += step) {
    const symbol = symbols[next];
    if (symbol === undefined) break;
    contexts.push(contexts.at(-1)! + symbol);
  }
  return contexts;
}

/**
 * Distribution over the symbols next to a context, without the held-out folds.
 *
 * Counts are interpolated (Witten & Bell 1991, method C) with the factor w of Collins (1999): P(x |
 * h) = (c(hx) + w · T(h) · P(x | h′)) / (c(h) + w · T(h)). T(h) is the number of different symbols
 * seen next to h; h′ is h without its farthest character. Below the empty context all symbols are
 * equally probable.
 */
class HeldOutDistributions {
  readonly #uniform: Float64Array;
  /** Occurrences by context, each encoded as fold number × symbols + symbol. */
  readonly #seen = new Map<string, number[]>();
  readonly #folds = new Map<string, number>();
  /** Cache of the last folds, because the members of a pair share folds and most contexts. */
  #last: readonly [folds: string, given: (contexts: readonly string[]) => Float64Array] | undefined;

  /**
   * @param symbols Number of symbols, including the unknown one. @param backOffWeight Factor w; 1
   * is method C.
   */
  constructor(private readonly symbols: number, private readonly backOffWeight: number) {
    this.#uniform = new Float64Array(symbols).fill(1 / symbols);
  }

  add(contexts: readonly string[], symbol: number, fold: string): void {
    const number = this.#folds.get(fold) ?? this.#folds.size;
    this.#folds.set(fold, number);
    for (const context of contexts) {
      let seen = this.#seen.get(context);
      if (seen === undefined) this.#seen.set(context, seen = []);
      seen.push(number * this.symbols + symbol);
    }
  }

  /** Returns P(· | longest known context) > 0, from counts outside the folds. */
  without(folds: readonly string[]): (contexts: readonly string[]) => Float64Array {
    const isHeldOut = new Uint8Array(this.#folds.size);
    for (const fold of folds) {
      const number = this.#folds.get(fold);
      if (number !== undefined) isHeldOut[number] = 1;
    }
    const name = isHeldOut.join("");
    if (this.#last?.[0] === name) return this.#last[1];
    const known = new Map<string, Float64Array>();
    const given = (contexts: readonly string[]) =>
      contexts.reduce((shorter, context) => {
        let found = known.get(context);
        if (!found) known.set(context, found = this.#interpolate(context, shorter, isHeldOut));
        return found;
      }, this.#uniform);
    this.#last = [name, given];
    return given;
  }

  #interpolate(context: string, shorter: Float64Array, isHeldOut: Uint8Array): Float64Array {
    const { symbols, backOffWeight } = this;
    // Plain loops: this is where the time of a score goes.
    const found = new Float64Array(symbols);
    let total = 0;
    let kinds = 0;
    for (const each of this.#seen.get(context) ?? []) {
      const symbol = each % symbols;
      if (isHeldOut[(each - symbol) / symbols] === 1) continue;
      if (found[symbol] === 0) kinds++;
      found[symbol]! += 1;
      total++;
    }
    if (total === 0) return shorter;
    const yielded = backOffWeight * kinds;
    for (let x = 0; x < symbols; x++) {
      found[x] = (found[x]! + yielded * shorter[x]!) / (total + yielded);
    }
    return found;
  }
}
