/** How strongly a longer context yields to a shorter one. */
export interface Smoothing {
  /** Symbols that may stand beside a context, numbered from 0; the unknown one is among them. */
  readonly symbols: number;
  /** Collins' factor, > 0; 1 is Witten and Bell's method C. */
  readonly backOffWeight: number;
}

/**
 * What stands beside a context, as a distribution over all symbols counted outside some folds and
 * interpolated as Witten & Bell (1991, method C) with the factor w of Collins (1999):
 * P(x | h) = (c(hx) + w · T(h) · P(x | h′)) / (c(h) + w · T(h)), where T(h) is the number of
 * different symbols seen beside h and h′ is h without its farthest character. Below the empty
 * context all symbols are equally probable.
 */
export class HeldOutDistributions {
  readonly #smoothing: Smoothing;
  readonly #uniform: Float64Array;
  /** By context each time it was seen: fold number × symbols + symbol. */
  readonly #seen = new Map<string, number[]>();
  readonly #folds = new Map<string, number>();
  /** The members of a pair share most contexts, and the folds that are held out for them. */
  #known = new Map<string, Float64Array>();
  #heldOut: readonly string[] | undefined;
  /** By fold number, 1 where the fold is held out. */
  #isHeldOut = new Uint8Array();

  constructor(smoothing: Smoothing) {
    this.#smoothing = smoothing;
    this.#uniform = new Float64Array(smoothing.symbols).fill(1 / smoothing.symbols);
  }

  /** @param contexts from the empty one up to the longest, each the beginning of the next. */
  add(contexts: readonly string[], symbol: number, fold: string): void {
    const number = this.#folds.get(fold) ?? this.#folds.size;
    this.#folds.set(fold, number);
    for (const context of contexts) {
      let seen = this.#seen.get(context);
      if (seen === undefined) this.#seen.set(context, seen = []);
      seen.push(number * this.#smoothing.symbols + symbol);
    }
    this.#heldOut = undefined;
  }

  /**
   * P(· | the longest context), by what was added outside the folds held out; > 0 for every symbol.
   * Nothing is held out for a fold that has no sentences.
   */
  given(contexts: readonly string[], heldOut: readonly string[]): Float64Array {
    if (heldOut !== this.#heldOut) this.#holdOut(heldOut);
    return contexts.reduce((shorter, context) => {
      let found = this.#known.get(context);
      if (found === undefined) {
        this.#known.set(context, found = this.#interpolate(context, shorter));
      }
      return found;
    }, this.#uniform);
  }

  /** What is known stays known where the same folds are held out, in whatever order they are told. */
  #holdOut(heldOut: readonly string[]): void {
    const isHeldOut = new Uint8Array(this.#folds.size);
    for (const fold of heldOut) {
      const number = this.#folds.get(fold);
      if (number !== undefined) isHeldOut[number] = 1;
    }
    const before = this.#heldOut === undefined ? undefined : this.#isHeldOut;
    if (!before || isHeldOut.some((each, fold) => each !== before[fold])) this.#known = new Map();
    this.#heldOut = heldOut;
    this.#isHeldOut = isHeldOut;
  }

  #interpolate(context: string, shorter: Float64Array): Float64Array {
    const { symbols, backOffWeight } = this.#smoothing;
    // Plain loops: this is where the time of a score goes.
    const found = new Float64Array(symbols);
    let total = 0;
    let kinds = 0;
    for (const each of this.#seen.get(context) ?? []) {
      const symbol = each % symbols;
      if (this.#isHeldOut[(each - symbol) / symbols] === 1) continue;
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
