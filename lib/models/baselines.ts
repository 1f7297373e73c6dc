import { byteLength, type Likelihood } from "./model.ts";

/** Which of two texts is preferred, by its place. */
export type PlacePreference = "first" | "second" | "tie";

/** A rule that prefers one of two texts without knowing any grammar. */
export interface PlaceBaseline {
  readonly name: string;
  readonly prefer: (first: string, second: string) => PlacePreference;
}

/** A sentence to learn from, with the part of the text (such as a chapter) it belongs to. */
export interface FoldedSentence {
  readonly fold: string;
  readonly text: string;
}

/**
 * A model counted from sentences. What is scored must not have been learned from: a text of a fold
 * is scored by the counts of all other folds.
 */
export interface HeldOutBaseline {
  readonly name: string;
  /** Log-probability in nats by all sentences outside `heldOut`; tokens are the model's own units. */
  readonly score: (text: string, heldOut: string) => Likelihood;
}

/** The more probable of two texts of one fold, as a held-out baseline sees it. */
export function preferMoreProbable(
  baseline: HeldOutBaseline,
  first: string,
  second: string,
  heldOut: string,
): PlacePreference {
  const a = baseline.score(first, heldOut).logProbability;
  const b = baseline.score(second, heldOut).logProbability;
  // Sums in another order may differ in the last digits; such a difference is none.
  if (Math.abs(a - b) < 1e-9) return "tie";
  return a > b ? "first" : "second";
}

/**
 * Tosses a coin.
 *
 * @param next A source of numbers in [0, 1); seeded, for the same bytes in every run.
 */
export function randomBaseline(next: () => number): PlaceBaseline {
  return { name: "random", prefer: () => next() < 0.5 ? "first" : "second" };
}

/** Prefers whatever stands first: half right when both orders are asked. */
export const ALWAYS_FIRST: PlaceBaseline = { name: "always_a", prefer: () => "first" };

function characters(text: string): number {
  return [...text.normalize("NFC")].length;
}

/** Prefers the text with fewer characters (Unicode code points, composed where that is possible). */
export const ALWAYS_SHORTER: PlaceBaseline = {
  name: "always_shorter",
  prefer(first, second) {
    const difference = characters(first) - characters(second);
    if (difference === 0) return "tie";
    return difference < 0 ? "first" : "second";
  },
};

/** How often each key was seen, in all and in each fold: counts without a fold by subtraction. */
export class HeldOutCounts {
  readonly #all = new Map<string, number>();
  readonly #byFold = new Map<string, Map<string, number>>();

  add(key: string, fold: string): void {
    let own = this.#byFold.get(fold);
    if (own === undefined) this.#byFold.set(fold, own = new Map());
    this.#all.set(key, (this.#all.get(key) ?? 0) + 1);
    own.set(key, (own.get(key) ?? 0) + 1);
  }

  /** How often the key was seen outside the fold. */
  count(key: string, heldOut: string): number {
    return (this.#all.get(key) ?? 0) - (this.#byFold.get(heldOut)?.get(key) ?? 0);
  }

  /** Every key seen anywhere. */
  keys(): Iterable<string> {
    return this.#all.keys();
  }
}

/** Words are runs of letters, marks and digits, in lower case. */
function words(text: string): readonly string[] {
  return text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const TOTAL = "";

/**
 * Word frequency with add-one smoothing: P(w) = (c(w) + 1) / (N + V + 1), where c and N count the
 * sentences outside the fold, V is the number of different words in all sentences, and the one
 * more stands for every unknown word.
 */
export function unigramBaseline(sentences: readonly FoldedSentence[]): HeldOutBaseline {
  const counts = new HeldOutCounts();
  for (const { fold, text } of sentences) {
    for (const word of words(text)) {
      counts.add(word, fold);
      counts.add(TOTAL, fold);
    }
  }
  const types = [...counts.keys()].filter((key) => key !== TOTAL).length;
  return {
    name: "unigram",
    score(text, heldOut) {
      const found = words(text);
      const denominator = counts.count(TOTAL, heldOut) + types + 1;
      const logProbability = found.reduce(
        (sum, word) => sum + Math.log((counts.count(word, heldOut) + 1) / denominator),
        0,
      );
      return { logProbability, tokens: found.length, bytes: byteLength(text) };
    },
  };
}

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
