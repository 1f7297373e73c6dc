import type { FoldedSentence } from "../baselines/baseline.ts";
import { contextsBeside, symbolsOf } from "./character_contexts.ts";
import { HeldOutDistributions } from "./held_out_distributions.ts";

/** Its number among the predicted symbols: whatever no sentence holds. */
const UNKNOWN = 0;

/** What stood before and after each character, by fold. */
export class BidirectionalCounts {
  readonly #numbers = new Map<string, number>();
  readonly #longest: number;
  readonly #before: HeldOutDistributions;
  readonly #after: HeldOutDistributions;

  constructor(
    sentences: readonly FoldedSentence[],
    longest: number,
    backOffWeight: number,
  ) {
    this.#longest = longest;
    for (const symbol of sentences.flatMap(({ text }) => symbolsOf(text).slice(1, -1))) {
      if (!this.#numbers.has(symbol)) this.#numbers.set(symbol, this.#numbers.size + 1);
    }
    const smoothing = { symbols: this.#numbers.size + 1, backOffWeight };
    this.#before = new HeldOutDistributions(smoothing);
    this.#after = new HeldOutDistributions(smoothing);
    for (const { fold, text } of sentences) this.#add(symbolsOf(text), fold);
  }

  #number(symbol: string | undefined): number {
    return this.#numbers.get(symbol ?? "") ?? UNKNOWN;
  }

  #add(symbols: readonly string[], fold: string): void {
    for (let at = 1; at < symbols.length - 1; at++) {
      const number = this.#number(symbols[at]);
      this.#before.add(contextsBeside(symbols, at, -1, this.#longest), number, fold);
      this.#after.add(contextsBeside(symbols, at, 1, this.#longest), number, fold);
    }
  }

  /** log P(symbol at `at` | what is not hidden on both sides), in nats. */
  logProbability(
    symbols: readonly string[],
    at: number,
    hidden: ReadonlySet<number>,
    heldOut: readonly string[],
  ): number {
    const before = contextsBeside(symbols, at, -1, this.#longest, hidden);
    const after = contextsBeside(symbols, at, 1, this.#longest, hidden);
    const givenBefore = this.#before.given(before, heldOut);
    const givenAfter = this.#after.given(after, heldOut);
    const alone = this.#before.given([""], heldOut);
    let total = 0;
    for (let x = 0; x < alone.length; x++) total += givenBefore[x]! * givenAfter[x]! / alone[x]!;
    const asked = this.#number(symbols[at]);
    return Math.log(givenBefore[asked]! * givenAfter[asked]! / alone[asked]! / total);
  }
}
