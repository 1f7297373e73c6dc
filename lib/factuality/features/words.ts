import { type EnglishToken, type PartOfSpeech, readEnglish } from "../claims/english.ts";
import { overlaps as overlap, type TextSpan } from "../types.ts";
import { compareQuantities, type Quantity, readQuantities } from "./quantities.ts";

/**
 * Word classes with their weights. Numbers and names carry most of what can be checked, adverbs
 * least. Words of different classes are never rivals. Words of class `degree` (all, most, first,
 * before, north) exclude the others of their row.
 */
const BY_CLASS = {
  quantity: 1.5,
  name: 1.5,
  noun: 1,
  verb: 0.8,
  adjective: 0.8,
  degree: 0.6,
  adverb: 0.4,
};
type WordClass = keyof typeof BY_CLASS;

/** A content word, or several words that form one unit ("39.2 million people", "United States"). */
export interface ContentWord extends TextSpan {
  readonly text: string;
  /** Spelling in lower case. */
  readonly normal: string;
  /** Lemma in lower case; for a thing in the gazetteer, its name there. */
  readonly lemma: string;
  readonly wordClass: WordClass;
  /** Weight by word class, 0.4–1.5. */
  readonly weight: number;
  /** True within the scope of "not", "never" or "without". */
  readonly negated: boolean;
  readonly quantity: Quantity | undefined;
  readonly entry: GazetteerEntry | undefined;
  /** Other spellings of its name: "uk" and "unitedkingdom" for United Kingdom. */
  readonly aliases: readonly string[];
}

/**
 * Reduces a name to letters without accents, dots and possessive: "u.s." to "us", "renée" to
 * "renee".
 */
const lettersOfName = (name: string): string =>
  name.normalize("NFD").replace(/\p{M}|['’]s$|[.'’]/gu, "").toLowerCase();

/** First and last index of the adjacent words of one name; for another word, its index twice. */
export function nameAround(
  words: readonly ContentWord[],
  index: number,
): readonly [number, number] {
  const isPlainName = (word: ContentWord | undefined) =>
    word?.wordClass === "name" && word.entry === undefined;
  const goesOn = (place: number) =>
    isPlainName(words[place]) && isPlainName(words[place + 1]) &&
    words[place + 1]!.start - words[place]!.end === 1;
  let [first, last] = [index, index];
  while (goesOn(first - 1)) first--;
  while (goesOn(last)) last++;
  return [first, last];
}

/** Adds initials and the unspaced spelling to each word of a multi-word name. */
const withAliases = (words: readonly ContentWord[]): readonly ContentWord[] =>
  words.map((word, index) => {
    const [first, last] = nameAround(words, index);
    if (first === last) return word;
    const names = words.slice(first, last + 1).map(({ text }) => lettersOfName(text));
    return { ...word, aliases: [names.map((name) => name[0]).join(""), names.join("")] };
  });

const NEGATORS = new Set(
  "not n't no never none nobody nothing nowhere neither nor without cannot hardly unable fail"
    .split(" "),
);

/** End of a negation's scope: a punctuation mark, or a word that begins another clause. */
const ENDS_REACH = /^(?:[.,;:!?()–—]|but|although|though|because|while|whereas|which|who)$/;

/** Conjunctions that extend a negation: "did not see or hear". */
const JOINS = /^(?:and|or|nor|\/)$/;

/** Marks the tokens that a negation denies: the next content word and those coordinated with it. */
function negatedTokens(tokens: readonly EnglishToken[]): readonly boolean[] {
  const negated = tokens.map(() => false);
  tokens.forEach((token, index) => {
    if (!isNegator(token) || isNotOnly(tokens, index)) return;
    for (let next = index + 1; next < tokens.length; next++) {
      const denied = tokens[next]!;
      if (ENDS_REACH.test(denied.normal)) break;
      if (denied.stopWord || denied.partOfSpeech === "ADV" || isNegator(denied)) continue;
      negated[next] = !negated[next];
      if (!JOINS.test(tokens[next + 1]?.normal ?? "")) break;
    }
  });
  return negated;
}

const isNegator = ({ normal, lemma }: EnglishToken) =>
  NEGATORS.has(normal) || NEGATORS.has(lemma) || /n['’]t$/.test(normal);

/** Detects expressions that negate nothing: "not only", "no longer than", "No. 5". */
function isNotOnly(tokens: readonly EnglishToken[], index: number): boolean {
  const next = tokens[index + 1]?.normal ?? "";
  return next === "only" || (tokens[index]!.normal === "no" && /^[.\d]/.test(next));
}

/** Words of degree, quantity, direction, order and kinship. Each excludes the others of its row. */
const EXCLUSIVE = rowsOf(
  "all none; every no; always never; most few; many few; more less fewer; most least fewest; " +
    "majority minority; mostly rarely seldom; often rarely seldom; usually rarely seldom; " +
    "mainly partly; large small; big small; bigger smaller; larger smaller; largest smallest; " +
    "biggest smallest; high low; higher lower; highest lowest; longest shortest; " +
    "longer shorter; oldest youngest newest; older younger newer; earliest latest; " +
    "earlier later; richest poorest; first last; before after; above below; maximum minimum; " +
    "north south east west; northern southern eastern western; " +
    "northeast northwest southeast southwest; " +
    "northeastern northwestern southeastern southwestern; left right; male female; man woman; " +
    "boy girl; he she; his her; mother father; son daughter; brother sister; husband wife; " +
    "import export; imports exports; win lose; increase decrease; rise fall; " +
    "increasing decreasing; summer winter spring autumn; urban rural",
);

/** Other mutually exclusive words, by their lemmas. */
const OPPOSED = rowsOf(
  "hot cold; warm cool; dry wet; strong weak; rich poor; young old; early late; near far; " +
    "growth decline; grow shrink; victory defeat; gain lose; join leave; begin end; start end; " +
    "start finish; establish abolish; create dissolve; allow ban; allow forbid; accept reject; " +
    "approve reject; support oppose; succeed fail; success failure; public private; " +
    "domestic foreign; internal external; peaceful violent; democratic authoritarian; " +
    "united divided; upper lower; inner outer; inside outside; indoors outdoors; indoor outdoor; " +
    "permanent temporary; peace war; major minor; ancient modern; narrow wide; same different; " +
    "true false; full empty; open close; alive dead; happy sad; awake asleep; " +
    "alone together; day night; daytime nighttime; child adult; up down; " +
    "sit stand walk run sleep swim; dog cat horse bird; " +
    "red white blue green yellow black brown orange purple pink",
);

/** Maps each word to the rows that contain it. */
function rowsOf(rows: string): ReadonlyMap<string, ReadonlySet<number>> {
  const rowsOfWord = new Map<string, Set<number>>();
  rows.split("; ").forEach((row, index) => {
    for (const word of row.split(" ")) rowsOfWord.getOrInsert(word, new Set()).add(index);
  });
  return rowsOfWord;
}

function shareRow(rows: ReturnType<typeof rowsOf>, a: string, b: string): boolean {
  const [some, others] = [rows.get(a), rows.get(b)];
  return a !== b && some !== undefined && others !== undefined && !some.isDisjointFrom(others);
}

/** Tests whether two words of degree exclude each other ("largest", "smallest"); lower case. */
export const areExclusive = (a: string, b: string): boolean => shareRow(EXCLUSIVE, a, b);

const NEGATING_PREFIX = /^(?:un|in|im|il|ir|dis|non-?)(?=\p{L}{3})/u;

/** Tests whether two words differ by a negating affix: unsafe and safe, useful and useless. */
function areAffixOpposites(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const prefix = NEGATING_PREFIX.exec(long)?.[0];
  if (prefix !== undefined && long.slice(prefix.length) === short) return true;
  return a !== b && (a.replace(/ful$/, "less") === b || b.replace(/ful$/, "less") === a);
}

const CLASS_OF: Partial<Record<PartOfSpeech, WordClass>> = {
  NOUN: "noun",
  VERB: "verb",
  ADJ: "adjective",
  ADV: "adverb",
  NUM: "noun",
  X: "noun",
};

/** Returns the content words of a sentence in order; "of" and "is" are skipped. */
export function readWords(text: string, gazetteer: Gazetteer): readonly ContentWord[] {
  const { tokens } = readEnglish(text);
  const negated = negatedTokens(tokens);
  const quantities = readQuantities(text).filter((quantity) => !isInName(quantity, text));
  const hits = gazetteer.find(text);
  const isTaken = (token: TextSpan) =>
    [...quantities, ...hits].some((span) => overlap(span, token));
  const wordAt = (
    { start, end }: TextSpan,
    wordClass: WordClass,
    lemma: string,
    negated: boolean,
  ): ContentWord => {
    const written = text.slice(start, end);
    const common = { quantity: undefined, entry: undefined, aliases: [], negated };
    const [normal, weight] = [written.toLowerCase(), BY_CLASS[wordClass]];
    return { ...common, start, end, text: written, normal, lemma, wordClass, weight };
  };
  const plain = tokens.flatMap((token, index): readonly ContentWord[] => {
    const wordClass = classOf(tokens, index);
    if (wordClass === undefined || isTaken(token)) return [];
    const named = wordClass === "name" ? lettersOfName(token.normal) : token.lemma;
    const lemma = wordClass === "degree" ? degreeOf(token)! : named;
    return [wordAt(token, wordClass, lemma, negated[index]!)];
  });
  const whole = (span: TextSpan, wordClass: "quantity" | "name", lemma: string) => {
    const first = tokens.findIndex((token) => overlap(span, token));
    return wordAt(span, wordClass, lemma.toLowerCase(), negated[first]!);
  };
  const numbers = quantities
    .map((quantity) => ({ ...whole(quantity, "quantity", quantity.text), quantity }));
  const known = hits.filter((hit) => !quantities.some((other) => overlap(other, hit)))
    .map((hit) => ({ ...whole(hit, "name", hit.entry.name), entry: hit.entry }));
  const words = [...plain, ...numbers, ...known].toSorted((a, b) => a.start - b.start);
  return withAliases(words);
}

/**
 * Word class of a token. A capital makes a name; at the start of a sentence the tagger must agree
 * and another name must follow.
 */
function classOf(tokens: readonly EnglishToken[], index: number): WordClass | undefined {
  const token = tokens[index]!;
  if (!/\p{L}.|\d/u.test(token.text)) return undefined;
  if (degreeOf(token) !== undefined) return "degree";
  if (token.stopWord) return undefined;
  const isProper = token.partOfSpeech === "PROPN";
  const begins = index === 0 || OPENS_SENTENCE.test(tokens[index - 1]!.text);
  const isCapital = (word: EnglishToken | undefined) => /^\p{Lu}(?!['’])/u.test(word?.text ?? "");
  // "Oh", "Actually".
  const isLead = /^(?:INTJ|ADV)$/.test(token.partOfSpeech);
  if (isCapital(token) && !isLead && (begins ? isProper && isCapital(tokens[index + 1]) : true)) {
    return "name";
  }
  return isProper ? "noun" : CLASS_OF[token.partOfSpeech];
}

/**
 * Detects a number within a name ("Chapter 3", "Ted 2", "# 5"): a bare number after a name that
 * does not open the sentence.
 */
const isInName = (quantity: Quantity, text: string) =>
  quantity.kind === "amount" && quantity.bound === "exact" && /^\d{1,3}$/.test(quantity.text) &&
  /(?:(?<=[^.?!]\s)\p{Lu}[\p{L}'-]+\s|#\s?)$/u.test(text.slice(0, quantity.start));

const OPENS_SENTENCE = /^[.?!:;"“‘(]$/u;

/** Form of a word in the table of degree words. Undefined for "left" as a verb. */
function degreeOf({ normal, lemma, partOfSpeech }: EnglishToken): string | undefined {
  const form = partOfSpeech === "VERB" || !EXCLUSIVE.has(normal) ? lemma : normal;
  return EXCLUSIVE.has(form) ? form : undefined;
}

/** A named thing with all its spellings: France, French, Frenchman. */
export interface GazetteerEntry {
  /** Canonical name, also used in findings. */
  readonly name: string;
  /** Type, for example `country`; only things of one type are rivals. */
  readonly type: string;
  /** Other names, adjectives and demonyms. */
  readonly also: readonly string[];
}

export interface Gazetteer {
  /** Finds entries in text order without overlap, the longest first where two begin together. */
  find(text: string): readonly (TextSpan & { readonly entry: GazetteerEntry })[];
}

/** Makes a gazetteer that matches whole capitalised words: "turkey" is a bird. */
export function gazetteerOf(entries: readonly GazetteerEntry[]): Gazetteer {
  const byName = new Map<string, GazetteerEntry>();
  for (const entry of entries) {
    for (const name of [entry.name, ...entry.also]) {
      if (/^\p{Lu}/u.test(name) && !byName.has(name)) byName.set(name, entry);
    }
  }
  if (byName.size === 0) return { find: () => [] };
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length).map(RegExp.escape);
  const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${names.join("|")})(?![\\p{L}\\d])`, "gu");
  return {
    find: (text) =>
      [...text.matchAll(pattern)].map(({ 0: name, index }) => ({
        start: index,
        end: index + name.length,
        entry: byName.get(name)!,
      })),
  };
}

/** Compares two words by spelling, numbers by value, named things by entry. */
export function isSameWord(claim: ContentWord, source: ContentWord): boolean {
  if (claim.quantity !== undefined || source.quantity !== undefined) {
    return claim.quantity !== undefined && source.quantity !== undefined &&
      compareQuantities(claim.quantity, source.quantity) === "same";
  }
  if (claim.lemma === source.lemma) return true;
  if (claim.entry !== undefined || source.entry !== undefined) {
    // The gazetteer does not contain "saint helena" in lower case.
    const [known, other] = claim.entry ? [claim, source] : [source, claim];
    return other.entry === undefined && known.normal.split(" ").includes(other.normal);
  }
  if (claim.wordClass === "name" && source.wordClass === "name") {
    // "UK" against a word of "United Kingdom" in either direction, or two words of such names.
    return claim.aliases.includes(source.lemma) || source.aliases.includes(claim.lemma) ||
      isNameForm(claim.lemma, source.lemma);
  }
  return claim.normal === source.normal || areForms(claim.lemma, source.lemma);
}

const ENDING =
  /^(?:e?s?|ed|ing|ings|t?ions?|ations?|ments?|al|ally|ly|er|ers|or|ors|y|ies|ity|cy|t)$/;

/**
 * Tests for a shared stem of five letters or more: "regulate" and "regulation", "farm" and
 * "farmer".
 */
function areForms(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same >= 5 && ENDING.test(a.slice(same)) && ENDING.test(b.slice(same));
}

/** Tests whether a source's word accounts for a claim's: the same word, or a near number. */
export const accountsFor = (source: ContentWord, claim: ContentWord): boolean =>
  isSameWord(claim, source) ||
  claim.quantity !== undefined && source.quantity !== undefined &&
    compareQuantities(claim.quantity, source.quantity) === "near";

/** Minimum number of letters that matching words share at their start or end. */
const EDGE = 3;

/** Index from a claim's word to the sentences that account for it. See {@link accountsFor}. */
export function wordIndex(sentences: readonly (readonly ContentWord[])[]) {
  // Words with the same analysis are looked up once.
  const kinds = new Map<string, { readonly word: ContentWord; readonly places: number[] }>();
  for (const [place, words] of sentences.entries()) {
    for (const word of words) {
      const { lemma, normal, wordClass, aliases, entry, quantity } = word;
      const value = quantity && { ...quantity, start: 0, end: 0, text: "" };
      const key = JSON.stringify([lemma, normal, wordClass, aliases, entry?.name, value]);
      const { places } = kinds.getOrInsertComputed(key, () => ({ word, places: [] }));
      if (places.at(-1) !== place) places.push(place);
    }
  }
  const byKey = new Map<string, Set<string>>();
  for (const [kind, { word }] of kinds) {
    const { lemma, normal, aliases, entry } = word;
    const parts = entry === undefined ? [] : normal.split(" ");
    for (const key of [...edgeKeys(word), ...aliases, lemma, normal, ...parts]) {
      byKey.getOrInsertComputed(key, () => new Set()).add(kind);
    }
  }
  return (claim: ContentWord): readonly number[] => {
    const { lemma, normal, aliases, entry } = claim;
    const parts = entry === undefined ? [] : normal.split(" ");
    const asked = new Set(
      [...edgeKeys(claim), ...aliases, lemma, normal, ...parts].flatMap((key) => [
        ...byKey.get(key) ?? [],
      ]),
    );
    const matching = [...asked].map((kind) => kinds.get(kind)!)
      .filter(({ word }) => accountsFor(word, claim));
    return [...new Set(matching.flatMap(({ places }) => places))].sort((a, b) => a - b);
  };
}

/** Index keys of a word. Forms share their start; a misspelt name shares its start or end. */
function edgeKeys({ lemma, wordClass, quantity }: ContentWord): readonly string[] {
  if (quantity !== undefined) return ["#"];
  const end = wordClass === "name" ? [`*${lemma.slice(-EDGE)}`] : [];
  return [`${lemma.slice(0, EDGE)}*`, ...end];
}

/** Tests for forms of one name: "Iran" and "Iranian", "Eisinga" and "Eisinga's". */
function isNameForm(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const stem = short.replace(/[aeiy]$/, "");
  if (short.length >= 6 && isOneEdit(short, long)) return true;
  return stem.length >= 4 && long.startsWith(stem) &&
    /^(?:[aeiy]?(?:'s|’s|s|n|an|ian|ese|ish)?)$/.test(long.slice(stem.length));
}

/** Tests for one inserted or replaced letter, as in misspelt names. */
function isOneEdit(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(long.length > short.length ? same : same + 1) === long.slice(same + 1);
}

/** Tests whether two words exclude each other by degree, opposition or a negating affix. */
export function areOpposed(claim: ContentWord, source: ContentWord): boolean {
  if (areExclusive(claim.lemma, source.lemma)) return true;
  const isPlain = ({ wordClass }: ContentWord) =>
    wordClass !== "quantity" && wordClass !== "name" && wordClass !== "degree";
  if (!isPlain(claim) || !isPlain(source)) return false;
  return shareRow(OPPOSED, claim.lemma, source.lemma) ||
    claim.wordClass === source.wordClass && areAffixOpposites(claim.lemma, source.lemma);
}
