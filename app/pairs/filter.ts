/** Data of the pair browser, and the filter of its pairs. */

/** Outcomes by displayed sign. `neither` means right in one of two orders, or a tie. */
export const OUTCOMES = { "✓": "right", "✗": "wrong", "=": "neither" } as const;
export const outcomeOf = (shown: string) => OUTCOMES[shown[0] as keyof typeof OUTCOMES] ?? "";

/** A pair as displayed, with its search fields. */
export interface BrowsedPair {
  readonly set: string;
  readonly phenomenon: string;
  readonly lemma: string;
  readonly marks: readonly string[];
  /** The readers' judgement, from a fixed list. */
  readonly readers: string;
  /**
   * Scores by model and measure: a sign with the correct orders (`✓ 2 of 2`) or with nats (`✗
   * −2.19`).
   */
  readonly scores: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The card without scores and checks; checks are referenced by number: `data-checks="0 3"`. */
  readonly html: string;
}

/** The page's data; its texts are markup. */
export interface Collection {
  readonly pairs: readonly BrowsedPair[];
  /** Checks once each, since hundreds of certificates share them. */
  readonly checks: readonly string[];
}

/** Tests whether a pair matches the form's fields. An empty field matches all. */
export function matchesFilter(
  pair: BrowsedPair,
  filter: Readonly<Record<string, string>>,
): boolean {
  const asks = (name: string, ...has: readonly string[]) =>
    (filter[name] ?? "") === "" || has.includes(filter[name]!);
  const isScored = ["model", "measure", "outcome"].every((name) => asks(name)) ||
    Object.entries(pair.scores).some(([model, scores]) =>
      asks("model", model) &&
      Object.entries(scores).some(([measure, shown]) =>
        asks("measure", measure) && asks("outcome", outcomeOf(shown))
      )
    );
  return isScored && asks("set", pair.set) && asks("phenomenon", pair.phenomenon) &&
    asks("mark", ...pair.marks) && asks("readers", pair.readers) &&
    folded(pair.lemma).startsWith(folded(filter.lemma ?? "")) &&
    (!filter.search || wordsOf(pair).includes(folded(filter.search)));
}

/** Cached text of cards, made at the first search. */
const words = new WeakMap<BrowsedPair, string>();

function wordsOf(pair: BrowsedPair): string {
  const text = words.get(pair) ??
    folded(pair.html.replace(/<\/?mark>/g, "").replace(/<[^>]*>/g, " "));
  words.set(pair, text);
  return text;
}

const LETTERS: Readonly<Record<string, string>> = { ø: "o", œ: "oe", æ: "ae", þ: "th", ð: "d" };

/**
 * Folds a text for search without diacritics: `hondum`, `sisya`, `tha` find `hǫndum`, `śiṣya`,
 * `þá`.
 */
export function folded(text: string): string {
  // Only signs on Latin letters: vowel signs of Devanagari are letters.
  return text.trim().normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
    .replace(/[øœæþð]/g, (letter) => LETTERS[letter]!);
}
