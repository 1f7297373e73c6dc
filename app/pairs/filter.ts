/** What the pair browser brings along, and which of its pairs a reader asks for. */

/** How a model judged a pair, by the sign that it is shown with; `neither` is one of two orders, or a tie. */
export const OUTCOMES = { "✓": "right", "✗": "wrong", "=": "neither" } as const;
export const outcomeOf = (shown: string) => OUTCOMES[shown[0] as keyof typeof OUTCOMES] ?? "";

/** One pair as it is shown, and what it can be found by. */
export interface BrowsedPair {
  readonly set: string;
  readonly phenomenon: string;
  readonly lemma: string;
  readonly marks: readonly string[];
  /** What readers said of it, in one of a few words. */
  readonly readers: string;
  /** By model and measure: a sign with how many orders were right, `✓ 2 of 2`, or with nats, `✗ −2.19`. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Its card; scores and checks are not in it, the latter but by number: `data-checks="0 3"`. */
  readonly html: string;
}

/** What the page brings along; its texts are markup. */
export interface Collection {
  readonly pairs: readonly BrowsedPair[];
  /** Once each, for hundreds of certificates name the same. */
  readonly checks: readonly string[];
}

/** Whether a pair is what a reader asks for, by the form's fields; an empty one asks for nothing. */
export function isAsked(pair: BrowsedPair, filter: Readonly<Record<string, string>>): boolean {
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

/** The card's text, to be searched; made at the first search. */
const words = new WeakMap<BrowsedPair, string>();

function wordsOf(pair: BrowsedPair): string {
  const text = words.get(pair) ??
    folded(pair.html.replace(/<\/?mark>/g, "").replace(/<[^>]*>/g, " "));
  words.set(pair, text);
  return text;
}

const LETTERS: Readonly<Record<string, string>> = { ø: "o", œ: "oe", æ: "ae", þ: "th", ð: "d" };

/** For readers without the keys: `hǫndum`, `śiṣya` and `þá` are found by `hondum`, `sisya` and `tha`. */
export function folded(text: string): string {
  // Signs at Latin letters only: vowel signs of Devanagari are letters.
  return text.trim().normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
    .replace(/[øœæþð]/g, (letter) => LETTERS[letter]!);
}
