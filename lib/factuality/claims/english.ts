import model from "wink-eng-lite-web-model";
import winkNLP, { type ItemToken, type ItsFunction, type WinkMethods } from "wink-nlp";
import type { TextSpan } from "../text_span.ts";

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
export interface EnglishEntity extends TextSpan {
  readonly text: string;
  readonly type: string;
}

/** A text read once; the sentences are wink-nlp's own (see `sentencesOf` for more careful ones). */
export interface EnglishText {
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
