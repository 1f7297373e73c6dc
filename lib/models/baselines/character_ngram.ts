import { byteLength, type FoldedSentence, type HeldOutBaseline } from "./baseline.ts";

const START = "\u0002";
const END = "\u0003";

/** What followed a context: how often each symbol, in all and by fold. */
interface Followers {
  readonly all: Map<string, number>;
  readonly byFold: Map<string, Map<string, number>>;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The text's characters between a start and an end. */
function symbolsOf(text: string): readonly string[] {
  return [START, ...text.normalize("NFC"), END];
}

/** What precedes position `at`: from nothing up to the last `order` − 1 symbols, shortest first. */
function contextsBefore(symbols: readonly string[], at: number, order: number): readonly string[] {
  const contexts = [""];
  for (let from = at - 1; from >= 0 && contexts.length < order; from--) {
    contexts.push(symbols[from]! + contexts.at(-1)!);
  }
  return contexts;
}

class ContextTable {
  readonly #followers = new Map<string, Followers>();
  readonly #alphabet = new Set<string>([END]);

  constructor(sentences: readonly FoldedSentence[], order: number) {
    for (const { fold, text } of sentences) {
      const symbols = symbolsOf(text);
      for (let at = 1; at < symbols.length; at++) {
        const symbol = symbols[at]!;
        this.#alphabet.add(symbol);
        for (const context of contextsBefore(symbols, at, order)) this.#add(context, symbol, fold);
      }
    }
  }

  #add(context: string, symbol: string, fold: string): void {
    let followers = this.#followers.get(context);
    if (followers === undefined) {
      followers = { all: new Map(), byFold: new Map() };
      this.#followers.set(context, followers);
    }
    let own = followers.byFold.get(fold);
    if (own === undefined) followers.byFold.set(fold, own = new Map());
    increase(followers.all, symbol);
    increase(own, symbol);
  }

  /** Outside the fold: how often the symbol, how often any, and how many different ones followed. */
  #counts(context: string, symbol: string, heldOut: string) {
    const followers = this.#followers.get(context);
    const own = followers?.byFold.get(heldOut);
    let total = 0;
    let kinds = 0;
    for (const [key, all] of followers?.all ?? []) {
      const count = all - (own?.get(key) ?? 0);
      total += count;
      if (count > 0) kinds++;
    }
    const count = (followers?.all.get(symbol) ?? 0) - (own?.get(symbol) ?? 0);
    return { count, total, kinds };
  }

  /** P(symbol | context), from the shortest context up to the longest. */
  probability(contexts: readonly string[], symbol: string, heldOut: string): number {
    const uniform = 1 / (this.#alphabet.size + 1);
    return contexts.reduce((shorter, context) => {
      const { count, total, kinds } = this.#counts(context, symbol, heldOut);
      return total === 0 ? shorter : (count + kinds * shorter) / (total + kinds);
    }, uniform);
  }
}

/**
 * Character n-gram with interpolated Witten–Bell smoothing (Witten & Bell 1991, method C):
 * P(x | h) = (c(hx) + T(h) · P(x | h′)) / (c(h) + T(h)), where T(h) is the number of different
 * characters seen after h, h′ is h without its first character, and below the empty context every
 * character of the alphabet and one unknown are equally probable. Counts are those outside the
 * held-out fold. Characters are code points of the composed text; a sentence's start and end count.
 *
 * @param order n: a character is predicted from the n − 1 before it, n ≥ 1.
 * @throws {RangeError} for an order below 1.
 */
export function characterNgramBaseline(
  sentences: readonly FoldedSentence[],
  order: number,
): HeldOutBaseline {
  if (!Number.isInteger(order) || order < 1) {
    throw new RangeError(`Cannot count n-grams of ${order} characters: n is a whole number ≥ 1`);
  }
  const table = new ContextTable(sentences, order);
  return {
    name: `character_${order}gram`,
    score(text, heldOut) {
      const symbols = symbolsOf(text);
      let logProbability = 0;
      for (let at = 1; at < symbols.length; at++) {
        const contexts = contextsBefore(symbols, at, order);
        logProbability += Math.log(table.probability(contexts, symbols[at]!, heldOut));
      }
      return { logProbability, tokens: symbols.length - 1, bytes: byteLength(text) };
    },
  };
}
