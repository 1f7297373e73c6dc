import { tokenise } from "./tokens.ts";

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
