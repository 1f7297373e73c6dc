import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import type { ItemToken, ItsFunction, WinkMethods } from "wink-nlp";
import type { TextSpan } from "../types.ts";

/** Universal parts of speech, as wink-nlp's English model gives them. */
export type PartOfSpeech =
  | "ADJ"
  | "ADP"
  | "ADV"
  | "AUX"
  | "CCONJ"
  | "DET"
  | "INTJ"
  | "NOUN"
  | "NUM"
  | "PART"
  | "PRON"
  | "PROPN"
  | "PUNCT"
  | "SCONJ"
  | "SPACE"
  | "SYM"
  | "VERB"
  | "X";

/** A word, number or mark, and where it stands. */
export interface EnglishToken extends TextSpan {
  /** As written. */
  readonly text: string;
  /** In lower case. */
  readonly normal: string;
  /** Dictionary form in lower case: `bear` for "born". */
  readonly lemma: string;
  readonly partOfSpeech: PartOfSpeech;
  readonly stopWord: boolean;
}

/** A stretch that wink-nlp's rules recognise: DATE, TIME, DURATION, CARDINAL, MONEY, PERCENT, … */
interface EnglishEntity extends TextSpan {
  readonly text: string;
  readonly type: string;
}

/** A text read once; the sentences are wink-nlp's own (see `sentencesOf` for more careful ones). */
interface EnglishText {
  /** In order, without overlap; white space is between them. */
  readonly tokens: readonly EnglishToken[];
  readonly entities: readonly EnglishEntity[];
  readonly sentences: readonly TextSpan[];
}

let loaded: WinkMethods | undefined;

/** The one instance of the house, loaded when it is first asked for (about 0.1 s). */
function english(): WinkMethods {
  return loaded ??= winkNLP(model);
}

/** Signs without a space in longer runs are no words: data of a picture, a key, a torn file. */
const LONGEST_RUN = 1_000;
const LONG_RUNS = new RegExp(`[\\x21-\\x7e]{${LONGEST_RUN + 1},}`, "g");

/**
 * Blanks in place of what follows the first signs of a longer run, so that offsets stay true: the
 * time that wink-nlp takes grows with the square of a run, 17 s for 100,000 letters.
 */
function withoutLongRuns(text: string): string {
  return text.replace(
    LONG_RUNS,
    (run) => run.slice(0, LONGEST_RUN) + " ".repeat(run.length - LONGEST_RUN),
  );
}

/**
 * Tokens, entities and sentences of an English text; never throws for what is in the text. Of a run of
 * more than 1,000 ASCII signs without a space the rest is passed over.
 */
export function readEnglish(whole: string): EnglishText {
  if (whole === "") return { tokens: [], entities: [], sentences: [] };
  const text = withoutLongRuns(whole);
  const nlp = english();
  const { its } = nlp;
  const document = nlp.readDoc(text);
  const spans = locate(text, document.tokens().out(its.value));
  const tokens = spans.map((span, index): EnglishToken => {
    const item = document.tokens().itemAt(index);
    return { ...span, text: text.slice(span.start, span.end), ...grammarOf(item, nlp) };
  }).filter(({ partOfSpeech, end, start }) => partOfSpeech !== "SPACE" && end > start);
  const types = document.entities().out(its.type) as readonly string[];
  const entities = stretches(spans, document.entities().out(its.span)).map((span, index) => ({
    ...span,
    text: text.slice(span.start, span.end),
    type: types[index]!,
  }));
  const sentences = stretches(spans, document.sentences().out(its.span));
  return { tokens: mended(tokens), entities, sentences };
}

/** From first to last token; white space alone is a sentence without tokens, and is left out. */
function stretches(spans: readonly TextSpan[], ofTokens: unknown): readonly TextSpan[] {
  return (ofTokens as readonly (readonly number[])[]).flatMap(([first, last]) => {
    const [from, to] = [spans[first!], spans[last!]];
    return from && to ? [{ start: from.start, end: to.end }] : [];
  });
}

function grammarOf(item: ItemToken, { its }: WinkMethods) {
  const normal = item.out().toLowerCase();
  // For some contractions wink-nlp has no lemma.
  const lemma = item.out(its.lemma as ItsFunction<string | undefined>)?.toLowerCase();
  return {
    normal,
    lemma: lemma || normal,
    partOfSpeech: item.out(its.pos) as PartOfSpeech,
    stopWord: item.out(its.stopWordFlag) as unknown as boolean,
  };
}

/** wink-nlp breaks a word at letters that it does not know ("Memovi|ć"): put together again. */
function mended(tokens: readonly EnglishToken[]): readonly EnglishToken[] {
  const words: EnglishToken[] = [];
  let isBroken = false;
  for (const token of tokens) {
    const before = words.at(-1);
    const isUnknown = token.partOfSpeech === "X" && /^\p{L}/u.test(token.text);
    const touches = before?.end === token.start && /^\p{L}/u.test(token.text) &&
      /\p{L}$/u.test(before.text);
    if (before && touches && (isUnknown || isBroken || before.partOfSpeech === "X")) {
      words[words.length - 1] = together(before, token);
      isBroken = true;
    } else {
      words.push(token);
      isBroken = isUnknown;
    }
  }
  return words;
}

function together(first: EnglishToken, second: EnglishToken): EnglishToken {
  const text = first.text + second.text;
  const isName = /^\p{Lu}/u.test(text);
  return {
    ...first,
    end: second.end,
    text,
    normal: text.toLowerCase(),
    lemma: text.toLowerCase(),
    partOfSpeech: isName ? "PROPN" : first.partOfSpeech,
    stopWord: false,
  };
}

/** wink-nlp keeps values and not offsets: each value is found behind the one before it. */
function locate(text: string, values: readonly string[]): readonly TextSpan[] {
  let cursor = 0;
  return values.map((value) => {
    const found = text.indexOf(value, cursor);
    const start = found < 0 ? cursor : found;
    cursor = found < 0 ? cursor : found + value.length;
    return { start, end: cursor };
  });
}

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
    partOfSpeech: mendedPartOfSpeech(tokens, index),
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
function mendedPartOfSpeech(tokens: readonly EnglishToken[], index: number): PartOfSpeech {
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

const NOT_FINITE_AUXILIARIES = new Set(["be", "been", "being", "having", "to"]);

/** Past participles that are not past tenses as well. */
const PARTICIPLES = new Set(
  ("born known been done gone seen written taken given driven chosen spoken drawn grown thrown " +
    "flown shown worn broken forgotten beaten begun sung drunk sworn risen fallen eaten hidden " +
    "ridden bitten forbidden stolen frozen woken proven torn based located situated").split(" "),
);

/** Past tenses that look like the base form. */
const INVARIANT = new Set("set put cut hit cast beat quit spread split cost burst".split(" "));

/** "wins", "goes", "is", "has". */
export function isThirdPerson({ normal, lemma, partOfSpeech }: Word): boolean {
  if (partOfSpeech === "AUX") return ["is", "has", "does", "was", "'s"].includes(normal);
  return partOfSpeech === "VERB" && normal !== lemma && /s$/.test(normal) && !/ss$/.test(normal);
}

/** "won", "wrote", "played", "set": a past tense, or a participle that looks like one. */
export function isPast(word: Word): boolean {
  const { normal, lemma, partOfSpeech } = word;
  if (partOfSpeech !== "VERB" || PARTICIPLES.has(normal) || /ing$/.test(normal)) return false;
  return INVARIANT.has(normal) || normal !== lemma && !isThirdPerson(word);
}

/** A past participle: "born", "published", also one that could be a past tense. */
export function isParticiple(word: Word): boolean {
  return word.partOfSpeech === "VERB" && (PARTICIPLES.has(word.normal) || isPast(word));
}

/** A verb or auxiliary that can carry a clause. */
export function isFinite(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (!word) return false;
  // "self-titled" carries nothing.
  if (words[index - 1]?.text === "-" && !word.spaced) return false;
  if (word.partOfSpeech === "AUX") return !NOT_FINITE_AUXILIARIES.has(word.normal);
  if (word.partOfSpeech !== "VERB" || PARTICIPLES.has(word.normal)) return false;
  return !/ing$/.test(word.normal) && words[index - 1]?.normal !== "to";
}

/** Finite beyond doubt: an auxiliary, a form in -s, or a past tense with its object behind it. */
export function isSurelyFinite(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (!word || !isFinite(words, index)) return false;
  if (word.partOfSpeech === "AUX" || isThirdPerson(word)) return true;
  if (!isPast(word)) return false;
  const next = words[index + 1];
  return !/ed$/.test(word.normal) || startsObject(next);
}

/** What an object begins with. */
export function startsObject(word: Word | undefined): boolean {
  if (!word) return false;
  if (word.enclosed && /^["“]$/.test(word.text)) return true;
  return ["DET", "PROPN", "PRON", "NUM", "ADJ", "NOUN"].includes(word.partOfSpeech) &&
    !["who", "which", "that"].includes(word.normal);
}

/** "not", "never", "no". */
export function isNegation({ normal }: Word): boolean {
  return ["not", "n't", "never", "no", "nor", "neither", "none", "without", "hardly"]
    .includes(normal);
}

/** "is", "plays": singular; "are", "have": plural; undefined where the form does not say. */
export function numberOf(word: Word): "singular" | "plural" | undefined {
  if (["are", "were", "have", "do"].includes(word.normal)) return "plural";
  return isThirdPerson(word) ? "singular" : undefined;
}

/** The first word from `start` on that is no adverb. */
export function behindAdverbs(words: readonly Word[], start: number): number {
  let index = start;
  while (words[index]?.partOfSpeech === "ADV") index++;
  return index;
}

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
