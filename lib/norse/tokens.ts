/** A word of a sentence with its place in the string (UTF-16 offsets, end exclusive). */
export interface Token {
  readonly form: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

/** Words in order; punctuation and spaces are between them. */
export function tokenise(sentence: string): readonly Token[] {
  return [...sentence.matchAll(/[\p{L}\p{M}]+/gu)].map((match) => ({
    form: match[0],
    lower: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** What stands between two neighbouring tokens, e.g. " " or ", ". */
export function between(sentence: string, left: Token, right: Token): string {
  return sentence.slice(left.end, right.start);
}

/** The replacement with the original's capital, where it had one. */
export function matchCapital(original: string, replacement: string): string {
  const first = original.charAt(0);
  return first !== first.toLowerCase()
    ? replacement.charAt(0).toUpperCase() + replacement.slice(1)
    : replacement;
}

/** The sentence with one token exchanged, its capital kept, everything else to the letter. */
export function replaceToken(sentence: string, token: Token, replacement: string): string {
  return sentence.slice(0, token.start) + matchCapital(token.form, replacement) +
    sentence.slice(token.end);
}

/** A mark that ends a sentence, with the closing quotation marks that belong to it, before a space or the end. */
const SENTENCE_END = /(?<=[.:;?!]["”»]*)\s+/u;

/**
 * Sentences of a paragraph, cut after `.`, `:`, `;`, `?` and `!` where white space follows; never
 * inside a word. Joined with one space they give the paragraph back (white space folded).
 */
export function splitSentences(paragraph: string): readonly string[] {
  return paragraph.replace(/\s+/gu, " ").trim().split(SENTENCE_END).filter((part) => part !== "");
}

/** Words of a sentence, in order, punctuation left out. */
export function wordsOf(sentence: string): readonly string[] {
  return tokenise(sentence).map(({ form }) => form);
}
