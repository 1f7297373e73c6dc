import type { TextSpan } from "../text_span.ts";
import { type EnglishToken, type PartOfSpeech, readEnglish } from "./english.ts";

/** A word of a sentence that is being taken apart. Offsets are those of the whole text. */
export interface Word extends TextSpan {
  readonly text: string;
  readonly normal: string;
  readonly lemma: string;
  readonly partOfSpeech: PartOfSpeech;
  /** White space before it. */
  readonly spaced: boolean;
  /** Inside a quotation or bracket, marks included: nothing is split there. */
  readonly enclosed: boolean;
  /** False for a word supplied from elsewhere: a subject, a copula. */
  readonly own: boolean;
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "«": "»",
  "(": ")",
  "[": "]",
};

/** A footnote's mark: "[3]". */
const FOOTNOTE = /\[\d{1,3}\]/g;

/** Words of the sentence that stands at `offset`, without footnote and emphasis marks. */
export function wordsOf(sentence: string, offset: number): readonly Word[] {
  const blank = (mark: string) => " ".repeat(mark.length);
  const plain = sentence.replace(FOOTNOTE, blank).replace(/\*\*|__/g, blank);
  const tokens = readEnglish(plain).tokens;
  const enclosed = enclosures(tokens);
  return tokens.map((token, index): Word => ({
    start: token.start + offset,
    end: token.end + offset,
    text: token.text,
    normal: token.normal,
    lemma: token.lemma,
    partOfSpeech: mended(tokens, index),
    spaced: index > 0 && tokens[index - 1]!.end < token.start,
    enclosed: enclosed[index]!,
    own: true,
  }));
}

/** A word that does not stand in the sentence: a copula, or an article before another noun. */
export function suppliedWord(text: string, partOfSpeech: PartOfSpeech, lemma = text): Word {
  const normal = text.toLowerCase();
  const nowhere = { start: 0, end: 0, spaced: true, enclosed: false, own: false };
  return { text, normal, lemma, partOfSpeech, ...nowhere };
}

/** Words repeated from another part of the sentence. */
export function supplied(words: readonly Word[]): readonly Word[] {
  return words.map((word) => ({ ...word, own: false }));
}

function enclosures(tokens: readonly EnglishToken[]): readonly boolean[] {
  const enclosed = tokens.map(() => false);
  tokens.forEach(({ text }, open) => {
    const mark = enclosed[open] ? undefined : CLOSING[text];
    if (mark === undefined) return;
    const close = tokens.findIndex((token, index) => index > open && token.text === mark);
    enclosed.fill(true, open, close < 0 ? tokens.length : close + 1);
  });
  return enclosed;
}

/** wink-nlp takes names for verbs ("Hull FC", "Focus is") and some verbs for nouns ("starred in"). */
function mended(tokens: readonly EnglishToken[], index: number): PartOfSpeech {
  const { text, partOfSpeech } = tokens[index]!;
  // "Seung-won" is one name.
  if (["VERB", "NOUN", "ADJ"].includes(partOfSpeech) && isTailOfName(tokens, index)) return "PROPN";
  if (/^\p{Lu}/u.test(text) && ["VERB", "NOUN"].includes(partOfSpeech)) {
    return index > 0 || isNameAtStart(tokens) ? "PROPN" : partOfSpeech;
  }
  return isVerb(tokens, index) ? "VERB" : partOfSpeech;
}

/** Behind a surname and a hyphen; "Oslo-based" and the like are no names. */
function isTailOfName(tokens: readonly EnglishToken[], index: number): boolean {
  const [surname, name, hyphen] = tokens.slice(Math.max(0, index - 3), index);
  const { text, start } = tokens[index]!;
  return index > 2 && hyphen!.text === "-" && hyphen!.end === start &&
    surname!.partOfSpeech === "PROPN" && /^\p{Lu}/u.test(name!.text) &&
    !/(?:ed|born|led|made|ing|style|wide|like|bound|area|era|year|old)$/.test(text);
}

/** "Don Featherstone was", "Focus also plays". */
function isNameAtStart([first, second, third]: readonly EnglishToken[]): boolean {
  if (first!.partOfSpeech !== "VERB" || first!.normal !== first!.lemma || !second) return false;
  const isPassedOver = ["PROPN", "ADV"].includes(second.partOfSpeech);
  const verb = isPassedOver ? third : second;
  return verb !== undefined && verb.partOfSpeech === "AUX" ||
    verb?.partOfSpeech === "VERB" && verb.normal !== verb.lemma && !/ing$/.test(verb.normal);
}

/** "She starred in", "Ada anchors the news": a small word behind a name and before an object. */
function isVerb(tokens: readonly EnglishToken[], index: number): boolean {
  const { text, partOfSpeech } = tokens[index]!;
  const isAdverb = tokens[index - 1]?.partOfSpeech === "ADV" && index > 1;
  const before = tokens[isAdverb ? index - 2 : index - 1];
  const after = tokens[index + 1];
  if (!before || !after || !["NOUN", "ADJ", "PROPN"].includes(partOfSpeech)) return false;
  const isName = before.partOfSpeech === "PROPN";
  if (!isName && (before.partOfSpeech !== "PRON" || isPossessive(before.normal))) return false;
  const isObject = after.partOfSpeech === "DET" || isName && after.partOfSpeech === "PROPN";
  if (/^[a-z]+s$/.test(text)) {
    return partOfSpeech === "NOUN" && (!isName || after.partOfSpeech === "DET" ||
      index === 1 && ["PROPN", "NOUN"].includes(after.partOfSpeech) && !hasVerb(tokens, index + 1));
  }
  if (text === "married" && isName && ["NOUN", "ADJ"].includes(after.partOfSpeech)) return true;
  return /^[a-z]+ed$/.test(text) &&
    (isObject || ["ADP", "ADV", "PRON"].includes(after.partOfSpeech));
}

/** Before the next conjunction or mark. */
function hasVerb(tokens: readonly EnglishToken[], start: number): boolean {
  const end = tokens.findIndex(({ partOfSpeech }, index) =>
    index >= start && (partOfSpeech === "CCONJ" || partOfSpeech === "PUNCT")
  );
  return tokens.slice(start, end < 0 ? undefined : end).some(({ partOfSpeech }) =>
    ["VERB", "AUX"].includes(partOfSpeech)
  );
}

const POSSESSIVES = ["his", "her", "its", "their", "my", "our", "your"];

/** "his", "her", "their", … */
export function isPossessive(normal: string): boolean {
  return POSSESSIVES.includes(normal);
}
