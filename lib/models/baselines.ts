import { byteLength, type Likelihood } from "./model.ts";

/** Preferred text of two, by its position. */
export type PositionPreference = "first" | "second" | "tie";

/** A rule that prefers one of two texts without knowing any grammar. */
export interface PreferenceBaseline {
  readonly name: string;
  readonly prefer: (first: string, second: string) => PositionPreference;
}

/** A training sentence with its fold: the part of the text, such as a chapter. */
export interface FoldedSentence {
  readonly fold: string;
  readonly text: string;
}

/** A model counted from sentences; a text is scored by the counts of all folds but its own. */
export interface HeldOutBaseline {
  readonly name: string;
  /** Log-probability in nats by all sentences outside `heldOut`; tokens are the model's own units. */
  readonly score: (text: string, heldOut: string) => Likelihood;
}

/** Returns the more probable of two texts of one fold under a held-out baseline. */
export function preferMoreProbable(
  baseline: HeldOutBaseline,
  first: string,
  second: string,
  heldOut: string,
): PositionPreference {
  const a = baseline.score(first, heldOut).logProbability;
  const b = baseline.score(second, heldOut).logProbability;
  // Sums in another order may differ in the last digits; such a difference is none.
  if (Math.abs(a - b) < 1e-9) return "tie";
  return a > b ? "first" : "second";
}

export const RANDOM = "random";

/** Tosses a coin. @param next A source of numbers in [0, 1); seeded. */
export function randomBaseline(next: () => number): PreferenceBaseline {
  return { name: RANDOM, prefer: () => next() < 0.5 ? "first" : "second" };
}

/** Prefers the first text: half right when both orders are asked. */
export const ALWAYS_FIRST: PreferenceBaseline = { name: "always_a", prefer: () => "first" };

const characters = (text: string) => [...text.normalize("NFC")].length;

/** Prefers the text with fewer characters (Unicode code points, composed where possible). */
export const ALWAYS_SHORTER: PreferenceBaseline = {
  name: "always_shorter",
  prefer(first, second) {
    const difference = characters(first) - characters(second);
    return difference === 0 ? "tie" : difference < 0 ? "first" : "second";
  },
};

/** Counts of keys in all and in each fold; held-out counts are differences. */
export class HeldOutCounts {
  readonly #all = new Map<string, number>();
  readonly #byFold = new Map<string, Map<string, number>>();

  add(key: string, fold: string): void {
    let own = this.#byFold.get(fold);
    if (own === undefined) this.#byFold.set(fold, own = new Map());
    this.#all.set(key, (this.#all.get(key) ?? 0) + 1);
    own.set(key, (own.get(key) ?? 0) + 1);
  }

  count(key: string, heldOut: string): number {
    return (this.#all.get(key) ?? 0) - (this.#byFold.get(heldOut)?.get(key) ?? 0);
  }

  keys(): Iterable<string> {
    return this.#all.keys();
  }
}

/** Returns the words of a text: runs of letters, marks and digits, in lower case. */
export function words(text: string): readonly string[] {
  return text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const TOTAL = "";

/**
 * Scores texts by add-one word frequency: P(w) = (c(w) + 1) / (N + V + 1).
 *
 * c and N count the sentences outside the fold, V the different words in all; the added one is for
 * every unknown word.
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

const END = "\u0003";
const symbolsOf = (text: string) => ["\u0002", ...text.normalize("NFC"), END];

/** Returns the contexts before position `at`, shortest first: up to `order` − 1 symbols. */
function contextsBefore(symbols: readonly string[], at: number, order: number): readonly string[] {
  const contexts = [""];
  for (let from = at - 1; from >= 0 && contexts.length < order; from--) {
    contexts.push(symbols[from]! + contexts.at(-1)!);
  }
  return contexts;
}

/**
 * Character n-gram with interpolated Witten–Bell smoothing (Witten & Bell 1991, method C): P(x | h)
 * = (c(hx) + T(h) · P(x | h′)) / (c(h) + T(h)), where T(h) is the number of different characters
 * seen after h outside the fold, h′ is h without its first character, and below the empty context
 * all characters and one unknown are equally probable. A sentence's start and end count as
 * characters.
 * @param order n ≥ 1: a character is predicted from the n − 1 before it. Five are enough for a stem and its
 * ending, and few enough for a text of 24,000 words.
 */
export function characterNgramBaseline(
  sentences: readonly FoldedSentence[],
  order = 5,
): HeldOutBaseline {
  const followers = new Map<string, HeldOutCounts>();
  const alphabet = new Set([END]);
  for (const { fold, text } of sentences) {
    const symbols = symbolsOf(text);
    for (let at = 1; at < symbols.length; at++) {
      alphabet.add(symbols[at]!);
      for (const context of contextsBefore(symbols, at, order)) {
        let counts = followers.get(context);
        if (counts === undefined) followers.set(context, counts = new HeldOutCounts());
        counts.add(symbols[at]!, fold);
      }
    }
  }
  const uniform = 1 / (alphabet.size + 1);
  const probability = (contexts: readonly string[], symbol: string, heldOut: string) =>
    contexts.reduce((shorter, context) => {
      const counts = followers.get(context);
      let [total, kinds] = [0, 0];
      for (const key of counts?.keys() ?? []) {
        const count = counts!.count(key, heldOut);
        total += count;
        if (count > 0) kinds++;
      }
      if (total === 0) return shorter;
      return (counts!.count(symbol, heldOut) + kinds * shorter) / (total + kinds);
    }, uniform);
  return {
    name: `character_${order}gram`,
    score(text, heldOut) {
      const symbols = symbolsOf(text);
      let logProbability = 0;
      for (let at = 1; at < symbols.length; at++) {
        const contexts = contextsBefore(symbols, at, order);
        logProbability += Math.log(probability(contexts, symbols[at]!, heldOut));
      }
      return { logProbability, tokens: symbols.length - 1, bytes: byteLength(text) };
    },
  };
}
