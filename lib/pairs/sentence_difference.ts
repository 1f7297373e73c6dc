/** In what two sentences differ, token by token. */
export type SentenceDifference =
  | { readonly kind: "none" }
  | {
    readonly kind: "one_token";
    /** 0-based position among the whitespace tokens. */
    readonly index: number;
    /** The token of the first sentence, punctuation stripped. */
    readonly from: string;
    /** The token of the second sentence, punctuation stripped. */
    readonly to: string;
  }
  /** One token differs, but in its punctuation, or in nothing that is a word. */
  | { readonly kind: "punctuation"; readonly index: number }
  | { readonly kind: "several_tokens"; readonly indices: readonly number[] }
  | { readonly kind: "token_count"; readonly from: number; readonly to: number };

// Vowel signs, virama, anusvāra and visarga are marks (\p{M}); joiners hold conjuncts together.
const WORD = String.raw`\p{L}\p{M}\p{N}\u200c\u200d`;
const EDGES = new RegExp(`^([^${WORD}]*)(.*?)([^${WORD}]*)$`, "su");

/** A token taken apart; the core is empty where it is all punctuation. */
export interface TokenParts {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Separates a token from the punctuation at its edges; what stands inside it stays. */
export function stripPunctuation(token: string): TokenParts {
  const [, before = "", core = "", after = ""] = EDGES.exec(token) ?? [];
  return { before, core, after };
}

/** The tokens of a sentence: what white space separates, punctuation attached. */
export function whitespaceTokens(sentence: string): readonly string[] {
  return sentence.split(/\s+/u).filter((token) => token !== "");
}

/**
 * The one token in which two sentences differ, or why there is not exactly one. Compared are whole
 * tokens in NFC, never parts of a grapheme: a lost vowel sign changes its word, and an ö written
 * with one code point or two is the same letter.
 */
export function sentenceDifference(first: string, second: string): SentenceDifference {
  const from = whitespaceTokens(first.normalize("NFC"));
  const to = whitespaceTokens(second.normalize("NFC"));
  if (from.length !== to.length) return { kind: "token_count", from: from.length, to: to.length };
  const indices = from.flatMap((token, index) => token === to[index] ? [] : [index]);
  const index = indices[0];
  if (index === undefined) return { kind: "none" };
  if (indices.length > 1) return { kind: "several_tokens", indices };
  const left = stripPunctuation(from[index] ?? "");
  const right = stripPunctuation(to[index] ?? "");
  const samePunctuation = left.before === right.before && left.after === right.after;
  if (!samePunctuation || left.core === "" || right.core === "") {
    return { kind: "punctuation", index };
  }
  return { kind: "one_token", index, from: left.core, to: right.core };
}

/** Says what a difference is, for a message. */
export function describeDifference(difference: SentenceDifference): string {
  switch (difference.kind) {
    case "none":
      return "the sentences are the same";
    case "one_token":
      return `token ${difference.index + 1} differs: ${difference.from} > ${difference.to}`;
    case "punctuation":
      return `token ${difference.index + 1} differs in punctuation`;
    case "several_tokens":
      return `${difference.indices.length} tokens differ: ` +
        difference.indices.map((index) => index + 1).join(", ");
    case "token_count":
      return `one sentence has ${difference.from} tokens, the other ${difference.to}`;
  }
}

/**
 * The form that stands in the target's place in the ungrammatical sentence.
 * Throws SyntaxError where the two sentences do not differ in exactly one token.
 */
export function variantForm(
  pair: { readonly grammatical: string; readonly ungrammatical: string },
): string {
  const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
  if (difference.kind === "one_token") return difference.to;
  throw new SyntaxError(
    `Cannot name the variant of "${pair.grammatical}": ${describeDifference(difference)}.`,
  );
}
