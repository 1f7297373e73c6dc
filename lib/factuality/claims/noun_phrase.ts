import { isComma } from "./clause.ts";
import { isPossessive, type Word } from "./word.ts";

const DEFINITE = ["the", "this", "these", "those", "that"];

/**
 * The definite noun phrase that ends just before `end`: a name, or a noun with "the", "his", …;
 * undefined where there is none or where it is part of a list.
 */
export function antecedentBefore(words: readonly Word[], end: number): readonly Word[] | undefined {
  let start = end;
  while (start > 0 && isInside(words[start - 1]!)) start--;
  while (start > 1 && isNameJoint(words, start)) {
    start--;
    while (start > 0 && isInside(words[start - 1]!)) start--;
  }
  const before = words[start - 1];
  const isDetermined = before !== undefined &&
    (DEFINITE.includes(before.normal) || isPossessive(before.normal));
  const phrase = words.slice(isDetermined ? start - 1 : start, end);
  const outside = words[isDetermined ? start - 2 : start - 1];
  if (start === end || !phrase.some(isHead)) return undefined;
  if (outside && (outside.partOfSpeech === "CCONJ" || isComma(outside))) return undefined;
  if (!isDetermined && before?.partOfSpeech === "DET") return undefined;
  return isDetermined || isName(phrase) ? phrase : undefined;
}

/** "Oslo", "the University of Oslo" without its article: capitalised to its last word. */
export function isName(words: readonly Word[]): boolean {
  const last = words.findLast(({ enclosed }) => !enclosed) ?? words.at(-1);
  return last?.partOfSpeech === "PROPN";
}

function isHead({ partOfSpeech }: Word): boolean {
  return partOfSpeech === "NOUN" || partOfSpeech === "PROPN";
}

function isInside({ partOfSpeech, text, enclosed, normal }: Word): boolean {
  if (enclosed) return text !== "(" && text !== ")";
  if (partOfSpeech === "VERB" && /ing$/.test(normal)) return false;
  return ["NOUN", "PROPN", "ADJ", "NUM"].includes(partOfSpeech) ||
    /^(?:-|'s|’s)$/.test(text);
}

/** "University *of* Oslo". */
function isNameJoint(words: readonly Word[], start: number): boolean {
  return words[start - 1]!.normal === "of" && words[start]!.partOfSpeech === "PROPN" &&
    words[start - 2]!.partOfSpeech === "PROPN";
}
