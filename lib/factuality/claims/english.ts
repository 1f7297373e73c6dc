import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import type { ItemToken, ItsFunction, WinkMethods } from "wink-nlp";
import type { TextSpan } from "../types.ts";

/** Universal parts of speech, as wink-nlp's English model assigns them. */
export type PartOfSpeech =
  | ("ADJ" | "ADP" | "ADV" | "AUX" | "CCONJ" | "DET" | "INTJ" | "NOUN" | "NUM")
  | ("PART" | "PRON" | "PROPN" | "PUNCT" | "SCONJ" | "SPACE" | "SYM" | "VERB" | "X");

/** A word, number or punctuation mark with its span. */
export interface EnglishToken extends TextSpan {
  /** Spelling in the text. */
  readonly text: string;
  /** Spelling in lower case. */
  readonly normal: string;
  /** Dictionary form in lower case: `bear` for "born". */
  readonly lemma: string;
  readonly partOfSpeech: PartOfSpeech;
  readonly stopWord: boolean;
}

let loaded: WinkMethods | undefined;

/**
 * Maximum length in characters of a run without white space. Longer runs are data, keys or damage.
 */
const MAX_RUN = 1_000;
const LONG_RUNS = new RegExp(`[\\x21-\\x7e]{${MAX_RUN + 1},}`, "g");

/** Maximum number of characters whose analyses are cached, about 10 MB of memory. */
const MAX_CACHED_CHARACTERS = 200_000;
const analyses = new Map<string, ReturnType<typeof analyseEnglish>>();
let cachedCharacters = 0;

/**
 * Returns tokens, white space and wink-nlp's sentences of an English text. `sentencesOf` splits
 * sentences more carefully. Never throws because of the text. A run of more than 1,000 ASCII
 * characters without white space is cut there: wink-nlp's time grows with the square of its length
 * (17 s for 100,000 letters).
 */
export function readEnglish(text: string): ReturnType<typeof analyseEnglish> {
  const cached = analyses.get(text);
  if (cached !== undefined) return cached;
  cachedCharacters += text.length;
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    analyses.clear();
    cachedCharacters = text.length;
  }
  const read = analyseEnglish(text);
  analyses.set(text, read);
  return read;
}

function analyseEnglish(whole: string) {
  if (whole === "") return { tokens: [], sentences: [] };
  // Blanks in their place, so that offsets stay true.
  const shortened = (run: string) => run.slice(0, MAX_RUN).padEnd(run.length);
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
      return read ??= rejoinTokens(
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

/** Rejoins words that wink-nlp breaks at unknown letters ("Memovi|ć"). */
function rejoinTokens(tokens: readonly EnglishToken[]): readonly EnglishToken[] {
  const words: EnglishToken[] = [];
  let isBroken = false;
  for (const token of tokens) {
    const before = words.at(-1);
    const isUnknown = hasTag(token, "X") && /^\p{L}/u.test(token.text);
    const touches = before?.end === token.start && /^\p{L}/u.test(token.text) &&
      /\p{L}$/u.test(before.text);
    if (before && touches && (isUnknown || isBroken || hasTag(before, "X"))) {
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

/** Locates wink-nlp's token values in the text, since they have no offsets. */
function locate(text: string, values: readonly string[]): readonly TextSpan[] {
  let cursor = 0;
  return values.map((value) => {
    const index = text.indexOf(value, cursor);
    const start = index < 0 ? cursor : index;
    cursor = index < 0 ? cursor : index + value.length;
    return { start, end: cursor };
  });
}

/** A word of a sentence being split. Offsets are those of the whole text. */
export interface TaggedWord extends Omit<EnglishToken, "stopWord"> {
  /** White space precedes the word. */
  readonly spaced: boolean;
  /** True inside a quotation or brackets, marks included, where nothing is split. */
  readonly enclosed: boolean;
  /** False for a word supplied from elsewhere, a subject or a copula. */
  readonly isOriginal: boolean;
}

/** Words in text order. */
export type Words = readonly TaggedWord[];

type Grammar = Pick<EnglishToken, "normal" | "lemma" | "partOfSpeech">;

/** Tests that a word exists and has one of the parts of speech. */
export const hasTag = (word: Grammar | undefined, ...parts: readonly PartOfSpeech[]): boolean =>
  word !== undefined && parts.includes(word.partOfSpeech);

/** Tests that a word exists and is one of the forms, in lower case. */
export const hasForm = (word: Grammar | undefined, ...forms: readonly string[]): boolean =>
  word !== undefined && forms.includes(word.normal);

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "«": "»",
  "(": ")",
  "[": "]",
};

/** Markdown marks around words: `[words](address)`, `*words*`. */
const LINK = /\[([^[\]]+)\]\((?:https?:|[./#])[^)\s]*\)/g;
const EMPHASIS = /(?<=^|[\s("“])\*([^*\s]|[^*\s][^*]*[^*\s])\*(?=[\s.,;:!?)"”]|$)/g;

/**
 * Words of the sentence at `offset` without footnotes ("[3]"), emphasis marks and link addresses.
 */
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
    partOfSpeech: correctedPartOfSpeech(tokens, index),
    spaced: index > 0 && tokens[index - 1]!.end < start,
    enclosed: enclosed[index]!,
    isOriginal: true,
  }));
}

/** Makes a word that is not in the sentence: a copula or another article. */
export function suppliedWord(text: string, partOfSpeech: PartOfSpeech, lemma = text): TaggedWord {
  const nowhere = { start: 0, end: 0, spaced: true, enclosed: false, isOriginal: false };
  return { text, normal: text.toLowerCase(), lemma, partOfSpeech, ...nowhere };
}

/** Marks words as repeated from another part of the sentence. */
export const asSupplied = (words: Words): Words =>
  words.map((word) => ({ ...word, isOriginal: false }));

/**
 * Corrects the part of speech where wink-nlp confuses names and verbs ("Hull FC", "Focus is",
 * "starred in").
 */
function correctedPartOfSpeech(tokens: readonly EnglishToken[], index: number): PartOfSpeech {
  const token = tokens[index]!;
  // "Seung-won" is one name.
  if (hasTag(token, "VERB", "NOUN", "ADJ") && isTailOfName(tokens, index)) return "PROPN";
  if (/^\p{Lu}/u.test(token.text) && hasTag(token, "VERB", "NOUN")) {
    return index > 0 || isNameAtStart(tokens) ? "PROPN" : token.partOfSpeech;
  }
  // "The Lumo One".
  if (
    hasTag(token, "NUM") && /^\p{Lu}\p{Ll}+$/u.test(token.text) &&
    hasTag(tokens[index - 1], "PROPN")
  ) {
    return "PROPN";
  }
  return isVerb(tokens, index) ? "VERB" : token.partOfSpeech;
}

/** Detects the tail of a hyphenated surname; "Oslo-based" and the like are no names. */
function isTailOfName(tokens: readonly EnglishToken[], index: number): boolean {
  const [surname, name, hyphen] = tokens.slice(Math.max(0, index - 3), index);
  const { text, start } = tokens[index]!;
  return index > 2 && hyphen!.text === "-" && hyphen!.end === start && hasTag(surname, "PROPN") &&
    /^\p{Lu}/u.test(name!.text) &&
    !/(?:ed|born|led|made|ing|style|wide|like|bound|area|era|year|old)$/.test(text);
}

/** Detects a name at the start of a sentence: "Don Featherstone was", "Focus also plays". */
function isNameAtStart([first, second, third]: readonly EnglishToken[]): boolean {
  if (!hasTag(first, "VERB") || first!.normal !== first!.lemma || !second) return false;
  const verb = hasTag(second, "PROPN", "ADV") ? third : second;
  return hasTag(verb, "AUX") ||
    hasTag(verb, "VERB") && verb!.normal !== verb!.lemma && !/ing$/.test(verb!.normal);
}

/** Detects a verb after a name and before an object: "She starred in", "Ada anchors the news". */
function isVerb(tokens: readonly EnglishToken[], index: number): boolean {
  const token = tokens[index]!;
  if (isNextPredicate(tokens, index)) return true;
  const isAdverb = hasTag(tokens[index - 1], "ADV") && index > 1;
  const before = tokens[isAdverb ? index - 2 : index - 1];
  const after = tokens[index + 1];
  if (!before || !after || !hasTag(token, "NOUN", "ADJ", "PROPN")) return false;
  const isName = hasTag(before, "PROPN");
  if (!isName && (!hasTag(before, "PRON") || isPossessive(before.normal))) return false;
  if (/^[a-z]+s$/.test(token.text)) {
    const isSubject = index === 1 && hasTag(after, "PROPN", "NOUN") && !hasVerb(tokens, index + 1);
    return hasTag(token, "NOUN") && (!isName || hasTag(after, "DET") || isSubject);
  }
  if (token.text === "married" && isName && hasTag(after, "NOUN", "ADJ")) return true;
  return /^[a-z]+ed$/.test(token.text) &&
    (hasTag(after, "DET", "ADP", "ADV", "PRON") || isName && hasTag(after, "PROPN"));
}

/**
 * "It weighs 158 g, costs €99, and is red", "took three years and cost two million": behind a comma or a
 * conjunction, before an amount, and behind a verb of the same tense.
 */
function isNextPredicate(tokens: readonly EnglishToken[], index: number): boolean {
  const token = tokens[index]!;
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  const isAmount = hasTag(after, "NUM", "SYM") || /^[$€£¥]|^an?$/.test(after?.text ?? "");
  if (!hasTag(token, "NOUN") || !isAmount || before?.text !== "," && !hasTag(before, "CCONJ")) {
    return false;
  }
  const verbs = tokens.slice(0, index).filter((one) => hasTag(one, "VERB", "AUX"));
  if (/^[a-z]+s$/.test(token.text)) {
    return before?.text === "," && verbs.some(({ text }) => /s$/.test(text));
  }
  return INVARIANT.test(token.text) &&
    verbs.some((one) =>
      hasTag(one, "VERB") && one.normal !== one.lemma && !/(?:s|ing)$/.test(one.text)
    );
}

/** Tests for a verb before the next conjunction or punctuation mark. */
function hasVerb(tokens: readonly EnglishToken[], start: number): boolean {
  const end = tokens.findIndex((token, index) => index >= start && hasTag(token, "CCONJ", "PUNCT"));
  return tokens.slice(start, end < 0 ? undefined : end).some((token) =>
    hasTag(token, "VERB", "AUX")
  );
}

/** Detects a possessive determiner: "his", "her", "their", …. */
export const isPossessive = (normal: string): boolean =>
  /^(?:his|her|its|their|my|our|your)$/.test(normal);

/** Past participles that differ from the past tense. */
const PARTICIPLES = new Set(
  ("born known been done gone seen written taken given driven chosen spoken drawn grown thrown " +
    "flown shown worn broken forgotten beaten begun sung drunk sworn risen fallen eaten hidden " +
    "ridden bitten forbidden stolen frozen woken proven torn based located situated").split(" "),
);

/** Past tenses identical to the base form. */
const INVARIANT = /^(?:set|put|cut|hit|cast|beat|quit|spread|split|cost|burst)$/;

/** Detects a third person singular: "wins", "goes", "is", "has". */
export function isThirdPerson(word: TaggedWord): boolean {
  const { normal, lemma } = word;
  if (hasTag(word, "AUX")) return hasForm(word, "is", "has", "does", "was", "'s");
  return hasTag(word, "VERB") && normal !== lemma && /s$/.test(normal) && !/ss$/.test(normal);
}

/** Detects a past tense, or a participle of the same form: "won", "wrote", "played", "set". */
export function isPast(word: TaggedWord): boolean {
  const { normal, lemma } = word;
  if (!hasTag(word, "VERB") || PARTICIPLES.has(normal) || /ing$/.test(normal)) return false;
  return INVARIANT.test(normal) || normal !== lemma && !isThirdPerson(word);
}

/** Detects a past participle ("born", "published"), including forms that could be a past tense. */
export const isParticiple = (word: TaggedWord): boolean =>
  hasTag(word, "VERB") && (PARTICIPLES.has(word.normal) || isPast(word));

/** Detects a verb or auxiliary that can be the finite verb of a clause. */
export function isFinite(words: Words, index: number): boolean {
  const word = words[index];
  // "self-titled" carries nothing.
  if (!word || words[index - 1]?.text === "-" && !word.spaced) return false;
  if (hasTag(word, "AUX")) return !hasForm(word, "be", "been", "being", "having", "to");
  if (!hasTag(word, "VERB") || PARTICIPLES.has(word.normal)) return false;
  return !/ing$/.test(word.normal) && !hasForm(words[index - 1], "to");
}

/**
 * Detects an unambiguous finite verb: an auxiliary, a form in -s, or a past tense with an object
 * after it.
 */
export function isSurelyFinite(words: Words, index: number): boolean {
  const word = words[index];
  if (!word || !isFinite(words, index)) return false;
  if (hasTag(word, "AUX") || isThirdPerson(word)) return true;
  return isPast(word) && (!/ed$/.test(word.normal) || startsObject(words[index + 1]));
}

/** Tests that an object can begin with the word. */
export function startsObject(word: TaggedWord | undefined): boolean {
  if (word?.enclosed && /^["“]$/.test(word.text)) return true;
  return hasTag(word, "DET", "PROPN", "PRON", "NUM", "ADJ", "NOUN") &&
    !hasForm(word, "who", "which", "that");
}

/** Detects a negation: "not", "never", "no". */
export const isNegation = ({ normal }: TaggedWord): boolean =>
  /^(?:not|n't|never|no|nor|neither|none|without|hardly)$/.test(normal);

/**
 * Grammatical number of a verb form: "is" singular, "are" plural. Undefined where the form is
 * ambiguous.
 */
export function grammaticalNumber(word: TaggedWord): "singular" | "plural" | undefined {
  if (hasForm(word, "are", "were", "have", "do")) return "plural";
  return isThirdPerson(word) ? "singular" : undefined;
}

/** Index of the first word from `start` that is no adverb. */
export function afterAdverbs(words: Words, start: number): number {
  let index = start;
  while (hasTag(words[index], "ADV")) index++;
  return index;
}

/** Words that a statement may add or omit without a change of meaning. */
const LIGHT = new Set(
  ("be have do also then there here very called named one who which that some such as well not")
    .split(" "),
);

/**
 * Content words: nouns, names, verbs, adjectives, adverbs and numbers, without the lightest ones.
 */
export const contentWords = (words: Words): Words =>
  words.filter((word) =>
    hasTag(word, "NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X") && !LIGHT.has(word.lemma) &&
    /[\p{L}\p{N}]/u.test(word.text)
  );

/** Compares words by lemma or spelling, numbers by their digits ("1,000" equals "1000"). */
export function isSameLemma(one: TaggedWord, other: TaggedWord): boolean {
  const digits = ({ normal }: TaggedWord) => normal.replace(/,(?=\d{3})/g, "");
  if (/^\d/.test(one.normal)) return digits(one) === digits(other);
  return one.normal === other.normal || one.lemma === other.lemma;
}

/** English names of countries and territories from Unicode's CLDR, with common alternatives. */
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

/** Returns a name without its article and accents. */
export function plainName(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").replace("’", "'");
  return plain.replace(/^the /i, "");
}

/** Tests for the name of a country or territory. */
export const isCountry = (name: string): boolean => COUNTRIES.has(plainName(name));

/**
 * Minimum number of letters for language detection. Shorter Latin texts, often names, are
 * unreliable.
 */
const MIN_LETTERS = 25;

/**
 * Minimum lead (0–1) of another language over English. Sentences full of foreign names score
 * closer.
 */
const MIN_LEAD = 0.15;

/**
 * Returns the language's name for a text that is not English. Undefined for English, and for texts
 * too short or too mixed to decide. Every component here reads English only.
 */
export async function foreignLanguage(text: string): Promise<string | undefined> {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isLatin = /\p{Script=Latin}/u.test(text);
  if (letters === 0 || isLatin && letters < MIN_LETTERS) return undefined;
  const { default: detector } = await import("eld/small");
  const detection = detector.detect(text);
  const { [detection.language]: best = 0, en: english = 0 } = detection.getScores();
  if (!detection.isReliable() || best - english < MIN_LEAD) return undefined;
  return new Intl.DisplayNames("en", { type: "language" }).of(detection.language);
}
