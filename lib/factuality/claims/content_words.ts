import type { Word } from "./word.ts";

const CONTENT = new Set(["NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X"]);

/** Words that a statement may add or leave out without saying anything else. */
const LIGHT = new Set(
  ("be have do also then there here very called named one who which that some such as well not")
    .split(" "),
);

/** Nouns, names, verbs, adjectives, adverbs and numbers, without the lightest. */
export function contentWords(words: readonly Word[]): readonly Word[] {
  return words.filter(({ partOfSpeech, lemma, text }) =>
    CONTENT.has(partOfSpeech) && !LIGHT.has(lemma) && /[\p{L}\p{N}]/u.test(text)
  );
}

/** The same dictionary form or spelling; numbers by their digits ("1,000" is "1000"). */
export function sameWord(one: Word, other: Word): boolean {
  if (/^\d/.test(one.normal)) return digits(one.normal) === digits(other.normal);
  return one.normal === other.normal || one.lemma === other.lemma;
}

function digits(text: string): string {
  return text.replace(/,(?=\d{3})/g, "");
}
