import { type EnglishToken, type PartOfSpeech, readEnglish } from "../claims/english.ts";
import { overlaps as overlap, type TextSpan } from "../types.ts";
import { compareQuantities, type Quantity, readQuantities } from "./quantities.ts";
import type { WordNet } from "./wordnet.ts";

/** What a word can stand in for; words of different classes are never rivals for one place. */
export type WordClass =
  | "name"
  | "quantity"
  | "noun"
  | "verb"
  | "adjective"
  | "adverb"
  /** All, most, first, before, north: see `opposites.ts`. */
  | "degree";

/** A word that says something, or several that say one thing ("39.2 million people", "United States"). */
export interface Word extends TextSpan {
  readonly text: string;
  /** In lower case; the gazetteer's name for a thing that it knows. */
  readonly lemma: string;
  readonly wordClass: WordClass;
  /** How much it says, > 0. */
  readonly weight: number;
  /** Within reach of "not", "never", "without". */
  readonly negated: boolean;
  readonly quantity: Quantity | undefined;
  readonly entry: GazetteerEntry | undefined;
  /** Other ways to write the name that it is part of: "uk" and "unitedkingdom" for United Kingdom. */
  readonly aliases: readonly string[];
}

/** Letters alone, without accents, dots and possessive: "u.s." is "us", "renée" is "renee". */
function plainName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}|['’]s$|[.'’]/gu, "").toLowerCase();
}

/**
 * Gives each word of a name of several words its initials and the name written together. Such a name
 * are names with nothing but a space between them.
 */
function withAliases(words: readonly Word[], text: string): readonly Word[] {
  const isPlainName = ({ wordClass, entry }: Word) => wordClass === "name" && entry === undefined;
  const runs: Word[][] = [];
  for (const word of words) {
    const last = runs.at(-1)?.at(-1);
    const isNext = last && isPlainName(last) && isPlainName(word) &&
      text.slice(last.end, word.start) === " ";
    if (isNext) runs.at(-1)!.push(word);
    else runs.push([word]);
  }
  return runs.flatMap((run) => {
    if (run.length < 2) return run;
    const names = run.map((word) => plainName(word.text));
    const aliases = [names.map((name) => name[0]).join(""), names.join("")];
    return run.map((word) => ({ ...word, aliases }));
  });
}

const NEGATORS = new Set(
  "not n't no never none nobody nothing nowhere neither nor without cannot hardly unable fail"
    .split(" "),
);

/** Where the search for the denied word ends: at a mark, or at a word that begins another clause. */
const ENDS_REACH = /^(?:[.,;:!?()–—]|but|although|though|because|while|whereas|which|who)$/;

/** Words of one denial may be joined: "did not see or hear". */
const JOINS = /^(?:and|or|nor|\/)$/;

/**
 * For each token, whether it is what a negation denies: the first word after it that says something,
 * and others joined to that one. What comes later in the clause is hardly ever denied on its own.
 */
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

/** "Not only", "no longer than" and "No. 5" deny nothing. */
function isNotOnly(tokens: readonly EnglishToken[], index: number): boolean {
  const next = tokens[index + 1]?.normal ?? "";
  return next === "only" || (tokens[index]!.normal === "no" && /^[.\d]/.test(next));
}

/** Words of degree, quantity, direction, order and kinship: one excludes the others of its row. */
const EXCLUSIVE = (
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
  "increasing decreasing; summer winter spring autumn; urban rural"
).split("; ");

const NEGATING_PREFIX = /^(?:un|in|im|il|ir|dis|non-?|a)(?=\p{L}{3})/u;
const ROWS_OF = new Map<string, Set<number>>();
EXCLUSIVE.forEach((row, index) => {
  for (const word of row.split(" ")) ROWS_OF.getOrInsert(word, new Set()).add(index);
});

/** Whether the table has both in one row. Lower case. */
export function areExclusive(a: string, b: string): boolean {
  const [rows, others] = [ROWS_OF.get(a), ROWS_OF.get(b)];
  return a !== b && rows !== undefined && others !== undefined && !rows.isDisjointFrom(others);
}

/** Whether one word is the other with a negating prefix or suffix: unsafe and safe, useful and useless. */
export function areAffixOpposites(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const prefix = NEGATING_PREFIX.exec(long)?.[0];
  if (prefix !== undefined && prefix !== "a" && long.slice(prefix.length) === short) return true;
  return a !== b && (a.replace(/ful$/, "less") === b || b.replace(/ful$/, "less") === a);
}

/** Numbers and names carry most of what can be checked; an adverb rarely decides. */
const BY_CLASS: Readonly<Record<WordClass, number>> = {
  quantity: 1.5,
  name: 1.5,
  noun: 1,
  verb: 0.8,
  adjective: 0.8,
  degree: 0.6,
  adverb: 0.4,
};

/**
 * How much a word says, 0–1.5: by its class, and less the more meanings it has, which stands in for
 * frequency ("run" has 57, "oxygen" one) without any corpus.
 */
function wordWeight(lemma: string, wordClass: WordClass, wordnet: WordNet): number {
  const whole = BY_CLASS[wordClass];
  if (wordClass === "quantity" || wordClass === "name") return whole;
  return whole / (1 + Math.log1p(wordnet.senseCount(lemma)) / 3);
}

/** What a text is read with. */
export interface ReadingTools {
  readonly wordnet: WordNet;
  readonly gazetteer: Gazetteer;
}

const CLASS_OF: Partial<Record<PartOfSpeech, WordClass>> = {
  NOUN: "noun",
  VERB: "verb",
  ADJ: "adjective",
  ADV: "adverb",
  NUM: "noun",
  X: "noun",
};

/** The words of a sentence that say something, in order; "of" and "is" say nothing on their own. */
export function readWords(text: string, { wordnet, gazetteer }: ReadingTools): readonly Word[] {
  const { tokens } = readEnglish(text);
  const negated = negatedTokens(tokens);
  const quantities = readQuantities(text);
  const hits = gazetteer.find(text);
  const isTaken = (token: TextSpan) =>
    [...quantities, ...hits].some((span) => overlap(span, token));
  const common = { quantity: undefined, entry: undefined, aliases: [] };
  const plain = tokens.flatMap((token, index): readonly Word[] => {
    const wordClass = classOf(token, index, wordnet);
    if (wordClass === undefined || isTaken(token)) return [];
    const { start, end, text, normal } = token;
    const lemmas = { degree: normal, name: plainName(normal) };
    const lemma = wordClass === "degree" || wordClass === "name" ? lemmas[wordClass] : token.lemma;
    const weight = wordWeight(lemma, wordClass, wordnet);
    return [{ ...common, start, end, text, lemma, wordClass, weight, negated: negated[index]! }];
  });
  const whole = (span: TextSpan, wordClass: "quantity" | "name", lemma: string): Word => ({
    ...common,
    start: span.start,
    end: span.end,
    text: text.slice(span.start, span.end),
    lemma: lemma.toLowerCase(),
    wordClass,
    weight: BY_CLASS[wordClass],
    negated: negated[tokens.findIndex((token) => overlap(span, token))]!,
  });
  const numbers = quantities
    .map((quantity) => ({ ...whole(quantity, "quantity", quantity.text), quantity }));
  const known = hits.filter((hit) => !quantities.some((other) => overlap(other, hit)))
    .map((hit) => ({ ...whole(hit, "name", hit.entry.name), entry: hit.entry }));
  const words = [...plain, ...numbers, ...known].toSorted((a, b) => a.start - b.start);
  return withAliases(words, text);
}

/** A capital letter makes a name, except at the beginning, where the tagger must think so too and no dictionary know the word. */
function classOf(token: EnglishToken, index: number, wordnet: WordNet): WordClass | undefined {
  if (!/[\p{L}\d]/u.test(token.text)) return undefined;
  if (ROWS_OF.has(token.normal)) return "degree";
  if (token.stopWord) return undefined;
  const isProper = token.partOfSpeech === "PROPN";
  if (/^\p{Lu}/u.test(token.text)) {
    if (index > 0) return "name";
    if (isProper) return isCommon(token.normal, wordnet) ? "noun" : "name";
  }
  return isProper ? "noun" : CLASS_OF[token.partOfSpeech];
}

/** As it is, or as a plural. */
const isCommon = (word: string, wordnet: WordNet) =>
  wordnet.isCommon(word) || wordnet.isCommon(word.replace(/s$/, ""));

/** A thing with a name of its own, and every way it is written: France, French, Frenchman. */
export interface GazetteerEntry {
  /** The name that stands for it, also in findings. */
  readonly name: string;
  /** Only things of one type stand in each other's place: `country`. */
  readonly type: string;
  /** Other names, adjectives and words for its people. */
  readonly also: readonly string[];
}

export interface Gazetteer {
  /** Where entries' names stand, in the order of the text, the longest where two begin together, without overlap. */
  find(text: string): readonly (TextSpan & { readonly entry: GazetteerEntry })[];
}

/** Looks for whole words with their capital letters: "turkey" is a bird. */
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

/** From this on a word of the claim counts as found. */
export const FOUND = 0.5;
const SYNONYM = 0.9;
const NEAR = 0.7;

/** Whether both words are the same as written, number for number and thing for thing. */
export function isSameWord(claim: Word, source: Word): boolean {
  if (claim.quantity !== undefined || source.quantity !== undefined) {
    return claim.quantity !== undefined && source.quantity !== undefined &&
      compareQuantities(claim.quantity, source.quantity) === "same";
  }
  if (claim.lemma === source.lemma) return true;
  if (claim.entry !== undefined || source.entry !== undefined) return false;
  if (claim.wordClass === "name" && source.wordClass === "name") {
    // "UK" and a word of "United Kingdom", either way round, or two words of such.
    return claim.aliases.includes(source.lemma) || source.aliases.includes(claim.lemma) ||
      isNameForm(claim.lemma, source.lemma);
  }
  return claim.text.toLowerCase() === source.text.toLowerCase();
}

/** How far a source's word accounts for a claim's, 0–1: 1 the same, less for a synonym or a number that is near. */
export function wordMatch(claim: Word, source: Word, wordnet: WordNet): number {
  if (isSameWord(claim, source)) return 1;
  if (claim.quantity !== undefined && source.quantity !== undefined) {
    return compareQuantities(claim.quantity, source.quantity) === "near" ? NEAR : 0;
  }
  if (isOutsideWordNet(claim) || isOutsideWordNet(source)) return 0;
  return wordnet.relation(claim.lemma, source.lemma) === "same" ? SYNONYM : 0;
}

const isOutsideWordNet = ({ quantity, entry, wordClass }: Word) =>
  quantity !== undefined || entry !== undefined || wordClass === "degree";

/** "Iran" and "Iranian", "Eisinga" and "Eisinga's". */
function isNameForm(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const stem = short.replace(/[aeiy]$/, "");
  if (short.length >= 6 && isOneEdit(short, long)) return true;
  return stem.length >= 4 && long.startsWith(stem) &&
    /^(?:[aeiy]?(?:'s|’s|s|n|an|ian|ese|ish)?)$/.test(long.slice(stem.length));
}

/** One letter more, or another: how a name is misspelt. */
function isOneEdit(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(long.length > short.length ? same : same + 1) === long.slice(same + 1);
}

/** How two words stand against each other: antonyms, exclusive degrees, or members of one class. */
export type Opposition = "opposite" | "degree" | "sibling" | "none";

export function opposition(claim: Word, source: Word, wordnet: WordNet): Opposition {
  if (areExclusive(claim.lemma, source.lemma)) return "degree";
  if (isOutsideWordNet(claim) || isOutsideWordNet(source)) return "none";
  if (areAffixOpposites(claim.lemma, source.lemma)) return "opposite";
  const relation = wordnet.relation(claim.lemma, source.lemma);
  return relation === "opposite" || relation === "sibling" ? relation : "none";
}
