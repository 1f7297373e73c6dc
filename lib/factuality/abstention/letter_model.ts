import type { RandomSource } from "../../stats/random.ts";

/** Letters that decide the next one: fewer make gibberish, more make copies. */
const CONTEXT = 2;
const BEGIN = "\0";
const END = "\n";

/** Draws words that look like the ones it has seen. */
export type LetterModel = (random: RandomSource) => string;

/**
 * A Markov chain over letters (Shannon 1948, §3): each letter is drawn as often as it followed the
 * two before it. Words are in lower case and may be any length; what is drawn may be a word it saw.
 * @throws {RangeError} without a word.
 */
export function letterModel(words: readonly string[]): LetterModel {
  const followers = new Map<string, string[]>();
  for (const word of words.filter((one) => one !== "")) {
    const letters = [...BEGIN.repeat(CONTEXT), ...word.toLowerCase(), END];
    for (let i = CONTEXT; i < letters.length; i++) {
      const context = letters.slice(i - CONTEXT, i).join("");
      const seen = followers.get(context);
      if (seen === undefined) followers.set(context, [letters[i]!]);
      else seen.push(letters[i]!);
    }
  }
  if (followers.size === 0) throw new RangeError("Cannot learn to write names: there is no name.");
  return (random) => {
    const drawn = [...BEGIN.repeat(CONTEXT)];
    while (drawn.at(-1) !== END) {
      // A context is always followed by something: it was read with what came after it.
      const next = followers.get(drawn.slice(-CONTEXT).join(""))!;
      drawn.push(next[random.integer(next.length)]!);
    }
    return drawn.slice(CONTEXT, -1).join("");
  };
}
