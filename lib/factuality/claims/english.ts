import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import type { ItemToken, ItsFunction, WinkMethods } from "wink-nlp";
import type { TextSpan } from "../types.ts";

/** Universal parts of speech, as wink-nlp's English model gives them. */
export type PartOfSpeech =
  | ("ADJ" | "ADP" | "ADV" | "AUX" | "CCONJ" | "DET" | "INTJ" | "NOUN" | "NUM")
  | ("PART" | "PRON" | "PROPN" | "PUNCT" | "SCONJ" | "SPACE" | "SYM" | "VERB" | "X");

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

let loaded: WinkMethods | undefined;

/** Signs without a space in longer runs are no words: data of a picture, a key, a torn file. */
const LONGEST_RUN = 1_000;
const LONG_RUNS = new RegExp(`[\\x21-\\x7e]{${LONGEST_RUN + 1},}`, "g");

/** What is read again, a source's sentences with every claim, is kept: so many characters, some 10 MB. */
const KEPT_CHARACTERS = 200_000;
const kept = new Map<string, ReturnType<typeof readAnew>>();
let keptCharacters = 0;

/**
 * Tokens of an English text, white space between them, and wink-nlp's own sentences (see `sentencesOf` for
 * more careful ones); never throws for what is in the text. Of a run of
 * more than 1,000 ASCII signs without a space the rest is passed over: the time that wink-nlp takes
 * grows with the square of a run, 17 s for 100,000 letters.
 */
export function readEnglish(text: string): ReturnType<typeof readAnew> {
  const found = kept.get(text);
  if (found !== undefined) return found;
  keptCharacters += text.length;
  if (keptCharacters > KEPT_CHARACTERS) {
    kept.clear();
    keptCharacters = text.length;
  }
  const read = readAnew(text);
  kept.set(text, read);
  return read;
}

function readAnew(whole: string) {
  if (whole === "") return { tokens: [], sentences: [] };
  // Blanks in their place, so that offsets stay true.
  const shortened = (run: string) => run.slice(0, LONGEST_RUN).padEnd(run.length);
  const text = whole.replace(LONG_RUNS, shortened);
  // The one instance of the house, loaded when it is first asked for (about 0.1 s).
  const nlp = loaded ??= winkNLP(model, ["sbd", "pos"]);
  const { its } = nlp;
  const document = nlp.readDoc(text);
  const spans = locate(text, document.tokens().out(its.value));
  // From first to last token; white space alone is a sentence without tokens, and is left out.
  const stretches = document.sentences().out(its.span) as unknown as readonly (readonly number[])[];
  const sentences = stretches.flatMap(([first, last]) => {
    const [from, to] = [spans[first!], spans[last!]];
    return from && to ? [{ start: from.start, end: to.end }] : [];
  });
  let read: readonly EnglishToken[] | undefined;
  return {
    sentences,
    // Made when they are asked for: sentences alone take half the time.
    get tokens() {
      return read ??= mended(
        spans.map((span, index): EnglishToken => ({
          ...span,
          text: text.slice(span.start, span.end),
          ...grammarOf(document.tokens().itemAt(index), nlp),
        })).filter(({ partOfSpeech, end, start }) => partOfSpeech !== "SPACE" && end > start),
      );
    },
  };
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
    const isUnknown = is(token, "X") && /^\p{L}/u.test(token.text);
    const touches = before?.end === token.start && /^\p{L}/u.test(token.text) &&
      /\p{L}$/u.test(before.text);
    if (before && touches && (isUnknown || isBroken || is(before, "X"))) {
      const text = before.text + token.text;
      const normal = text.toLowerCase();
      const partOfSpeech = /^\p{Lu}/u.test(text) ? "PROPN" : before.partOfSpeech;
      const whole = { text, normal, lemma: normal, partOfSpeech, stopWord: false };
      words[words.length - 1] = { ...before, end: token.end, ...whole };
      isBroken = true;
    } else {
      words.push(token);
      isBroken = isUnknown;
    }
  }
  return words;
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
export interface Word extends Omit<EnglishToken, "stopWord"> {
  /** White space before it. */
  readonly spaced: boolean;
  /** Inside a quotation or bracket, marks included: nothing is split there. */
  readonly enclosed: boolean;
  /** False for a word supplied from elsewhere: a subject, a copula. */
  readonly own: boolean;
}

/** Words in order. */
export type Words = readonly Word[];

type Grammar = Pick<EnglishToken, "normal" | "lemma" | "partOfSpeech">;

/** Whether there is a word and it is of one of these parts of speech. */
export const is = (word: Grammar | undefined, ...parts: readonly PartOfSpeech[]): boolean =>
  word !== undefined && parts.includes(word.partOfSpeech);

/** Whether there is a word and it is one of these, in lower case. */
export const says = (word: Grammar | undefined, ...forms: readonly string[]): boolean =>
  word !== undefined && forms.includes(word.normal);

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "«": "»",
  "(": ")",
  "[": "]",
};

/** Marks of Markdown around words: `[words](address)`, `*words*`. */
const LINK = /\[([^[\]]+)\]\((?:https?:|[./#])[^)\s]*\)/g;
const EMPHASIS = /(?<=^|[\s("“])\*([^*\s]|[^*\s][^*]*[^*\s])\*(?=[\s.,;:!?)"”]|$)/g;

/** Words of the sentence that stands at `offset`, without footnotes ("[3]"), emphasis marks and addresses of links. */
export function wordsOf(sentence: string, offset: number): Words {
  // Blanks in their place, so that offsets stay true.
  const bare = (marked: string, words: string) => ` ${words}`.padEnd(marked.length);
  const plain = sentence.replace(/\[\d{1,3}\]|\*\*|__/g, (mark) => " ".repeat(mark.length))
    .replace(LINK, bare).replace(EMPHASIS, bare);
  const tokens = readEnglish(plain).tokens;
  const enclosed = tokens.map(() => false);
  tokens.forEach(({ text }, open) => {
    const mark = enclosed[open] ? undefined : CLOSING[text];
    if (mark === undefined) return;
    const close = tokens.findIndex((token, index) => index > open && token.text === mark);
    enclosed.fill(true, open, close < 0 ? tokens.length : close + 1);
  });
  return tokens.map(({ start, end, text, normal, lemma }, index) => ({
    start: start + offset,
    end: end + offset,
    text,
    normal,
    lemma,
    partOfSpeech: mendedPartOfSpeech(tokens, index),
    spaced: index > 0 && tokens[index - 1]!.end < start,
    enclosed: enclosed[index]!,
    own: true,
  }));
}

/** A word that does not stand in the sentence: a copula, or an article before another noun. */
export function suppliedWord(text: string, partOfSpeech: PartOfSpeech, lemma = text): Word {
  const nowhere = { start: 0, end: 0, spaced: true, enclosed: false, own: false };
  return { text, normal: text.toLowerCase(), lemma, partOfSpeech, ...nowhere };
}

/** Words repeated from another part of the sentence. */
export const supplied = (words: Words): Words => words.map((word) => ({ ...word, own: false }));

/** wink-nlp takes names for verbs ("Hull FC", "Focus is") and some verbs for nouns ("starred in"). */
function mendedPartOfSpeech(tokens: readonly EnglishToken[], index: number): PartOfSpeech {
  const token = tokens[index]!;
  // "Seung-won" is one name.
  if (is(token, "VERB", "NOUN", "ADJ") && isTailOfName(tokens, index)) return "PROPN";
  if (/^\p{Lu}/u.test(token.text) && is(token, "VERB", "NOUN")) {
    return index > 0 || isNameAtStart(tokens) ? "PROPN" : token.partOfSpeech;
  }
  // "The Lumo One".
  if (is(token, "NUM") && /^\p{Lu}\p{Ll}+$/u.test(token.text) && is(tokens[index - 1], "PROPN")) {
    return "PROPN";
  }
  return isVerb(tokens, index) ? "VERB" : token.partOfSpeech;
}

/** Behind a surname and a hyphen; "Oslo-based" and the like are no names. */
function isTailOfName(tokens: readonly EnglishToken[], index: number): boolean {
  const [surname, name, hyphen] = tokens.slice(Math.max(0, index - 3), index);
  const { text, start } = tokens[index]!;
  return index > 2 && hyphen!.text === "-" && hyphen!.end === start && is(surname, "PROPN") &&
    /^\p{Lu}/u.test(name!.text) &&
    !/(?:ed|born|led|made|ing|style|wide|like|bound|area|era|year|old)$/.test(text);
}

/** "Don Featherstone was", "Focus also plays". */
function isNameAtStart([first, second, third]: readonly EnglishToken[]): boolean {
  if (!is(first, "VERB") || first!.normal !== first!.lemma || !second) return false;
  const verb = is(second, "PROPN", "ADV") ? third : second;
  return is(verb, "AUX") ||
    is(verb, "VERB") && verb!.normal !== verb!.lemma && !/ing$/.test(verb!.normal);
}

/** "She starred in", "Ada anchors the news": a small word behind a name and before an object. */
function isVerb(tokens: readonly EnglishToken[], index: number): boolean {
  const token = tokens[index]!;
  if (isNextPredicate(tokens, index)) return true;
  const isAdverb = is(tokens[index - 1], "ADV") && index > 1;
  const before = tokens[isAdverb ? index - 2 : index - 1];
  const after = tokens[index + 1];
  if (!before || !after || !is(token, "NOUN", "ADJ", "PROPN")) return false;
  const isName = is(before, "PROPN");
  if (!isName && (!is(before, "PRON") || isPossessive(before.normal))) return false;
  if (/^[a-z]+s$/.test(token.text)) {
    const isSubject = index === 1 && is(after, "PROPN", "NOUN") && !hasVerb(tokens, index + 1);
    return is(token, "NOUN") && (!isName || is(after, "DET") || isSubject);
  }
  if (token.text === "married" && isName && is(after, "NOUN", "ADJ")) return true;
  return /^[a-z]+ed$/.test(token.text) &&
    (is(after, "DET", "ADP", "ADV", "PRON") || isName && is(after, "PROPN"));
}

/**
 * "It weighs 158 g, costs €99, and is red", "took three years and cost two million": behind a comma or a
 * conjunction, before an amount, and behind a verb of the same tense.
 */
function isNextPredicate(tokens: readonly EnglishToken[], index: number): boolean {
  const token = tokens[index]!;
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  const isAmount = is(after, "NUM", "SYM") || /^[$€£¥]|^an?$/.test(after?.text ?? "");
  if (!is(token, "NOUN") || !isAmount || before?.text !== "," && !is(before, "CCONJ")) return false;
  const verbs = tokens.slice(0, index).filter((one) => is(one, "VERB", "AUX"));
  if (/^[a-z]+s$/.test(token.text)) {
    return before?.text === "," && verbs.some(({ text }) => /s$/.test(text));
  }
  return INVARIANT.test(token.text) &&
    verbs.some((one) =>
      is(one, "VERB") && one.normal !== one.lemma && !/(?:s|ing)$/.test(one.text)
    );
}

/** Before the next conjunction or mark. */
function hasVerb(tokens: readonly EnglishToken[], start: number): boolean {
  const end = tokens.findIndex((token, index) => index >= start && is(token, "CCONJ", "PUNCT"));
  return tokens.slice(start, end < 0 ? undefined : end).some((token) => is(token, "VERB", "AUX"));
}

/** "his", "her", "their", … */
export const isPossessive = (normal: string): boolean =>
  /^(?:his|her|its|their|my|our|your)$/.test(normal);

/** Past participles that are not past tenses as well. */
const PARTICIPLES = new Set(
  ("born known been done gone seen written taken given driven chosen spoken drawn grown thrown " +
    "flown shown worn broken forgotten beaten begun sung drunk sworn risen fallen eaten hidden " +
    "ridden bitten forbidden stolen frozen woken proven torn based located situated").split(" "),
);

/** Past tenses that look like the base form. */
const INVARIANT = /^(?:set|put|cut|hit|cast|beat|quit|spread|split|cost|burst)$/;

/** "wins", "goes", "is", "has". */
export function isThirdPerson(word: Word): boolean {
  const { normal, lemma } = word;
  if (is(word, "AUX")) return says(word, "is", "has", "does", "was", "'s");
  return is(word, "VERB") && normal !== lemma && /s$/.test(normal) && !/ss$/.test(normal);
}

/** "won", "wrote", "played", "set": a past tense, or a participle that looks like one. */
export function isPast(word: Word): boolean {
  const { normal, lemma } = word;
  if (!is(word, "VERB") || PARTICIPLES.has(normal) || /ing$/.test(normal)) return false;
  return INVARIANT.test(normal) || normal !== lemma && !isThirdPerson(word);
}

/** A past participle: "born", "published", also one that could be a past tense. */
export const isParticiple = (word: Word): boolean =>
  is(word, "VERB") && (PARTICIPLES.has(word.normal) || isPast(word));

/** A verb or auxiliary that can carry a clause. */
export function isFinite(words: Words, index: number): boolean {
  const word = words[index];
  // "self-titled" carries nothing.
  if (!word || words[index - 1]?.text === "-" && !word.spaced) return false;
  if (is(word, "AUX")) return !says(word, "be", "been", "being", "having", "to");
  if (!is(word, "VERB") || PARTICIPLES.has(word.normal)) return false;
  return !/ing$/.test(word.normal) && !says(words[index - 1], "to");
}

/** Finite beyond doubt: an auxiliary, a form in -s, or a past tense with its object behind it. */
export function isSurelyFinite(words: Words, index: number): boolean {
  const word = words[index];
  if (!word || !isFinite(words, index)) return false;
  if (is(word, "AUX") || isThirdPerson(word)) return true;
  return isPast(word) && (!/ed$/.test(word.normal) || startsObject(words[index + 1]));
}

/** What an object begins with. */
export function startsObject(word: Word | undefined): boolean {
  if (word?.enclosed && /^["“]$/.test(word.text)) return true;
  return is(word, "DET", "PROPN", "PRON", "NUM", "ADJ", "NOUN") &&
    !says(word, "who", "which", "that");
}

/** "not", "never", "no". */
export const isNegation = ({ normal }: Word): boolean =>
  /^(?:not|n't|never|no|nor|neither|none|without|hardly)$/.test(normal);

/** "is", "plays": singular; "are", "have": plural; undefined where the form does not say. */
export function numberOf(word: Word): "singular" | "plural" | undefined {
  if (says(word, "are", "were", "have", "do")) return "plural";
  return isThirdPerson(word) ? "singular" : undefined;
}

/** The first word from `start` on that is no adverb. */
export function behindAdverbs(words: Words, start: number): number {
  let index = start;
  while (is(words[index], "ADV")) index++;
  return index;
}

/** Words that a statement may add or leave out without saying anything else. */
const LIGHT = new Set(
  ("be have do also then there here very called named one who which that some such as well not")
    .split(" "),
);

/** Nouns, names, verbs, adjectives, adverbs and numbers, without the lightest. */
export const contentWords = (words: Words): Words =>
  words.filter((word) =>
    is(word, "NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X") && !LIGHT.has(word.lemma) &&
    /[\p{L}\p{N}]/u.test(word.text)
  );

/** The same dictionary form or spelling; numbers by their digits ("1,000" is "1000"). */
export function sameWord(one: Word, other: Word): boolean {
  const digits = ({ normal }: Word) => normal.replace(/,(?=\d{3})/g, "");
  if (/^\d/.test(one.normal)) return digits(one) === digits(other);
  return one.normal === other.normal || one.lemma === other.lemma;
}

/** Countries and territories in English, as Unicode's CLDR names them, and what else they are called. */
export const COUNTRIES = new Set([
  ...countryNames(),
  ..."Burma, Czech Republic, Great Britain, Ivory Coast, Saint Barthelemy, Swaziland, Turkey, UK, US, USA"
    .split(", "),
  "United States of America",
]);

function countryNames(): readonly string[] {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const unions = ["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"];
  return letters.flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => (unions.includes(code) ? undefined : names.of(code)) ?? [])
    .map((name) =>
      plainName(name.replace(/ \(.*/, "").replace("&", "and").replace("St.", "Saint"))
    );
}

/** Without an article and accents, as names are written now with them and now without. */
export function plainName(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").replace("’", "'");
  return plain.replace(/^the /i, "");
}

/** Whether a name is a country's or territory's. */
export const isCountry = (name: string): boolean => COUNTRIES.has(plainName(name));

/** Shorter Latin texts, names mostly, are taken for any language. */
const LEAST_LETTERS = 25;

/** So far (of 1) English must be behind: a sentence of foreign names is closer than that. */
const LEAST_LEAD = 0.15;

/**
 * The name of a text's language; undefined for English, which every component here reads alone, and for
 * what is too short or mixed.
 */
export async function foreignLanguage(text: string): Promise<string | undefined> {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isLatin = /\p{Script=Latin}/u.test(text);
  if (letters === 0 || isLatin && letters < LEAST_LETTERS) return undefined;
  const { default: detector } = await import("eld/small");
  const found = detector.detect(text);
  const { [found.language]: best = 0, en: english = 0 } = found.getScores();
  if (!found.isReliable() || best - english < LEAST_LEAD) return undefined;
  return new Intl.DisplayNames("en", { type: "language" }).of(found.language);
}
