/** Two sets of words, one of which is to follow a prompt: `["Yes"]` against `["No"]`. */
export interface NextWords {
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

/** How probable the words are as the next one. */
export interface NextWordMass {
  readonly kind: "mass";
  /** Each 0–1; together with `other` 1. */
  readonly yes: number;
  readonly no: number;
  /** Of all other words: near 1, the prompt was not understood. */
  readonly other: number;
}

export type NextWordReply =
  | NextWordMass
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "failure"; readonly message: string };

/** A model that is not let write: only the probabilities of what it would write next are read. */
export interface NextWordModel {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /**
   * Each word counts in all its ways of being written (see `waysOfWriting`).
   *
   * @throws the signal's reason when it aborts.
   */
  nextWord(
    prompt: string,
    words: NextWords,
    options?: { readonly signal?: AbortSignal },
  ): Promise<NextWordReply>;
}

/** A word in small letters, with a capital and in capitals, each alone and after a space. */
export function waysOfWriting(word: string): readonly string[] {
  const small = word.toLowerCase();
  const capital = small.slice(0, 1).toUpperCase() + small.slice(1);
  const written = new Set([word, small, capital, word.toUpperCase()]);
  return [...written].flatMap((way) => [way, ` ${way}`]);
}
